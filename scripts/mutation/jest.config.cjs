// Only tests that load the mutated files in their own process. Whole programs use the build, which contains no mutants.
module.exports = {
  ...require("../some-tests.cjs")([
    "<rootDir>/test/client/{retry,pages,changing-lists}.test.ts",
    "<rootDir>/test/provider/{boundary,channel*,diff,inputs,managed*}.test.ts",
    "<rootDir>/test/rules/expiry.test.ts",
    "<rootDir>/test/upgrades/upgrades.test.ts",
  ]),
  reporters: ["default"],
};
