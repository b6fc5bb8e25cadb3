"use strict";
// Runs one example on a local service: preview, deploy with its outputs, deploy again without changes, the example's own changes,
// destroy, and what is in the service after each. Uses the `pulumi` command if it is on PATH, otherwise the offline engine.
//
//     npm run example                 lists the examples
//     npm run example -- component    runs one
const fs = require("node:fs");
const os = require("node:os");
const path = require("node:path");

const { startEmulator } = require("../dist/testing/index.js");
const { chooseEngine } = require("./example/engines.cjs");
const { OTHERS, SETTINGS, usesPlugin } = require("./example/settings.cjs");
const { filesHolding } = require("./example/files-holding.cjs");

const root = path.join(__dirname, "..");

/** All output, which is searched for secrets at the end. */
class Output {
  shown = "";

  note(text) {
    this.shown += text;
  }

  write(text) {
    this.note(text);
    process.stdout.write(text);
  }

  say(text = "") {
    this.write(`${text}\n`);
  }
}

/** The examples that are Pulumi programs without the plugin, with the description of each. */
function examples() {
  return programs()
    .filter(({ text }) => !usesPlugin(text))
    .map(({ name, text }) => ({ name, description: /^description: (.*)$/m.exec(text)?.[1] ?? "" }));
}

function programs() {
  return fs
    .readdirSync(path.join(root, "examples"))
    .map((name) => ({ name, file: path.join(root, "examples", name, "Pulumi.yaml") }))
    .filter(({ file }) => fs.existsSync(file))
    .map(({ name, file }) => ({ name, text: fs.readFileSync(file, "utf8") }));
}

/** Copies the example, as the engine writes the stack's settings next to the program. */
function copyExample(name, directory) {
  const project = path.join(directory, "project");
  fs.cpSync(path.join(root, "examples", name), project, {
    recursive: true,
    filter: (source) => path.basename(source) !== "node_modules",
  });
  fs.symlinkSync(path.join(root, "node_modules"), path.join(project, "node_modules"), "junction");
  return project;
}

function list() {
  const line = (name, text) => process.stdout.write(`${name.padEnd(18)}  ${text}\n`);
  for (const { name, description } of examples()) line(name, description);
  process.stdout.write("\nNot run by this command:\n");
  for (const [name, text] of Object.entries(OTHERS)) line(name, text);
  const plugin = programs().filter(({ text }) => usesPlugin(text));
  for (const { name } of plugin) line(name, needsPlugin(name));
}

function needsPlugin(name) {
  return `needs the provider plugin: examples/${name}/README.md says how to run it`;
}

function checkNothingLeaked(directory, secrets, output) {
  const holding = filesHolding(directory, secrets);
  const places = secrets.some((secret) => output.shown.includes(secret))
    ? ["the output", ...holding]
    : holding;
  if (places.length > 0) throw new Error(`a secret was found in clear in ${places.join(", ")}`);
  output.say("Neither the token nor a destination is in the state, the logs or this output.");
}

async function play(stack, accounts, output, { lifecycle, changes = [] }) {
  const channels = () => accounts.flatMap((service) => service.channels());
  const inService = (heading, listed) => {
    const each = accounts.map((service) => service.channels().length);
    const byAccount = each.length > 1 ? `, by account: ${each.join(" and ")}` : "";
    output.say(`   ${heading}: ${channels().length}${byAccount}`);
    if (listed) for (const { label, type, id } of channels()) output.say(`   - ${label} (${type}), id ${id}`);
    output.say(`   Requests: ${requests()}`);
    output.say();
  };
  const seen = accounts.map(() => 0);
  /** Those since the last call, by operation. */
  const requests = () => {
    const counts = {};
    for (const [index, { requests: all }] of accounts.entries()) {
      for (const { operation, method, path } of all.slice(seen[index])) {
        const name = operation ?? `${method} ${path}`;
        counts[name] = (counts[name] ?? 0) + 1;
      }
      seen[index] = all.length;
    }
    return (
      Object.entries(counts)
        .map(([name, count]) => `${name} ${count}`)
        .join(", ") || "none"
    );
  };
  const destroys =
    lifecycle === "managed"
      ? "managed channels are deleted"
      : "this package cannot delete a channel, so each one that stays is named";
  const steps = [
    ["Preview: what would be deployed", () => stack.preview()],
    ["Deploy, with the stack's outputs", () => stack.up()],
    ["Deploy again: nothing changes", () => stack.upAgain()],
    ...changes.map(({ title, config = {}, act }) => [
      title,
      async () => {
        act?.(accounts[0]);
        await stack.configure(config);
        await stack.up();
      },
    ]),
  ];
  // What changes in place has to be seen, not only counted.
  const changing = changes.length > 0;
  if (changing) inService("Channels in the service before", changing);
  for (const [index, [title, run]] of steps.entries()) {
    output.say(`${index + 1}. ${title}`);
    await run();
    inService("Channels in the service", changing);
  }
  output.say(`${steps.length + 1}. Destroy: ${destroys}`);
  await stack.destroy();
  inService("Channels that stay behind in the service", true);
}

async function run(name, engine) {
  const output = new Output();
  const directory = fs.mkdtempSync(path.join(os.tmpdir(), "domain-monitoring-example-"));
  const other = await startEmulator();
  const settings = SETTINGS[name]({ other });
  const own = await startEmulator({ lifecycle: settings.lifecycle });
  let stack;
  try {
    output.say(`Engine: ${engine.name} (${engine.why})`);
    const config = { ...settings.config, ...settings.prepare?.(own) };
    const held = own.channels().length === 0 ? "no channels" : "a channel";
    output.say(`Local service: ${own.url}, with example domains and ${held}\n`);
    const environment = {
      ...settings.environment,
      DOMAIN_MONITORING_BASE_URL: own.url,
      DOMAIN_MONITORING_API_TOKEN: own.token,
      // `npm run typecheck` checks the types of every example, which takes longer than the rest of a run.
      PULUMI_NODEJS_TRANSPILE_ONLY: "true",
    };
    const project = copyExample(name, directory);
    const where = { project, environment, directory, stack: "example", output };
    stack = await engine.start({ ...settings, config, ...where });
    await play(stack, [own, ...(settings.accounts ?? [])], output, settings);
    const { secrets = {}, environment: destinations = {} } = settings;
    checkNothingLeaked(
      directory,
      [own.token, other.token, ...Object.values(secrets), ...Object.values(destinations)],
      output,
    );
  } finally {
    await stack?.close();
    await Promise.all([own.close(), other.close()]);
    fs.rmSync(directory, { recursive: true, force: true });
  }
}

async function main() {
  const [name] = process.argv.slice(2);
  if (name === undefined) return list();
  if (programs().some((program) => program.name === name && usesPlugin(program.text)))
    throw new Error(`${name} ${needsPlugin(name)}`);
  if (Object.hasOwn(OTHERS, name)) throw new Error(`${name} is ${OTHERS[name]}`);
  if (!Object.hasOwn(SETTINGS, name))
    throw new Error(`there is no example ${name}: \`npm run example\` lists them`);
  await run(name, chooseEngine());
}

main().catch((error) => {
  process.stderr.write(`example: ${error.message}\n`);
  process.exitCode = 1;
});
