"use strict";
// `npm run check`: types, lint, unused code, and the tests related to what has changed since the
// last commit, or since a given one: `npm run check -- --since main`. Where nothing has, the tests
// that need neither an engine nor a child process.
const { execFileSync, spawnSync } = require("node:child_process");
const { parseArgs } = require("node:util");

/** Modules that tests import if they need an engine, a child process or a packed tarball. */
const SLOW = [
  "packages/pulumi-offline/src/index.ts",
  "test/cli/command.ts",
  "test/docs/support/markdown.ts",
  "test/package/support/packed.ts",
  "test/plugin/support/plugin-process.ts",
  "test/support/cli.ts",
  "test/support/engines.ts",
  "test/support/run.ts",
];

const { values } = parseArgs({ options: { since: { type: "string", default: "HEAD" } } });

const lines = (command, args) =>
  execFileSync(command, args, { encoding: "utf8" })
    .split("\n")
    .filter((line) => line !== "");

/** Runs a command, and ends with its exit code if it fails. */
function run(command, ...args) {
  process.stdout.write(`> ${[command, ...args].join(" ")}\n`);
  const { status } = spawnSync(command, args, { stdio: "inherit" });
  if (status !== 0) process.exit(status ?? 1);
}

const changed = [
  ...lines("git", [
    "diff",
    "--name-only",
    "--diff-filter=d",
    values.since,
    "--",
    "src",
    "test",
    "packages",
  ]),
  ...lines("git", ["ls-files", "--others", "--exclude-standard", "--", "src", "test", "packages"]),
].filter((file) => file.endsWith(".ts"));

// Makes what tests of the command and of whole programs run.
run("npm", "run", "build");
run("npm", "run", "typecheck");
run("npm", "run", "lint");
run("npm", "run", "unused");
if (changed.length > 0) {
  run("npm", "run", "build:plugin");
  run("npx", "jest", "--passWithNoTests", "--findRelatedTests", ...changed);
} else {
  const tests = lines("npx", ["jest", "--listTests"]);
  const slow = new Set(lines("npx", ["jest", "--listTests", "--findRelatedTests", ...SLOW]));
  run("npx", "jest", "--runTestsByPath", ...tests.filter((test) => !slow.has(test)));
}
