"use strict";
// Compiles src/ to an empty dist/, so that no output of a removed source is packed, and makes the command executable.
const { execFileSync } = require("node:child_process");
const { chmodSync, rmSync } = require("node:fs");
const path = require("node:path");

const root = path.join(__dirname, "..");
rmSync(path.join(root, "dist"), { recursive: true, force: true });
execFileSync(process.execPath, [require.resolve("typescript/bin/tsc"), "-p", "tsconfig.build.json"], {
  cwd: root,
  stdio: "inherit",
});
chmodSync(path.join(root, "dist/cli/main.js"), 0o755);
