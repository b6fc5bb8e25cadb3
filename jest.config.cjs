/** @type {import("jest").Config} */
module.exports = {
  testEnvironment: "node",
  // With the sources, so that the tests related to a change are found.
  roots: [
    "<rootDir>/src",
    "<rootDir>/test",
    "<rootDir>/packages/domain-monitoring-emulator/src",
    "<rootDir>/packages/domain-monitoring-emulator/test",
    "<rootDir>/packages/pulumi-offline/src",
    "<rootDir>/packages/pulumi-offline/test",
  ],
  // What only a release needs: `npm run release -- test`.
  testPathIgnorePatterns: ["<rootDir>/test/release/"],
  transform: {
    "\\.ts$": [
      "@swc/jest",
      { jsc: { parser: { syntax: "typescript" }, target: "es2022" }, module: { type: "commonjs" } },
    ],
  },
  // What a test needs, many times over: it fails for what it proves, not for a busy machine.
  testTimeout: 240_000,
  // Istanbul's counters would be serialized into functions that Pulumi turns into text.
  coverageProvider: "v8",
  // Without a file of types alone, one that only a provider process loads, and the requests to a
  // pipeline's platform, which test/cli/ci.test.ts makes.
  collectCoverageFrom: [
    "src/{client,provider}/**/*.ts",
    "!src/client/{exchange,internal/operation}.ts",
    "!src/provider/index.ts",
  ],
  coverageReporters: ["text-summary", "json"],
  // What runs in the engine's process and talks to the service. The figures are close below what the tests reach.
  coverageThreshold: {
    "./src/client/": { branches: 95, functions: 99, lines: 99 },
    "./src/provider/": { branches: 97, functions: 97, lines: 99 },
  },
  maxWorkers: 2,
  // A worker on a busy machine takes longer than the half second that is jest's default. One that hangs is still reported.
  workerGracefulExitTimeout: 10_000,
  reporters: ["default", "<rootDir>/test/support/left-out-reporter.cjs"],
};
