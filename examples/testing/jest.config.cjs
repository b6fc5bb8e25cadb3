/** @type {import("jest").Config} */
module.exports = {
  testEnvironment: "node",
  transform: { "\\.ts$": "@swc/jest" },
  // Each operation starts the SDK's processes, which takes seconds, and much longer on a busy machine.
  testTimeout: 120_000,
};
