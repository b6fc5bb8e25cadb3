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
  // What the SDK loads at once and hardly ever uses takes half a second of each test file.
  moduleNameMapper: {
    "^typescript$": "<rootDir>/test/support/late-typescript.cjs",
    "^@npmcli/arborist$": "<rootDir>/test/support/no-package-tree.cjs",
  },
  // Istanbul's counters would be serialized into functions that Pulumi turns into text.
  coverageProvider: "v8",
  collectCoverageFrom: ["src/{client,provider}/**/*.ts"],
  coverageReporters: ["text-summary", "json"],
  // What runs in the engine's process and talks to the service. The figures are close below what the tests reach.
  coverageThreshold: {
    "./src/client/": { branches: 95, functions: 99, lines: 99 },
    "./src/provider/": { branches: 97, functions: 97, lines: 99 },
  },
  testTimeout: 60_000,
  maxWorkers: 2,
  reporters: ["default", "<rootDir>/test/support/left-out-reporter.cjs"],
};
