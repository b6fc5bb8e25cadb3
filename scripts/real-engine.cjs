"use strict";
// The real engine, the `pulumi` command on PATH, for tests, scripts and benchmarks: its version, and an environment in
// which it keeps all files in one directory and never prompts.
const { spawnSync } = require("node:child_process");
const fs = require("node:fs");
const path = require("node:path");

/** Its version without the `v`; undefined if the command is not installed. */
function engineVersion(env = process.env) {
  const { status, stdout } = spawnSync("pulumi", ["version"], { encoding: "utf8", env });
  return status === 0 ? stdout.trim().replace(/^v/, "") : undefined;
}

/** The variables of an engine with home, state and secrets in `directory`, which is created if it does not exist. */
function engineEnvironment(directory) {
  const [home, state] = ["home", "state"].map((name) => path.join(directory, name));
  for (const kept of [home, state]) fs.mkdirSync(kept, { recursive: true });
  return {
    PULUMI_HOME: home,
    PULUMI_BACKEND_URL: `file://${state}`,
    PULUMI_CONFIG_PASSPHRASE: "test",
    PULUMI_SKIP_UPDATE_CHECK: "true",
    PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION: "true",
    PULUMI_OPTION_NON_INTERACTIVE: "true",
    PULUMI_OPTION_COLOR: "never",
  };
}

/** The one stack that the file backend in `directory` has. */
function stateFile(directory) {
  const stacks = path.join(directory, "state", ".pulumi", "stacks");
  const files = fs.readdirSync(stacks, { recursive: true }).filter((name) => name.endsWith(".json"));
  if (files.length !== 1) throw new Error(`${stacks} holds ${files.length} states, not 1`);
  return path.join(stacks, files[0]);
}

module.exports = { engineEnvironment, engineVersion, stateFile };
