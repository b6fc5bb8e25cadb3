"use strict";
// Which files below a directory hold one of the texts: how the scripts look for secrets in what a run has written.
const fs = require("node:fs");
const path = require("node:path");

/** Links are not followed: the one to node_modules leads to no state. */
function filesHolding(directory, texts) {
  return fs
    .readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath ?? entry.path, entry.name))
    .filter((file) => {
      const content = fs.readFileSync(file, "latin1");
      return texts.some((text) => content.includes(text));
    });
}

module.exports = { filesHolding };
