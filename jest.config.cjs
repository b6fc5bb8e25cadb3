/** @type {import("jest").Config} */
const project = {
  testEnvironment: "node",
  roots: ["<rootDir>/test"],
  transform: {
    "\\.ts$": [
      "@swc/jest",
      { jsc: { parser: { syntax: "typescript" }, target: "es2022" }, module: { type: "commonjs" } },
    ],
  },
  // What is loaded at once and hardly ever used takes more than half a second of each test file: of the SDK, undici and zod.
  moduleNameMapper: {
    "^typescript$": "<rootDir>/test/support/late-typescript.cjs",
    "^@npmcli/arborist$": "<rootDir>/test/support/no-package-tree.cjs",
    "^\\./automation$": "<rootDir>/test/support/late-automation.cjs",
    "^\\./lib/web/": "<rootDir>/test/support/no-web-interfaces.cjs",
    "^\\.\\./locales/index\\.cjs$": "<rootDir>/test/support/no-languages.cjs",
    "^\\./debuggable$": "<rootDir>/test/support/promises-without-stacks.cjs",
  },
};

/** The tests that run client and provider in their own process, where the bounds of coverage are met. */
const inProcess = ["client", "provider", "upgrades"].map((folder) => `<rootDir>/test/${folder}/*.test.ts`);

/** What only a release needs: `npm run test:release`. */
const ofRelease = ["<rootDir>/test/release/"];

/** @type {import("jest").Config} */
module.exports = {
  projects: [
    {
      ...project,
      displayName: "in other processes",
      // Counting takes a second of each file.
      runner: "<rootDir>/test/support/uncovered-runner.cjs",
      testMatch: ["<rootDir>/test/**/*.test.ts"],
      testPathIgnorePatterns: ["<rootDir>/test/(client|provider|upgrades)/", ...ofRelease],
    },
    {
      ...project,
      displayName: "in process",
      testEnvironment: "<rootDir>/test/support/covered-environment.cjs",
      testMatch: inProcess,
    },
  ],
  // What a test needs, many times over: it fails for what it proves, not for a busy machine. Jest reads it here alone.
  testTimeout: 240_000,
  testSequencer: "<rootDir>/test/support/longest-first.cjs",
  // Istanbul's counters would be serialized into functions that Pulumi turns into text.
  coverageProvider: "v8",
  collectCoverageFrom: ["src/{client,provider}/**/*.ts"],
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
