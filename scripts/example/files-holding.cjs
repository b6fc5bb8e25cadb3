"use strict";
// Finds files below a directory that contain one of the texts. Scripts use it to search a run's
// files for secrets.
const fs = require("node:fs");
const path = require("node:path");

/** Does not follow symbolic links: the one to node_modules leads to no state. */
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
