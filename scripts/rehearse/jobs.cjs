"use strict";
// The jobs of examples/gitops/github as GitHub runs them: the `run:` steps with its shell, and the variables that the files declare.
// GitHub's own decisions are written out below; test/gitops/workflows.test.ts proves that they match the files.
const { spawn, spawnSync } = require("node:child_process");
const fs = require("node:fs");
const path = require("node:path");
const yaml = require("yaml");
const { engineEnvironment } = require("../real-engine.cjs");
const { run } = require("../run.cjs");
const { note, say } = require("./output.cjs");

const root = path.join(__dirname, "..", "..");
const workflows = path.join(root, "examples", "gitops", "github");

const HEALTHY = "11111111-1111-4111-8111-111111111111";
const EXPIRING = "22222222-2222-4222-8222-222222222222";
const destinations = {
  slackUrl: "https://hooks.slack.com/services/T000/B000/rehearsal-destination",
  email: "registrar-rehearsal-destination@example.com",
  webhookUrl: "https://automation.example.com/rehearsal-destination",
};

/** Replaces `gh`: logs its arguments, and prints the number of an existing comment or issue. */
const GH = '#!/bin/sh\necho "$*" >> "$REHEARSAL_GH_LOG"\nprintf %s "$REHEARSAL_GH_FOUND"\n';

/** GitHub runs `shell: bash` with these options. */
const BASH = ["--noprofile", "--norc", "-e", "-o", "pipefail", "-c"];

/** A team's repository, and the files that GitHub keeps between steps. */
class Rehearsal {
  constructor(directory, service) {
    this.service = service;
    this.repository = path.join(directory, "repository");
    this.asked = path.join(directory, "gh.log");
    this.summary = path.join(directory, "summary.md");
    this.outputs = path.join(directory, "outputs");
    for (const name of ["bin", "tmp"]) fs.mkdirSync(path.join(directory, name));
    fs.cpSync(path.join(root, "examples", "quickstart"), this.repository, { recursive: true });
    installByLinks(path.join(this.repository, "node_modules"));
    fs.writeFileSync(path.join(directory, "bin", "gh"), GH, { mode: 0o755 });
    const engine = engineEnvironment(directory);
    /** The runner's environment, which neither reads nor changes the user's login and npm settings. */
    this.runner = {
      ...engine,
      PATH: `${path.join(directory, "bin")}${path.delimiter}${process.env.PATH}`,
      HOME: engine.PULUMI_HOME,
      TMPDIR: path.join(directory, "tmp"),
      npm_config_cache: path.join(directory, "home", ".npm"),
      npm_config_update_notifier: "false",
      // Otherwise npx would fetch a command that is not installed from the registry.
      npm_config_offline: "true",
      // The types of the example are checked elsewhere, and it is run many times here.
      PULUMI_NODEJS_TRANSPILE_ONLY: "true",
      REHEARSAL_GH_LOG: this.asked,
      REHEARSAL_GH_FOUND: "",
      GITHUB_REPOSITORY: "example/domains",
      GITHUB_STEP_SUMMARY: this.summary,
      GITHUB_OUTPUT: this.outputs,
    };
    /** Values of the files' `${{ … }}` expressions, by the variable that each is assigned to. */
    this.values = {
      DOMAIN_MONITORING_BASE_URL: service.url,
      DOMAIN_MONITORING_API_TOKEN: service.token,
      DOMAIN_IDS: `${HEALTHY} ${EXPIRING}`,
      ALL_DOMAINS: "",
      PULUMI_STACK: "staging",
      PULUMI_BACKEND_URL: engine.PULUMI_BACKEND_URL,
      PULUMI_CONFIG_PASSPHRASE: engine.PULUMI_CONFIG_PASSPHRASE,
      PULUMI_ACCESS_TOKEN: "",
      POLICY_PACK: "",
      GH_TOKEN: "rehearsal-github-token",
      PULL_REQUEST: "7",
      JOB: "https://github.example.com/example/domains/actions/runs/1",
    };
    // The workflow files must set every variable themselves.
    for (const name of Object.keys(this.values)) delete this.runner[name];
  }

  /** The setup that a maintainer does once, locally. */
  async setUp() {
    await this.pulumi(["stack", "init", "staging"]);
    await this.pulumi(["config", "set", "domainId", HEALTHY]);
    for (const [key, value] of Object.entries(destinations))
      await this.pulumi(["config", "set", "--secret", key], value);
  }

  /** Runs the command as a maintainer does. */
  async pulumi(args, input) {
    const { code, printed } = await this.run("pulumi", args, this.values, input);
    if (code !== 0) throw new Error(`pulumi ${args[0]} ended with exit code ${code}\n${printed}`);
  }

  /** Changes a file of the repository, as a pull request would. */
  change(file, from, to) {
    const target = path.join(this.repository, file);
    const before = fs.readFileSync(target, "utf8");
    if (!before.includes(from))
      throw new Error(`${file} has no ${from}: the rehearsal must follow the example`);
    fs.writeFileSync(target, before.replace(from, to));
  }

  /** Runs a step of a workflow by its name. Returns its exit code, what it printed, and the output `code` that it may have set. */
  async step(file, name, given = {}) {
    const { script, env } = this.scriptOf(file, name, given);
    fs.writeFileSync(this.outputs, "");
    const { code, printed: log } = await this.run("bash", [...BASH, script], env);
    say(`  ${name}: exit code ${code}`);
    return { code, log, output: /^code=(\d+)$/m.exec(fs.readFileSync(this.outputs, "utf8"))?.[1] ?? "" };
  }

