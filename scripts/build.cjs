"use strict";
// Compiles both packages to an empty dist/, so that no output of a removed source is packed, leaves the declarations there that
// users can reach, and makes the command executable.
//
//     node scripts/build.cjs [--check]
//
// With --check, tests and examples are compiled as well, and only checked: in one program with the sources that takes two thirds
// of the time of a build and `npm run typecheck`.
const { execFileSync } = require("node:child_process");
const { chmodSync, renameSync, rmSync } = require("node:fs");
const path = require("node:path");
const { removeUnreachable } = require("./build/declarations.cjs");
const { PACKAGES, root } = require("./packed.cjs");

function compile(...options) {
  execFileSync(process.execPath, [require.resolve("typescript/bin/tsc"), ...options], {
    cwd: root,
    stdio: "inherit",
  });
}

function empty(directory) {
  rmSync(directory, { recursive: true, force: true });
}

for (const directory of PACKAGES) empty(path.join(root, directory, "dist"));
if (process.argv.includes("--check")) {
  const all = path.join(root, "node_modules/.cache/compiled");
  empty(all);
  compile("--noEmit", "false", "--declaration", "--incremental", "false", "--rootDir", ".", "--outDir", all);
  // The plugin is a bundle of its own.
  empty(path.join(all, "src/plugin"));
  for (const directory of PACKAGES)
    renameSync(path.join(all, directory, "src"), path.join(root, directory, "dist"));
  empty(all);
} else {
  compile("-p", "tsconfig.build.json");
  compile("-p", "packages/pulumi-offline");
}
for (const directory of PACKAGES) removeUnreachable(path.join(root, directory));
chmodSync(path.join(root, "dist/cli/main.js"), 0o755);
