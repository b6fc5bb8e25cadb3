"use strict";
// What a maintainer runs now and then, by name: `npm run generate -- NAME`, `npm run bench --
// NAME`, `npm run release -- NAME`.
const { spawnSync } = require("node:child_process");

const BUILD = "npm run build";
const PLUGIN = "npm run build:plugin";
/** Fails where there is no engine. */
const ENGINE = "pulumi version";

/**
 * By script and name: `says`, what it is for; `commands`, run one after the other until one fails;
 * `env`, variables for them. Arguments after the name go to the last command.
 */
const SCRIPTS = {
  generate: {
    docs: {
      says: "the generated parts of docs/, from declarations, the commands' help and the schema",
      commands: ["npm run build", "node scripts/reference.cjs"],
    },
    schema: {
      says: "the plugin's schema, from declarations, tables and examples; then run docs",
      commands: ["npm run build", "node scripts/plugin-schema.cjs"],
    },
    "rules-schema": {
      says: "rules.schema.json, by which editors check the rules file",
      commands: ["npm run build", "node scripts/rules-schema.cjs"],
    },
    pictures: {
      says: "the pictures of the page of pipelines, after the report has changed; needs chromium",
      commands: ["npm run build", "node scripts/pictures.cjs"],
    },
    "pack-list": {
      says: "test/package/pack-list.txt, after files outside of src/ were added or removed",
      commands: ["npm run build", "node scripts/packed.cjs"],
    },
  },
  bench: {
    client: {
      says: "our client and seven others, on the same loopback service; about 3 minutes",
      commands: [
        "npm run build",
        "npm install --prefix bench --ignore-scripts",
        "node bench/client.mjs",
      ],
    },
    deploy: {
      says: "our resource, dynamic and by the plugin, and an empty one; up to 40 minutes",
      commands: ["npm run build", "npm run build:plugin", "node bench/deploy.mjs"],
    },
    plugin: {
      says: "the processes of the provider plugin and the dynamic provider",
      commands: ["npm run build", "npm run build:plugin -- --standalone", "node bench/plugin.mjs"],
    },
  },
  release: {
    test: {
      says: "what npm test does not cover: other test runners, SDKs and bundles, and samples in Python, Go and Java",
      commands: [BUILD, PLUGIN, "jest"],
      env: { TEST_SCOPE: "release", PLUGIN_LANGUAGES: "1" },
    },
    cell: {
      says: "one cell of .github/workflows/matrix.yml: --manager pnpm --program esm --sdk 3.139.0 --typescript 5.9.3",
      commands: [ENGINE, BUILD, "node scripts/release/cell.mjs"],
    },
    "record-engine": {
      says: "writes what the real engine does into packages/pulumi-offline/test/parity; of another version, only what differs",
      commands: [ENGINE, BUILD, "jest --runInBand packages/pulumi-offline/test/parity/"],
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
      says: "the plugin's examples in every language; fetches packages of Python, Go, Maven and npm",
      commands: [ENGINE, PLUGIN, "jest test/plugin/languages.test.ts test/plugin/samples.test.ts"],
      env: { PLUGIN_LANGUAGES: "1" },
    },
    "record-languages": {
      says: "the same, and writes what was measured into docs/contributing/what-was-run.json",
      commands: [
        ENGINE,
        PLUGIN,
        "jest --runInBand test/plugin/languages.test.ts test/plugin/samples.test.ts",
      ],
      env: { PLUGIN_LANGUAGES: "record" },
    },
    "record-state": {
      says: "keeps the state that this version writes, for the upgrade tests of later ones",
      commands: [ENGINE, BUILD, "node scripts/release/record-state.cjs"],
    },
    pack: {
      says: "all that a release publishes, into dist-release/; after npm run build:plugin",
      commands: [ENGINE, "node scripts/release/pack.cjs"],
    },
    rehearse: {
      says: "publishes the packages and the plugin on loopback, and deploys them from there as npm and as YAML",
      commands: [ENGINE, BUILD, PLUGIN, "node scripts/release/rehearse.mjs"],
    },
    check: {
      says: "may v0.1.0 be released? compares tag, version, changelog, kept state, and names every place without an owner",
      commands: ["node scripts/release/check.cjs"],
    },
    owner: {
      says: "writes the name of the account that owns the repository into every place that waits for it",
      commands: ["node scripts/release/owner.cjs"],
    },
  },
};

/** Runs one of a script's steps, or lists them if none is named. */
function main([script, name, ...args]) {
  const steps = SCRIPTS[script];
  if (name !== undefined && Object.hasOwn(steps, name)) return perform(steps[name], args);
  const lines = Object.entries(steps).map(
    ([step, { says }]) => `  npm run ${script} -- ${step.padEnd(16)}  ${says}`,
  );
  const text = `${lines.join("\n")}\n`;
  if (name !== undefined) {
    process.stderr.write(`${script}: there is no step ${name}, but these:\n${text}`);
    return 1;
  }
  process.stdout.write(text);
  return 0;
}

function perform({ commands, env = {} }, args) {
  for (const [index, line] of commands.entries()) {
    const [command, ...own] = line.split(" ");
    const given = index === commands.length - 1 ? args : [];
    const { status, error } = spawnSync(command, [...own, ...given], {
      stdio: "inherit",
      env: { ...process.env, ...env },
      // npm and jest are scripts for the shell there.
      shell: process.platform === "win32",
    });
    if (error) process.stderr.write(`${line}: ${error.message}\n`);
    if (status !== 0) return status ?? 1;
  }
  return 0;
}

process.exitCode = main(process.argv.slice(2));
