"use strict";
// The transcript of a rehearsal.

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

module.exports = { check, say };
