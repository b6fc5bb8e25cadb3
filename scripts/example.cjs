"use strict";
// Runs one example on a local service: preview, deploy with its outputs, deploy again without changes, destroy, and list
// what stays in the service. Uses the `pulumi` command if it is on PATH, otherwise the offline engine.
//
//     npm run example                                       lists the examples
//     npm run example -- component [--engine cli|offline]   runs one
const fs = require("node:fs");
const os = require("node:os");
const path = require("node:path");
const { parseArgs } = require("node:util");

const { startEmulator } = require("../dist/testing/index.js");
const { chooseEngine } = require("./example/engines.cjs");
const { SETTINGS, usesPlugin } = require("./example/settings.cjs");
const { filesHolding } = require("./files-holding.cjs");

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
  for (const { name, description } of examples())
    process.stdout.write(`${name.padEnd(16)}  ${description}\n`);
}

function checkNothingLeaked(directory, secrets, output) {
  const holding = filesHolding(directory, secrets);
  const places = secrets.some((secret) => output.shown.includes(secret))
    ? ["the output", ...holding]
    : holding;
  if (places.length > 0) throw new Error(`a secret was found in clear in ${places.join(", ")}`);
  output.say("\nNeither the token nor a destination is in the state, the logs or this output.");
}

async function play(stack, service, output, { lifecycle }) {
  const inService = (heading) => output.say(`   ${heading}: ${service.channels().length}\n`);
  output.say("1. Preview: what would be deployed");
  await stack.preview();
  inService("Channels in the service");
  output.say("2. Deploy, with the stack's outputs");
  await stack.up();
  inService("Channels in the service");
  output.say("3. Deploy again: nothing changes");
  await stack.upAgain();
  inService("Channels in the service");
  const destroys =
    lifecycle === "managed"
      ? "managed channels are deleted"
      : "this package cannot delete a channel, so each one that stays is named";
  output.say(`4. Destroy: ${destroys}`);
  await stack.destroy();
  output.say(`   Channels that stay behind in the service: ${service.channels().length}`);
  for (const { label, type, id } of service.channels()) output.say(`   - ${label} (${type}), id ${id}`);
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
    output.say(`Local service: ${own.url}, with example domains and no channels\n`);
    const environment = {
      ...settings.environment,
      DOMAIN_MONITORING_BASE_URL: own.url,
      DOMAIN_MONITORING_API_TOKEN: own.token,
    };
    const project = copyExample(name, directory);
    stack = await engine.start({ ...settings, project, environment, directory, stack: "example", output });
    await play(stack, own, output, settings);
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
  const { values, positionals } = parseArgs({
    options: { engine: { type: "string" } },
    allowPositionals: true,
  });
  const [name] = positionals;
  if (name === undefined) return list();
  if (programs().some((program) => program.name === name && usesPlugin(program.text)))
    throw new Error(`${name} needs the provider plugin: examples/${name}/README.md says how to run it`);
  if (!Object.hasOwn(SETTINGS, name))
    throw new Error(`there is no example ${name}: \`npm run example\` lists them`);
  await run(name, chooseEngine(values.engine));
}

main().catch((error) => {
  process.stderr.write(`example: ${error.message}\n`);
  process.exitCode = 1;
});
