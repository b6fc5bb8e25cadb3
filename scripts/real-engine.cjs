"use strict";
// The real engine, the `pulumi` command on PATH, for tests, scripts and benchmarks: its version, an
// environment without the user's settings, one in which it keeps all files in one directory and
// never prompts, and a stack in it.
const { spawnSync } = require("node:child_process");
const fs = require("node:fs");
const path = require("node:path");
const { run, succeed } = require("./run.cjs");

/** Its version without the `v`; undefined if the command is not installed. */
function engineVersion(env = process.env) {
  const { status, stdout } = spawnSync("pulumi", ["version"], { encoding: "utf8", env });
  return status === 0 ? stdout.trim().replace(/^v/, "") : undefined;
}

/**
 * This process's environment without variables that would affect a project: the user's settings and
 * those of `npm run`.
 */
function cleanEnvironment() {
  const foreign =
    /^(DOMAIN_MONITORING_|PULUMI_|npm_(package|lifecycle)_|npm_config_(local_)?prefix$|INIT_CWD$|NODE_OPTIONS$)/;
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !foreign.test(name)));
}

/**
 * The variables of an engine with home, state and secrets in `directory`, which is created if it
 * does not exist.
 */
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

/**
 * A new stack of a project, with its settings; the engine's files are in `directory`. Further
 * options are those of `run`.
 * @returns a function that runs `pulumi` with these arguments and resolves with what `run` does. It
 * rejects if the command fails, unless `mayFail` is among the options of the call.
 */
async function openStack({
  project,
  directory,
  stack,
  env,
  config = {},
  secrets = {},
  ...options
}) {
  const environment = { ...env, ...engineEnvironment(directory) };
  const pulumi = (args, { mayFail = false, env: more, ...own } = {}) => {
    const all = { cwd: project, ...options, env: { ...environment, ...more }, ...own };
    return (mayFail ? run : succeed)("pulumi", args, all);
  };
  await pulumi(["stack", "init", stack]);
  for (const [key, value] of Object.entries(config)) await pulumi(["config", "set", key, value]);
  // A secret as an argument could be seen in the list of processes.
  for (const [key, input] of Object.entries(secrets))
    await pulumi(["config", "set", "--secret", key], { input });
  return pulumi;
}

/** The one stack that the file backend in `directory` has. */
function stateFile(directory) {
  const stacks = path.join(directory, "state", ".pulumi", "stacks");
  const files = fs
    .readdirSync(stacks, { recursive: true })
    .filter((name) => name.endsWith(".json"));
  if (files.length !== 1) throw new Error(`${stacks} holds ${files.length} states, not 1`);
  return path.join(stacks, files[0]);
}

/** The resources of that stack, without running a command. */
function recordedIn(directory) {
  const { checkpoint } = JSON.parse(fs.readFileSync(stateFile(directory), "utf8"));
  return checkpoint.latest?.resources ?? [];
}

module.exports = {
  cleanEnvironment,
  engineEnvironment,
  engineVersion,
  openStack,
  recordedIn,
  stateFile,
};
