// The tests that run the mutated files in their own process. Whole programs run the build, where no mutant is.
const config = require("../../jest.config.cjs");

module.exports = {
  ...config,
  rootDir: "../..",
  testMatch: [
    "<rootDir>/test/client/{retry,pages}.test.ts",
    "<rootDir>/test/provider/{boundary,channel,diff,inputs}.test.ts",
    "<rootDir>/test/rules/expiry.test.ts",
    "<rootDir>/test/upgrades/upgrades.test.ts",
  ],
  reporters: ["default"],
};
