"use strict";
// Lists what `npm pack` takes in, without the declarations that belong to each module, for test/package/contents.test.ts.
// Read the difference before committing it: a file that is listed here is published.
const { writeFileSync } = require("node:fs");
const path = require("node:path");
const { packed } = require("./packed.cjs");

const root = path.join(__dirname, "..");
const names = packed()
  .files.map((file) => file.path)
  .filter((name) => !name.endsWith(".d.ts"));
writeFileSync(path.join(root, "test/package/pack-list.txt"), `${names.sort().join("\n")}\n`);
