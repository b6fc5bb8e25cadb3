"use strict";
// `npm run release`: what is run before a release, and now and then between two.
const { runStep } = require("./steps.cjs");

const BUILD = "npm run build";
const PLUGIN = "npm run build:plugin";
/** Fails where there is no engine. */
const ENGINE = "pulumi version";

runStep("release", {
  test: {
    says: "all that npm test does not cover: other test runners, SDKs and bundles, then matrix and mutation",
    commands: [
      BUILD,
      "jest --config scripts/release-tests.config.cjs",
      "node scripts/release.cjs matrix",
      "node scripts/release.cjs mutation",
    ],
  },
  matrix: {
    says: "package managers, module systems and SDK versions, from a registry, on the real engine",
    commands: [BUILD, "node scripts/matrix.mjs"],
  },
  mutation: {
    says: "mutation testing",
    commands: [
      BUILD,
      "npm ci --prefix scripts/mutation",
      "scripts/mutation/node_modules/.bin/stryker run scripts/mutation/stryker.config.json",
    ],
  },
  engine: {
    says: "the test files that need the real engine",
    commands: [ENGINE, BUILD, PLUGIN, "jest --config scripts/engine-tests.config.cjs"],
  },
  "record-engine": {
    says: "writes what the real engine does into test/testing/parity; of another version, only what differs",
    commands: [
      ENGINE,
      BUILD,
      "jest --config scripts/engine-tests.config.cjs --runInBand test/testing/parity/",
    ],
    env: { PARITY_RECORD: "1" },
  },
  standalone: {
    says: "the plugin with Node inside: builds it and runs the tests of its calls with nothing on PATH",
    commands: [
      "npm run build:plugin -- --standalone",
      "jest test/plugin/functions test/plugin/managed test/plugin/resource test/plugin/schema test/plugin/settings",
    ],
    env: { PLUGIN_FORM: "standalone" },
  },
  languages: {
    says: "the plugin's examples in every language; fetches packages of Python, Go and npm",
    commands: [ENGINE, PLUGIN, "jest test/plugin/languages.test.ts"],
    env: { PLUGIN_LANGUAGES: "1" },
  },
  "record-languages": {
    says: "the same, and writes what was measured into docs/contributing/what-was-run.md",
    commands: [ENGINE, PLUGIN, "jest test/plugin/languages.test.ts"],
    env: { PLUGIN_LANGUAGES: "record" },
  },
  pipelines: {
    says: "the pipelines of examples/gitops, on the real engine",
    commands: [BUILD, "node scripts/rehearse-pipeline.cjs"],
  },
  "record-state": {
    says: "keeps the state that this version writes, for the upgrade tests of later ones",
    commands: [ENGINE, BUILD, "node scripts/record-state.cjs"],
  },
  pack: {
    says: "all that a release publishes, into dist-release/; after npm run build:plugin",
    commands: [ENGINE, "node scripts/pack-release.cjs"],
  },
  rehearse: {
    says: "a release on loopback, by the commands of its workflow, and strangers with npm and in four languages who use it",
    commands: [ENGINE, "node scripts/rehearse-release.cjs"],
  },
  check: {
    says: "may v0.1.0 be released? compares tag, version, changelog, kept state, and names every place without an owner",
    commands: ["node scripts/check-release.cjs"],
  },
  owner: {
    says: "writes the name of the account that owns the repository into every place that waits for it",
    commands: ["node scripts/owner.cjs"],
  },
});
