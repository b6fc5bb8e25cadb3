"use strict";
// The tests that start neither an engine nor a provider process: `npm run check` and `npm run watch`.
module.exports = require("./some-tests.cjs")([
  "<rootDir>/test/client/*.test.ts",
  "<rootDir>/test/provider/{boundary,channel,channel-lists,diff,inputs}.test.ts",
  "<rootDir>/test/rules/*.test.ts",
  "<rootDir>/test/program/{functions,inspection}.test.ts",
  "<rootDir>/test/config.test.ts",
  "<rootDir>/test/package/{changelog,dependencies,layers}.test.ts",
]);
