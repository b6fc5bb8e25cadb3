// The tests that run the mutated files in their own process. Whole programs run the build, where no mutant is.
const { projects, maxWorkers, testTimeout } = require("../../jest.config.cjs");

const { displayName: _, ...project } = projects.at(-1);

module.exports = {
  ...project,
  maxWorkers,
  testTimeout,
  rootDir: "../..",
  testMatch: [
    "<rootDir>/test/client/{retry,pages}.test.ts",
    "<rootDir>/test/provider/{boundary,channel,diff,inputs}.test.ts",
    "<rootDir>/test/rules/expiry.test.ts",
    "<rootDir>/test/upgrades/upgrades.test.ts",
  ],
  reporters: ["default"],
};
