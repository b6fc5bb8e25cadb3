"use strict";
// Lists the files that `npm pack` includes, except each module's declarations, for test/package/contents.test.ts.
// Review the difference before committing it: every listed file is published.
const { writeFileSync } = require("node:fs");
const path = require("node:path");
const { packed } = require("./packed.cjs");

const root = path.join(__dirname, "..");
const names = packed()
  .files.map((file) => file.path)
  .filter((name) => !name.endsWith(".d.ts"));
writeFileSync(path.join(root, "test/package/pack-list.txt"), `${names.sort().join("\n")}\n`);
