"use strict";
// Which declarations a user's compiler reads: those that an entry point leads to.
const fs = require("node:fs");
const path = require("node:path");

/** Removes all others from a package's build: nobody can import their modules. */
function removeUnreachable(directory) {
  const dist = path.join(directory, "dist");
  const { exports: exported } = require(path.join(directory, "package.json"));
  const reached = new Set();
  const visit = (file) => {
    if (reached.has(file)) return;
    reached.add(file);
    const text = fs.readFileSync(file, "utf8");
    for (const [, target] of text.matchAll(/(?:\bfrom|\bimport\(|\bimport)\s*"(\.[^"]*)"/g)) {
      const base = path.join(path.dirname(file), target);
      visit([`${base}.d.ts`, path.join(base, "index.d.ts")].find((one) => fs.existsSync(one)));
    }
  };
  for (const { types } of Object.values(exported)) if (types) visit(path.join(directory, types));
  for (const name of fs.readdirSync(dist, { recursive: true })) {
    const file = path.join(dist, name);
    if (name.endsWith(".d.ts") && !reached.has(file)) fs.rmSync(file);
  }
}

module.exports = { removeUnreachable };
