"use strict";
// Compiles src/ to dist/ and makes the command executable. A separate script because npm runs it on every platform.
const { execFileSync } = require("node:child_process");
const { chmodSync } = require("node:fs");
const path = require("node:path");

const root = path.join(__dirname, "..");
execFileSync(process.execPath, [require.resolve("typescript/bin/tsc"), "-p", "tsconfig.build.json"], {
  cwd: root,
  stdio: "inherit",
});
chmodSync(path.join(root, "dist/cli/main.js"), 0o755);
