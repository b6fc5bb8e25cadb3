/** Runs commands and collects their output; none outlives its cell. */
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
    // A separate process group, so that all child processes end with the command.
    const child = spawn(command, args, { cwd, env, detached: true });
    let output = "";
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding("utf8").on("data", (text) => {
        output += text;
      });
    }
    // A command that reads no input may already have closed the pipe; its exit code is what counts.
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
    // It has already ended.
  }
}

/**
 * Ends the processes that still run in a cell's directory. The engine starts plugins in separate process groups, so they survive
 * if it is killed. Only Linux shows a process's directory; elsewhere plugins exit when they notice that the engine is gone.
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
