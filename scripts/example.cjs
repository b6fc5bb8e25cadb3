"use strict";
// Runs one example on a local service: preview, deploy with its outputs, deploy again without
// changes, the example's own changes, destroy, and what is in the service after each. Uses the
// `pulumi` command if it is on PATH, otherwise the offline engine.
//
//     npm run example                 lists the examples
//     npm run example -- quickstart   runs one
const fs = require("node:fs");
const os = require("node:os");
const path = require("node:path");
const { filesHolding } = require("./example/files-holding.cjs");
const { OTHERS, SETTINGS, usesPlugin } = require("./example/settings.cjs");
const { run } = require("./run.cjs");

const root = path.join(__dirname, "..");

/** The examples that this command runs with their `description`; the others with what they are. */
function examples() {
  const all = fs.readdirSync(path.join(root, "examples"), { withFileTypes: true });
  const names = all.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  return names.map((name) => {
    const file = path.join(root, "examples", name, "Pulumi.yaml");
    if (!fs.existsSync(file)) return { name, other: OTHERS[name] };
    const text = fs.readFileSync(file, "utf8");
    if (usesPlugin(text))
      return {
        name,
        other: `a program for the provider plugin: examples/${name}/README.md says how to run it`,
      };
    return { name, description: /^description: (.*)$/m.exec(text)?.[1] ?? "" };
  });
}

function list() {
  const lines = (some) =>
    some.map(({ name, description, other }) => `${name.padEnd(18)}  ${description ?? other}\n`);
  const isRun = ({ other }) => other === undefined;
  const [run, others] = [examples().filter(isRun), examples().filter((one) => !isRun(one))].map(
    lines,
  );
  process.stdout.write([...run, "\nNot run by this command:\n", ...others].join(""));
}

/** All that was said or would have been, which is searched for secrets at the end. */
let shown = "";
const note = (text) => {
  shown += text;
};
const write = (text) => {
  note(text);
  process.stdout.write(text);
};
const say = (text = "") => write(`${text}\n`);

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

/** A function that says what the accounts have, and what they were asked since its last call. */
function reporterOf(accounts) {
  const seen = new Set();
  return (heading, { listed }) => {
    const each = accounts.map((service) => service.channels());
    const byAccount =
      each.length > 1 ? `, by account: ${each.map(({ length }) => length).join(" and ")}` : "";
    say(`   ${heading}: ${each.flat().length}${byAccount}`);
    if (listed)
      for (const { label, type, id } of each.flat()) say(`   - ${label} (${type}), id ${id}`);
    const counts = {};
    for (const request of accounts
      .flatMap(({ requests }) => requests)
      .filter((one) => !seen.has(one))) {
      seen.add(request);
      const name = request.operation ?? `${request.method} ${request.path}`;
      counts[name] = (counts[name] ?? 0) + 1;
    }
    const asked = Object.entries(counts).map(([name, count]) => `${name} ${count}`);
    say(`   Requests: ${asked.join(", ") || "none"}\n`);
  };
}

async function play(stack, accounts, { lifecycle, refused, changes = [], report: isReported }) {
  const report = reporterOf(accounts);
  const [service] = accounts;
  const first = refused
    ? [
        [refused.title, () => stack.refusedPreview()],
        [
          refused.mended,
          () => {
            refused.mend(service);
            return stack.up();
          },
        ],
      ]
    : [
        ["Preview: what would be deployed", () => stack.preview()],
        ["Deploy, with the stack's outputs", () => stack.up()],
      ];
  const steps = [
    ...first,
    ["Deploy again: nothing changes", () => stack.upAgain()],
    ...changes.map(({ title, config }) => [
      title,
      () => stack.configure(config).then(() => stack.up()),
    ]),
  ];
  if (isReported) steps.push(["Report on the whole account", () => showReport(service)]);
  // What changes in place has to be seen, not only counted.
  const listed = changes.length > 0;
  if (listed) report("Channels in the service before", { listed });
  for (const [index, [title, run]] of steps.entries()) {
    say(`${index + 1}. ${title}`);
    await run();
    report("Channels in the service", { listed });
  }
  const destroyed =
    lifecycle === "managed"
      ? "managed channels are deleted"
      : "the service documents no way to delete a channel, so each one that stays is named";
  say(`${steps.length + 1}. Destroy: ${destroyed}`);
  await stack.destroy();
  report("Channels that stay behind in the service", { listed: true });
}

/** The report as a pipeline makes it: it fails if a domain breaks a rule. */
async function showReport({ url, token }) {
  const command = path.join(root, "dist/cli/main.js");
  const env = {
    ...process.env,
    DOMAIN_MONITORING_BASE_URL: url,
    DOMAIN_MONITORING_API_TOKEN: token,
  };
  await run(process.execPath, [command, "report", "--all"], { env, onOutput: write });
}

function checkNothingLeaked(directory, secrets) {
  const places = filesHolding(directory, secrets);
  if (secrets.some((secret) => shown.includes(secret))) places.unshift("the output");
  if (places.length > 0) throw new Error(`a secret was found in clear in ${places.join(", ")}`);
  say(
    "The token and the destinations are secret in the state, and not in the logs or this output.",
  );
}

async function runExample(name) {
  // The list needs no build and none of this.
  const { startEmulator } = require("domain-monitoring-emulator");
  const { chooseEngine } = require("./example/engines.cjs");
  const engine = chooseEngine();
  const directory = fs.mkdtempSync(path.join(os.tmpdir(), "domain-monitoring-example-"));
  const other = await startEmulator();
  const settings = SETTINGS[name]({ other });
  const own = await startEmulator({ lifecycle: settings.lifecycle });
  let stack;
  try {
    say(`Engine: ${engine.name} (${engine.why})`);
    const { secrets = {}, accounts = [], environment = {} } = settings;
    const config = { ...settings.config, ...settings.prepare?.(own) };
    const held = own.channels().length === 0 ? "no channels" : "a channel";
    say(`Local service: ${own.url}, with example domains and ${held}\n`);
    stack = await engine.start({
      project: copyExample(name, directory),
      directory,
      stack: "example",
      config,
      secrets,
      note,
      write,
      environment: {
        ...environment,
        DOMAIN_MONITORING_BASE_URL: own.url,
        DOMAIN_MONITORING_API_TOKEN: own.token,
        // `npm run typecheck` checks the types of every example, which takes longer than the rest
        // of a run.
        PULUMI_NODEJS_TRANSPILE_ONLY: "true",
      },
    });
    await play(stack, [own, ...accounts], settings);
    checkNothingLeaked(directory, [
      own.token,
      other.token,
      ...Object.values({ ...secrets, ...environment }),
    ]);
  } finally {
    await stack?.close();
    await Promise.all([own.close(), other.close()]);
    fs.rmSync(directory, { recursive: true, force: true });
  }
}

async function main([name]) {
  if (name === undefined) return list();
  const example = examples().find((one) => one.name === name);
  if (!example) throw new Error(`there is no example ${name}: \`npm run example\` lists them`);
  if (example.other) throw new Error(`${name} is ${example.other}`);
  await runExample(name);
}

main(process.argv.slice(2)).catch((error) => {
  process.stderr.write(`example: ${error.message}\n`);
  process.exitCode = 1;
});
