/** Runs commands: all that they print is kept, and none outlives its cell. */
import { spawn } from "node:child_process";
import { readdirSync, readlinkSync } from "node:fs";

/** How long a command has to end by itself when its cell is over, before it is killed. */
const GRACE_MS = 5_000;

/**
 * Runs a command to its end.
 * @returns its exit code, its output and the wall seconds that it took
 */
export function run(command, args, { cwd, env, signal, input = "" }) {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const started = performance.now();
    // A process group of its own, so that whatever the command starts ends with it.
    const child = spawn(command, args, { cwd, env, detached: true });
    let output = "";
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding("utf8").on("data", (text) => {
        output += text;
      });
    }
    // A command that reads nothing may have closed its end already; its exit code tells.
    child.stdin.on("error", () => {}).end(input);
    let killing;
    const stop = () => {
      signalGroup(child.pid, "SIGINT");
      killing = setTimeout(() => signalGroup(child.pid, "SIGKILL"), GRACE_MS);
    };
    signal.addEventListener("abort", stop, { once: true });
    const settle = (action) => {
      clearTimeout(killing);
      signal.removeEventListener("abort", stop);
      action();
    };
    child.on("error", (error) => settle(() => reject(error)));
    child.on("close", (code) =>
      settle(() => {
        if (signal.aborted) reject(signal.reason);
        else resolve({ code, output, seconds: (performance.now() - started) / 1000 });
      }),
    );
  });
}

function signalGroup(pid, name) {
  try {
    process.kill(-pid, name);
  } catch {
    // It has ended meanwhile.
  }
}

/**
 * Ends what still runs in a cell's directory. The engine puts its plugins into process groups of their own, so they stay
 * when it is killed. Only Linux tells where a process runs; elsewhere they end when they notice that the engine is gone.
 */
export function endStragglers(directory) {
  if (process.platform !== "linux") return;
  for (const pid of readdirSync("/proc").map(Number).filter(Number.isInteger)) {
    if (pid !== process.pid && runsIn(pid, directory)) process.kill(pid, "SIGKILL");
  }
}

function runsIn(pid, directory) {
  try {
    return `${readlinkSync(`/proc/${pid}/cwd`)}/`.startsWith(`${directory}/`);
  } catch {
    return false;
  }
}
