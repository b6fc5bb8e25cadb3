const fs = require("node:fs");
const path = require("node:path");

/** What is run: see scripts/test.cjs. Without it, all that there can be here. */
const { TEST_SCOPE } = process.env;

const FOLDERS = [
  "test",
  "packages/domain-monitoring-emulator/test",
  "packages/pulumi-offline/test",
];

/** What only a release needs: other test runners and bundlers, and samples whose compilers fetch packages. */
const RELEASE = ["<rootDir>/test/release/*.test.ts", "<rootDir>/test/plugin/samples.test.ts"];

/** The end of a file's name whose tests all need the real engine. */
const ENGINE = ".engine.test.ts";

/** The files with tests that need the real engine. */
function onEngine() {
  const files = FOLDERS.flatMap((folder) =>
    fs
      .readdirSync(path.join(__dirname, folder), { recursive: true, encoding: "utf8" })
      .filter((file) => file.endsWith(".test.ts"))
      .map((file) => path.join(folder, file)),
  );

  return files
    .filter(
      (file) =>
        file.endsWith(ENGINE) ||
        /realEngineAvailable|describe(OnEngines|OnRealEngine|WithPulumi)/.test(
          fs.readFileSync(path.join(__dirname, file), "utf8"),
        ),
    )
    .map((file) => `<rootDir>/${file}`);
}

const MATCHED = { engine: onEngine, release: () => RELEASE };

/** What is left out, by the paths of files. */
const LEFT_OUT = {
  offline: ["<rootDir>/test/release/", ENGINE.replaceAll(".", "\\.")],
  release: [],
};

/** @type {import("jest").Config} */
module.exports = {
  testEnvironment: "node",
  // With the sources, so that the tests related to a change are found.
  roots: [
    ...FOLDERS,
    "src",
    "packages/domain-monitoring-emulator/src",
    "packages/pulumi-offline/src",
  ].map((folder) => `<rootDir>/${folder}`),
  testMatch: MATCHED[TEST_SCOPE]?.() ?? ["**/*.test.ts"],
  testPathIgnorePatterns: LEFT_OUT[TEST_SCOPE] ?? ["<rootDir>/test/release/"],
  // The SDK loads these at once and hardly ever uses them: .7 s of CPU in each of some sixty test files.
  moduleNameMapper: {
    "^@npmcli/arborist$": "<rootDir>/test/support/lazy/arborist.cjs",
    "^typescript$": "<rootDir>/test/support/lazy/typescript.cjs",
    "^\\./automation$": "<rootDir>/test/support/lazy/automation.cjs",
  },
  // Not in the temporary directory, which each run has for itself.
  cacheDirectory: "<rootDir>/node_modules/.cache/jest",
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
  // Without files of types alone, and one that only a provider process loads.
  collectCoverageFrom: [
    "src/{client,provider}/**/*.ts",
    "!src/client/internal/operation.ts",
    "!src/provider/lifecycle.ts",
    "!src/provider/index.ts",
  ],
  coverageReporters: ["text-summary", "json"],
  // What runs in the engine's process and talks to the service. The figures are close below what the tests reach.
  coverageThreshold: {
    "./src/client/": { branches: 95, functions: 98, lines: 99 },
    "./src/provider/": { branches: 97, functions: 97, lines: 99 },
  },
  maxWorkers: "100%",
  testSequencer: "<rootDir>/test/support/longest-first.cjs",
  // A worker on a busy machine takes longer than the half second that is jest's default. One that hangs is still reported.
  workerGracefulExitTimeout: 10_000,
  reporters: ["default", "<rootDir>/test/support/left-out-reporter.cjs"],
};
