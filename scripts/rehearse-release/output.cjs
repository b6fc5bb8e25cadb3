"use strict";
// The transcript of a rehearsal, and commands that have to succeed.
const { run } = require("../run.cjs");

const started = performance.now();

function say(text, seconds) {
  const at = ((performance.now() - started) / 1000).toFixed(0).padStart(5);
  const took = seconds === undefined ? " ".repeat(7) : `${seconds.toFixed(1).padStart(6)}s`;
  process.stdout.write(`${at}  ${took}  ${text}\n`);
}

function check(what, isSo) {
  if (!isSo) throw new Error(`not so: ${what}`);
  say(`so it is: ${what}`);
}

/** Runs a command that has to succeed. */
async function perform(command, args, options) {
  const ended = await run(command, args, options);
  if (ended.code !== 0)
    throw new Error(`${command} ${args.join(" ")} ended with exit code ${ended.code}:\n${ended.output}`);
  return ended;
}

module.exports = { check, perform, say };
