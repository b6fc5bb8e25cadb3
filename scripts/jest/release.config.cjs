"use strict";
// What only a release needs: other test runners, module systems and bundlers. Part of `npm run release -- test`.
module.exports = require("./some.cjs")(["<rootDir>/test/release/*.test.ts"]);
