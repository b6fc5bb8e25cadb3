"use strict";
// Runs a command and collects what it prints: for scripts, benchmarks and tests.
const { spawn } = require("node:child_process");

/** How long a command may take to end by itself after it was interrupted, before it is killed. */
const GRACE_PERIOD_MS = 5_000;

/**
 * Starts a command. `options` are those of `spawn`, and `input` for standard input, which null leaves open, `onOutput`, which
 * gets every text that is printed, and `signal`, which interrupts the command and its children.
 * @returns `child`; `printed`, all texts so far; and `finished`, what `run` resolves with
 */
function start(command, args, { input = "", onOutput, signal, ...options } = {}) {
  signal?.throwIfAborted();
  const started = performance.now();
  // A group of its own ends as a whole.
  const child = spawn(command, args, { detached: signal !== undefined, stdio: "pipe", ...options });
  const printed = { stdout: "", stderr: "", output: "" };
  for (const name of ["stdout", "stderr"])
    child[name].setEncoding("utf8").on("data", (text) => {
      printed[name] += text;
      printed.output += text;
      onOutput?.(text);
    });
  // A command that reads nothing may have closed its input; its exit code is what counts.
  child.stdin.on("error", () => {});
  if (input !== null) child.stdin.end(input);
  let killing;
  const stop = () => {
    signalGroup(child.pid, "SIGINT");
    killing = setTimeout(() => signalGroup(child.pid, "SIGKILL"), GRACE_PERIOD_MS);
  };
  signal?.addEventListener("abort", stop, { once: true });
  const finished = new Promise((resolve, reject) => {
    const settle = (action) => {
      clearTimeout(killing);
      signal?.removeEventListener("abort", stop);
      action();
    };
    child.on("error", (error) => settle(() => reject(error)));
    child.on("close", (code, ended) =>
      settle(() => {
        if (signal?.aborted) reject(signal.reason);
        else resolve({ code, signal: ended, ...printed, seconds: (performance.now() - started) / 1000 });
      }),
    );
  });
  return { child, printed, finished };
}

/**
 * Runs a command to its end, whatever its exit code is.
 * @returns `code`, `signal`, `stdout`, `stderr`, `output` (both as they came) and `seconds`
 */
const run = (command, args, options) => start(command, args, options).finished;

/** The same, for a command that has to succeed. @throws an error with all that it printed */
async function succeed(command, args, options) {
  const ended = await run(command, args, options);
  if (ended.code === 0) return ended;
  const line = [command, ...args].join(" ");
  throw new Error(`${line} ended with exit code ${ended.code}:\n${ended.output}`.trim());
}

function signalGroup(pid, name) {
  try {
    process.kill(-pid, name);
  } catch {
    // It has already ended.
  }
}

module.exports = { run, start, succeed };
