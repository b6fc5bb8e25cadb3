"use strict";
// What a rehearsal shows and keeps: all of it is searched for secrets at the end.

let shown = "";

function say(text = "") {
  shown += `${text}\n`;
  process.stdout.write(`${text}\n`);
}

/** Keeps what a command printed without showing it. */
function note(text) {
  shown += text;
}

function quote(text) {
  say(text.trimEnd().replace(/^/gm, "  | "));
}

/** One expectation of a reviewer or of the person on duty. */
function check(claim, holds) {
  if (!holds) throw new Error(`this does not hold: ${claim}`);
  say(`  ✓ ${claim}`);
}

module.exports = { check, note, quote, say, shown: () => shown };
