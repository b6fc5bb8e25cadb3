// Only tests that load the mutated files in their own process. Whole programs use the build, which contains no mutants.
const { projects, maxWorkers, testTimeout } = require("../../jest.config.cjs");

const { displayName: _, ...project } = projects.at(-1);

module.exports = {
  ...project,
  // Stryker counts on its own, and looks for an environment by name only.
  testEnvironment: "node",
  maxWorkers,
  testTimeout,
  rootDir: "../..",
  testMatch: [
    "<rootDir>/test/client/{retry,pages}.test.ts",
    "<rootDir>/test/provider/{boundary,channel*,diff,inputs,managed*}.test.ts",
    "<rootDir>/test/rules/expiry.test.ts",
    "<rootDir>/test/upgrades/upgrades.test.ts",
  ],
  reporters: ["default"],
};
