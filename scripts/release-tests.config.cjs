"use strict";
// What only a release needs: other test runners, module systems and bundlers. Part of `npm run test:release`.
const { projects, maxWorkers, reporters, testTimeout } = require("../jest.config.cjs");

const { displayName: _, ...project } = projects.at(-1);

module.exports = {
  ...project,
  maxWorkers,
  reporters,
  testTimeout,
  rootDir: "..",
  testMatch: ["<rootDir>/test/release/*.test.ts"],
};
