"use strict";
// Writes rules.schema.json, by which editors complete and check the rules file, from the schema
// that the command checks it with.
//
//     npm run generate -- rules-schema
const fs = require("node:fs");
const path = require("node:path");
const { z } = require("zod");

const root = path.join(__dirname, "..");

/** The schema as it has to be, of the last build. */
function text() {
  const { rulesSchema } = require("../dist/cli/rules/schema.js");
  const { $schema, ...schema } = z.toJSONSchema(rulesSchema(new Date()), {
    target: "draft-7",
    io: "input",
    reused: "ref",
    unrepresentable: "any",
  });
  const title =
    "Rules of pulumi-domain-monitoring: the page of `report` at the homepage of the package describes each part";
  return `${JSON.stringify({ $schema, title, ...schema }, null, 2)}\n`;
}

if (require.main === module) fs.writeFileSync(path.join(root, "rules.schema.json"), text());

module.exports = { text };
