/** @type {import("jest").Config} */
module.exports = {
  testEnvironment: "node",
  transform: { "\\.ts$": "@swc/jest" },
  testPathIgnorePatterns: ["/dist/"],
  // An operation starts the SDK's processes: seconds, not milliseconds.
  testTimeout: 120_000,
};
