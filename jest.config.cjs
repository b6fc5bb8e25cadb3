/** @type {import("jest").Config} */
module.exports = {
  testEnvironment: "node",
  roots: ["<rootDir>/test"],
  testMatch: ["**/*.test.ts"],
  transform: {
    "\\.ts$": [
      "@swc/jest",
      { jsc: { parser: { syntax: "typescript" }, target: "es2022" }, module: { type: "commonjs" } },
    ],
  },
  // Istanbul's counters would be serialized into functions that Pulumi turns into text.
  coverageProvider: "v8",
  collectCoverageFrom: ["src/**/*.ts"],
  testTimeout: 60_000,
  maxWorkers: 2,
  reporters: ["default", "<rootDir>/test/support/left-out-reporter.cjs"],
};