  /** The script of a step, and the variables that it has. */
  scriptOf(file, name, given = {}) {
    const { env, jobs } = yaml.parse(fs.readFileSync(path.join(workflows, file), "utf8"));
    const job = Object.values(jobs).find(({ steps }) => steps.some((step) => step.name === name));
    const step = job?.steps.find((candidate) => candidate.name === name);
    if (step?.run === undefined) throw new Error(`${file} has no step ${name} with a script`);
    const values = { ...this.values, ...given };
    const declared = Object.entries({ ...env, ...job.env, ...step.env }).map(([variable, text]) => {
      const value = text.startsWith("${{") ? values[variable] : text;
      if (value === undefined) throw new Error(`the rehearsal has no value for ${variable} of ${file}`);
      return [variable, value];
    });
    return { script: step.run, env: Object.fromEntries(declared) };
  }

  /** A job begins with a fresh clone. */
  begin(file) {
    say(`\n${file}`);
    for (const kept of [this.summary, this.asked]) fs.writeFileSync(kept, "");
    for (const left of fs.readdirSync(this.repository)) {
      if (/\.(txt|md)$/.test(left)) fs.rmSync(path.join(this.repository, left));
    }
  }

  /** The steps after the preview run whether or not it succeeded. */
  async pullRequest(given) {
    const file = "pull-request.yml";
    this.begin(file);
    const preview = await this.step(file, "Preview", given);
    const expiry = await this.step(file, "Expiry", given);
    const OUTCOME = preview.code === 0 ? "success" : "failure";
    const comment = await this.step(file, "Comment", { ...given, OUTCOME });
    // A failed comment does not fail the job, so it is told apart here.
    const ok = preview.code === 0 && expiry.code === 0 && comment.code === 0;
    return { ok, preview: preview.code };
  }

  /** The first step that fails ends its job, and the report needs the deployment. */
  async main(given) {
    const file = "main.yml";
    this.begin(file);
    for (const name of ["DOMAIN_IDS is set", "Nothing was interrupted", "Up", "Nothing is left to do"]) {
      const { code, log } = await this.step(file, name, given);
      if (code !== 0) return { deployed: false, reported: false, log };
    }
    const { code, log } = await this.step(file, "Summary", given);
    return { deployed: true, reported: code === 0, log };
  }

  /** Kills a deployment when the service has created a channel, and before it has answered. */
  async killedUp() {
    const { script, env } = this.scriptOf("main.yml", "Up");
    const before = this.service.channels().length;
    this.service.fault({ operation: "createNotificationChannel", stall: "after" });
    const options = { cwd: this.repository, env: { ...this.runner, ...env } };
    const child = spawn("bash", [...BASH, script], { ...options, stdio: "ignore" });
    const closed = new Promise((resolve) => child.on("close", resolve));
    while (this.service.channels().length === before && child.exitCode === null)
      await new Promise(setImmediate);
    // The command before its children, which would otherwise tell it that they died. Each plugin has a process group of its own.
    for (const pid of [child.pid, ...descendants(child.pid)]) kill(pid);
    await closed;
    say("  Up: killed");
  }

  /** Runs checks, which pass their exit codes on to later steps. Returns the first exit code that is not 0. */
  async night(given) {
    const file = "nightly.yml";
    this.begin(file);
    const ready = await this.step(file, "DOMAIN_IDS is set", given);
    if (ready.code !== 0) return ready.code;
    const codes = {};
    for (const name of ["Drift", "Expiry", "Report"]) {
      const { code, output } = await this.step(file, name, given);
      if (code !== 0) return code;
      codes[name.toUpperCase()] = output;
    }
    await this.step(file, "Issue", { ...given, ...codes });
    return (await this.step(file, "Result", { ...given, ...codes })).code;
  }

  async run(command, args, env, input) {
    const options = { cwd: this.repository, env: { ...this.runner, ...env }, input };
    const { code, output: printed } = await run(command, args, options);
    note(printed);
    return { code, printed };
  }

  /** A file that the last job left in its clone. */
  left(file) {
    return fs.readFileSync(path.join(this.repository, file), "utf8");
  }

  /** The calls of `gh` in the last job. */
  gh() {
    return fs.readFileSync(this.asked, "utf8");
  }
}

/** The processes that a process has started, directly or not. */
function descendants(pid) {
  const { stdout, error } = spawnSync("ps", ["-A", "-o", "pid=,ppid="], { encoding: "utf8" });
  if (error) throw new Error("the rehearsal needs the command `ps`");
  const all = stdout
    .trim()
    .split("\n")
    .map((line) => line.trim().split(/\s+/).map(Number));
  const below = (parent) =>
    all.filter(([, of]) => of === parent).flatMap(([child]) => [child, ...below(child)]);
  return below(pid);
}

/** Kills a process that may have ended already. */
function kill(pid) {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // Gone.
  }
}

/** Links packages and this package's command, instead of `npm ci` in the team's repository. */
function installByLinks(modules) {
  fs.mkdirSync(path.join(modules, ".bin"), { recursive: true });
  for (const name of fs.readdirSync(path.join(root, "node_modules"))) {
    if (name.startsWith(".") || name === "pulumi-domain-monitoring") continue;
    fs.symlinkSync(path.join(root, "node_modules", name), path.join(modules, name), "junction");
  }
  fs.symlinkSync(root, path.join(modules, "pulumi-domain-monitoring"), "junction");
  const command = `#!/bin/sh\nexec "${process.execPath}" "${path.join(root, "dist", "cli", "main.js")}" "$@"\n`;
  fs.writeFileSync(path.join(modules, ".bin", "domain-monitoring"), command, { mode: 0o755 });
}

module.exports = { destinations, HEALTHY, Rehearsal };
