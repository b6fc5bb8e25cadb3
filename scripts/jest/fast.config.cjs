"use strict";
// The tests that need neither a build nor an engine or a provider process, without those that take longest: `npm run check`
// and `npm run watch`.
module.exports = require("./some.cjs")([
  "<rootDir>/test/client/!(start-up|faults|ending|pages|redaction).test.ts",
  "<rootDir>/test/provider/{boundary,channel*,diff,inputs,managed-bodies}.test.ts",
  "<rootDir>/test/rules/!(time-zones).test.ts",
  "<rootDir>/test/program/inspection.test.ts",
  "<rootDir>/test/config.test.ts",
  "<rootDir>/test/package/{changelog,dependencies,layers,registry}.test.ts",
]);
