/** The processes that an engine starts for a project, found by their working directory. Linux only; elsewhere none. */
import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import path from "node:path";

const POLL_MS = 200;

/** Samples the peak memory of a project's provider and program processes until it is stopped. */
export class MemoryWatch {
  /** Peak resident memory in MiB, by role. */
  peaks = { provider: 0, program: 0 };
  #directory;
  #timer;
  /** Processes of others, which are skipped: reading the whole table would affect the measurement. */
  #others = new Set();

  constructor(directory) {
    this.#directory = directory;
    this.#timer = setInterval(() => this.#sample(), POLL_MS);
  }

  stop() {
    clearInterval(this.#timer);
    return this.peaks;
  }

  #sample() {
    for (const pid of processIds()) {
      if (this.#others.has(pid)) continue;
      const role = roleOf(pid);
      if (role && isIn(pid, this.#directory))
        this.peaks[role] = Math.max(this.peaks[role], peakMebibytes(pid));
      else if (!role && !mayBecomeOurs(pid)) this.#others.add(pid);
    }
  }
}

/** Ends remaining processes that run in a directory of this benchmark. */
export function endProcessesIn(directory) {
  for (const pid of processIds()) {
    if (pid === process.pid || !isIn(pid, directory)) continue;
    try {
      process.kill(pid, "SIGKILL");
    } catch {
      // It has ended by itself.
    }
  }
}

function processIds() {
  try {
    return readdirSync("/proc")
      .filter((name) => /^\d+$/.test(name))
      .map(Number);
  } catch {
    return [];
  }
}

function roleOf(pid) {
  const command = read(pid, "cmdline");
  if (!/(^|\/)node\0/.test(command)) return undefined;
  if (/cmd\/dynamic-provider/.test(command)) return "provider";
  return /cmd\/run(\/|\0)/.test(command) ? "program" : undefined;
}

/** A process's command changes when it executes another program, so a process may become node later. */
function mayBecomeOurs(pid) {
  return /(^|\/)(sh|bash|pulumi[\w-]*|node)\0/.test(read(pid, "cmdline"));
}

function isIn(pid, directory) {
  try {
    const cwd = readlinkSync(`/proc/${pid}/cwd`);
    return cwd === directory || cwd.startsWith(directory + path.sep);
  } catch {
    return false;
  }
}

function peakMebibytes(pid) {
  const line = /^VmHWM:\s+(\d+) kB$/m.exec(read(pid, "status"));
  return line ? Number(line[1]) / 1024 : 0;
}

function read(pid, file) {
  try {
    return readFileSync(`/proc/${pid}/${file}`, "utf8");
  } catch {
    return "";
  }
}
