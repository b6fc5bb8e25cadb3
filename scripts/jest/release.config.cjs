"use strict";
// What only a release needs: other test runners, module systems and bundlers, and samples whose
// compilers fetch packages. Part of `npm run release -- test`.
module.exports = require("./some.cjs")([
  "<rootDir>/test/release/*.test.ts",
  "<rootDir>/test/plugin/samples.test.ts",
]);
