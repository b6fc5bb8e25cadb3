/** @type {import("jest").Config} */
module.exports = {
  testEnvironment: "node",
  transform: { "\\.ts$": "@swc/jest" },
  // Each operation starts the SDK's processes, which takes seconds.
  testTimeout: 30_000,
};
