"use strict";
// The tests that need neither a build nor an engine or a provider process: `npm run check` and `npm run watch`.
module.exports = require("./some-tests.cjs")([
  "<rootDir>/test/client/!(start-up).test.ts",
  "<rootDir>/test/provider/{boundary,channel,channel-lists,diff,inputs,managed*}.test.ts",
  "<rootDir>/test/rules/!(time-zones).test.ts",
  "<rootDir>/test/program/{functions,inspection}.test.ts",
  "<rootDir>/test/config.test.ts",
  "<rootDir>/test/package/{changelog,dependencies,layers}.test.ts",
]);
