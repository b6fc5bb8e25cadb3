"use strict";
// The main job on a fresh machine: start the local service, preview and deploy examples/quickstart, show its outputs,
// deploy again without a change, destroy, and say what stays behind in the service.
// With a `pulumi` command on PATH that engine runs it, else the offline engine; `--engine cli|offline` chooses.
const { spawnSync, spawn } = require("node:child_process");
const fs = require("node:fs");
const os = require("node:os");
const path = require("node:path");
const { parseArgs } = require("node:util");

const { startEmulator, TestStack } = require("../dist/testing/index.js");
const { filesHolding } = require("./files-holding.cjs");

const root = path.join(__dirname, "..");
const destinations = {
  slackUrl: "https://hooks.slack.com/services/T000/B000/quickstart-destination",
  email: "registrar-quickstart-destination@example.com",
  webhookUrl: "https://automation.example.com/quickstart-destination",
};

/** Everything that was shown, for the search at the end. */
let shown = "";

function say(text = "") {
  shown += `${text}\n`;
  process.stdout.write(`${text}\n`);
}

function chooseEngine(asked) {
  const version = spawnSync("pulumi", ["version"], { encoding: "utf8" });
  const found = version.status === 0;
  if (asked === "cli" && !found)
    throw new Error("there is no `pulumi` command on PATH: install it or choose --engine offline");
  if (asked === "offline") return { name: "offline", why: "you chose --engine offline" };
  if (found) return { name: "cli", why: `\`pulumi\` ${version.stdout.trim()} is on PATH` };
  return {
    name: "offline",
    why: "there is no `pulumi` command on PATH; this test engine runs the same program and provider",
  };
}

/** A copy of the example, as the engine writes its stack's settings beside the program. */
function copyExample(directory) {
  const project = path.join(directory, "project");
  fs.cpSync(path.join(root, "examples", "quickstart"), project, { recursive: true });
  fs.symlinkSync(path.join(root, "node_modules"), path.join(project, "node_modules"), "junction");
  return project;
}

/** The real engine, with everything of its own in a temporary directory: nothing of the user's is read or changed. */
async function withCli(project, config, environment, directory) {
  fs.mkdirSync(path.join(directory, "state"));
  const env = {
    ...process.env,
    ...environment,
    PULUMI_HOME: path.join(directory, "home"),
    PULUMI_BACKEND_URL: `file://${path.join(directory, "state")}`,
    PULUMI_CONFIG_PASSPHRASE: "quickstart",
    PULUMI_SKIP_UPDATE_CHECK: "true",
    PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION: "true",
    PULUMI_OPTION_NON_INTERACTIVE: "true",
    PULUMI_OPTION_COLOR: "never",
  };
  const pulumi = (args, { input = "", quiet = false } = {}) =>
    new Promise((resolve, reject) => {
      const child = spawn("pulumi", args, { cwd: project, env });
      child.stdin.end(input);
      let printed = "";
      for (const stream of [child.stdout, child.stderr]) {
        stream.setEncoding("utf8").on("data", (text) => {
          shown += text;
          printed += text;
          if (!quiet) process.stdout.write(text);
        });
      }
      child.on("error", reject);
      child.on("close", (code) =>
        code === 0
          ? resolve()
          : reject(
              new Error(`pulumi ${args[0]} ended with exit code ${code}\n${quiet ? printed : ""}`.trim()),
            ),
      );
    });
  await pulumi(["stack", "init", "quickstart"], { quiet: true });
  for (const [key, value] of Object.entries(config.clear))
    await pulumi(["config", "set", key, value], { quiet: true });
  for (const [key, value] of Object.entries(config.secret)) {
    await pulumi(["config", "set", "--secret", key], { input: value, quiet: true });
  }
  return {
    preview: () => pulumi(["preview", "--suppress-outputs"]),
    up: () => pulumi(["up", "--yes", "--skip-preview"]),
    upAgain: () => pulumi(["up", "--yes", "--skip-preview", "--suppress-outputs", "--expect-no-changes"]),
    destroy: () => pulumi(["destroy", "--yes", "--skip-preview"]),
    close: async () => {},
  };
}

/** The offline engine. */
async function withOfflineEngine(project, config, environment) {
  const stack = await TestStack.create({
    workDir: project,
    stack: "quickstart",
    config: config.clear,
    secrets: config.secret,
    env: environment,
  });
  const show = (result) => {
    for (const { severity, message } of result.diagnostics)
      if (severity !== "debug") say(`  ${severity}: ${message}`);
    const changes = Object.entries(result.changes).map(([operation, count]) => `${operation} ${count}`);
    say(`  Resources: ${changes.join(", ") || "none"}`);
    return result;
  };
  return {
    preview: async () => show(await stack.preview()),
    up: async () => {
      const { outputs } = show(await stack.up());
      for (const [name, { value, secret }] of Object.entries(outputs)) {
        say(`  ${name}: ${secret ? "[secret]" : JSON.stringify(value)}`);
      }
    },
    upAgain: async () => {
      const { changes } = show(await stack.up());
      const others = Object.keys(changes).filter((operation) => operation !== "same");
      if (others.length > 0)
        throw new Error(`the second deploy was to change nothing, but did: ${others.join(", ")}`);
    },
    destroy: async () => show(await stack.destroy()),
    close: () => stack.close(),
  };
}

async function main() {
  const { values } = parseArgs({ options: { engine: { type: "string" } } });
  if (values.engine && !["cli", "offline"].includes(values.engine))
    throw new Error("--engine takes cli or offline");
  const engine = chooseEngine(values.engine);
  const directory = fs.mkdtempSync(path.join(os.tmpdir(), "domain-monitoring-quickstart-"));
  const service = await startEmulator();
  let stack;
  try {
    say(`Engine: ${engine.name} (${engine.why})`);
    say(`Local service: ${service.url}, with example domains and no channels\n`);
    const config = { clear: { domainId: "11111111-1111-4111-8111-111111111111" }, secret: destinations };
    const environment = {
      DOMAIN_MONITORING_BASE_URL: service.url,
      DOMAIN_MONITORING_API_TOKEN: service.token,
    };
    const project = copyExample(directory);
    stack = await (engine.name === "cli" ? withCli : withOfflineEngine)(
      project,
      config,
      environment,
      directory,
    );

    say("1. Preview: what would be deployed");
    await stack.preview();
    say(`   Channels in the service: ${service.channels().length}\n`);
    say("2. Deploy: three channels; the domain's expiry and changes as stack outputs");
    await stack.up();
    say(`   Channels in the service: ${service.channels().length}\n`);
    say("3. Deploy again: nothing changes");
    await stack.upAgain();
    say(`   Channels in the service: ${service.channels().length}\n`);
    say("4. Destroy: the service has no way to delete a channel, so each one that stays is named");
    await stack.destroy();
    say(`   Channels that stay behind in the service: ${service.channels().length}`);
    for (const { label, type, id } of service.channels()) say(`   - ${label} (${type}), id ${id}`);

    const secrets = [service.token, ...Object.values(destinations)];
    const holding = filesHolding(directory, secrets);
    if (holding.length > 0 || secrets.some((secret) => shown.includes(secret))) {
      throw new Error(
        `a secret was found in clear in the output or in: ${holding.join(", ") || "the output"}`,
      );
    }
    say("\nNeither the token nor a destination is in the state, the logs or this output.");
  } finally {
    await stack?.close();
    await service.close();
    fs.rmSync(directory, { recursive: true, force: true });
  }
}

main().catch((error) => {
  process.stderr.write(`quickstart: ${error.message}\n`);
  process.exitCode = 1;
});
