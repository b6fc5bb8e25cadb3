// Only tests that load the mutated files in their own process. Whole programs use the build, which contains no mutants.
const { projects, maxWorkers, testTimeout } = require("../../jest.config.cjs");

const { displayName: _, ...project } = projects.at(-1);

module.exports = {
  ...project,
  // Stryker counts on its own, and looks for an environment by name only.
  testEnvironment: "node",
  // One failure is enough to notice a mutant; jest has no `bail` for Stryker, so the runner stops after the first file with one.
  runner: "<rootDir>/scripts/mutation/until-noticed.cjs",
  testSequencer: "<rootDir>/scripts/mutation/shortest-first.cjs",
  setupFiles: ["<rootDir>/scripts/mutation/no-shrinking.cjs"],
  maxWorkers,
  testTimeout,
  rootDir: "../..",
  testMatch: [
    "<rootDir>/test/client/{retry,reading,pages,changing-lists}.test.ts",
    "<rootDir>/test/provider/{boundary,channel*,diff,inputs,managed*}.test.ts",
    "<rootDir>/test/rules/expiry.test.ts",
    "<rootDir>/test/upgrades/upgrades.test.ts",
  ],
  reporters: ["default"],
};
