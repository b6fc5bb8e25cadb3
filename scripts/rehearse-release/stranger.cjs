"use strict";
// What a stranger does with a release and the next one, and how many channels the service has after each step.
const fs = require("node:fs");
const path = require("node:path");
const { openStack } = require("../real-engine.cjs");
const { succeed } = require("../run.cjs");
const { check, say } = require("./output.cjs");
const { writeProject } = require("./strangers.cjs");

const SLACK_URL = "https://hooks.slack.com/services/rehearsal";
const QUICK = ["--yes", "--skip-preview"];
const NONE_CHANGED = "--expect-no-changes";

/** One person's project and machine. */
class Stranger {
  constructor(name, kind, { directory, env, token }) {
    this.work = path.join(directory, "project");
    const [home, cache, gopath] = ["home", "cache", "go"].map((one) => path.join(directory, one));
    fs.mkdirSync(home, { recursive: true });
    const own = {
      HOME: home,
      XDG_CACHE_HOME: cache,
      NPM_CONFIG_CACHE: cache,
      GOPATH: gopath,
      GOCACHE: path.join(cache, "go"),
    };
    Object.assign(this, { name, kind, directory, env: { ...env, ...own }, token });
  }

  async install(version) {
    writeProject(this.work, this.kind, version);
    const command = this.kind.install(version);
    const { seconds } = await succeed("bash", ["-ec", command], { cwd: this.work, env: this.env });
    if (command !== "true") say(`${this.name}: ${command.replace(/\s*\n\s*/g, "; ")}`, seconds);
  }

  async open() {
    const pulumi = await openStack({
      project: this.work,
      directory: this.directory,
      stack: "test",
      env: this.env,
      config: { "domain-monitoring:baseUrl": this.service.url, ...this.kind.config },
      secrets: { "domain-monitoring:apiToken": this.token, slackUrl: SLACK_URL },
    });
    // The engine downloads the plugin, as everywhere but in tests.
    const env = { PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION: "false" };
    this.pulumi = (args, options) => pulumi(args, { env, ...options });
  }

  /** An operation, and how many channels the service has then. */
  async step(channels, ...args) {
    const { seconds } = await this.pulumi(args);
    const has = this.service.channels().length;
    if (has !== channels)
      throw new Error(`${this.name}: pulumi ${args[0]}: ${has} channels, not ${channels}`);
    say(
      `${this.name}: pulumi ${args.filter((arg) => !QUICK.includes(arg)).join(" ")}: ${has} channels`,
      seconds,
    );
  }

  /** All of it, on a service of its own. */
  async live(first, second) {
    const { startEmulator } = require("../../dist/testing/index.js");
    this.service = await startEmulator({ token: this.token, lifecycle: "managed" });
    try {
      await this.use(first, second);
    } finally {
      await this.service.close();
    }
  }

  async use(first, second) {
    await this.install(first);
    await this.open();
    await this.step(0, "preview");
    await this.step(1, "up", ...QUICK);
    await this.step(1, "up", ...QUICK, NONE_CHANGED);
    await this.step(1, "refresh", ...QUICK, NONE_CHANGED);
    await this.install(second);
    await this.step(1, "preview", NONE_CHANGED);
    await this.step(1, "up", ...QUICK, NONE_CHANGED);
    await this.install(first);
    await this.step(1, "preview", NONE_CHANGED);
    await this.refuse();
    await this.step(1, "destroy", ...QUICK);
    if (this.kind.dynamic) return;
    const plugins = fs.readdirSync(path.join(this.directory, "home/plugins")).sort();
    const downloaded = [first, second].map((version) => `resource-domain-monitoring-v${version}`);
    check(
      `${this.name}: the engine downloaded ${downloaded.join(" and ")}`,
      downloaded.every((name) => plugins.includes(name)),
    );
  }

  /** A program for a later version, with this one. */
  async refuse() {
    const { file, later, refusal } = this.kind;
    const program = path.join(this.work, file);
    const text = fs.readFileSync(program, "utf8");
    fs.writeFileSync(program, later(text));
    if (fs.readFileSync(program, "utf8") === text) throw new Error(`${this.name}: the program is as it was`);
    const { code, output } = await this.pulumi(["preview"], { mayFail: true });
    fs.writeFileSync(program, text);
    const line = output.split("\n").find((one) => one.includes(refusal));
    if (code === 0 || !line) throw new Error(`${this.name}: a later program is not refused:\n${output}`);
    say(`${this.name}: a program for a later version is refused: ${line.trim()}`);
  }
}

module.exports = { Stranger };
