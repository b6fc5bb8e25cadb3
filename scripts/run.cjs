"use strict";
// Runs a command and collects what it prints: for scripts, benchmarks and tests.
const { spawn } = require("node:child_process");

/**
 * Starts a command. `options` are those of `spawn`, and `input` for standard input, which null
 * leaves open, and `onOutput`, which gets every text that is printed.
 * @returns `child`; `printed`, all texts so far; and `finished`, what `run` resolves with
 */
function start(command, args, { input = "", onOutput, ...options } = {}) {
  const started = performance.now();
  const child = spawn(command, args, { stdio: "pipe", ...options });
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
  const finished = new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code, signal) =>
      resolve({ code, signal, ...printed, seconds: (performance.now() - started) / 1000 }),
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

module.exports = { run, start, succeed };
