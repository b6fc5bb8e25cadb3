"use strict";
// `npm run generate`: writes what is generated from the sources, or from a run of them.
const { runStep } = require("./steps.cjs");

runStep("generate", {
  docs: {
    says: "docs/api and the generated parts of docs/reference, from declarations and their comments",
    commands: ["npm run build", "node scripts/api-reference.cjs"],
  },
  schema: {
    says: "the plugin's schema, from public declarations and their comments, and the registry's pages from it",
    commands: ["node scripts/plugin-schema.cjs", "node scripts/registry-pages.cjs"],
  },
  "pack-list": {
    says: "test/package/pack-list.txt, after files were added or removed",
    commands: ["npm run build", "node scripts/pack-list.cjs"],
  },
});
