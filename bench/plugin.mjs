/** `npm run bench -- plugin`: the provider plugin and the dynamic provider, as processes and in whole programs. See README.md. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { benchProgram, withProject } from "./deploy/project.mjs";
import { realEngine } from "./deploy/real-engine.mjs";
import { ask, bounded, withChild } from "./lib/children.mjs";
import { circumstances, publish, table } from "./lib/report.mjs";
import { median, ratios, rotated, spread } from "./lib/statistics.mjs";

const DOMAIN = "11111111-1111-4111-8111-111111111111";
const OPERATIONS = ["preview", "up", "noop", "destroy"];
const PLUGIN = fileURLToPath(new URL("../dist-plugin", import.meta.url));
/** What the engine starts for each form. */
const COMMANDS = {
  plugin: [`${PLUGIN}/pulumi-resource-domain-monitoring`],
  dynamic: [
    process.execPath,
    createRequire(import.meta.url).resolve("@pulumi/pulumi/cmd/dynamic-provider"),
    "127.0.0.1:1",
  ],
};
const FORMS = Object.keys(COMMANDS);
/** With Node inside. Only its process is measured, as it has the same code. */
const STANDALONE = fileURLToPath(
  new URL("../dist-standalone/pulumi-resource-domain-monitoring", import.meta.url),
);
const HEADER = ["", "plugin", "dynamic", "plugin / dynamic"];
/** The programs in `deploy/programs`. */
const PROGRAMS = { plugin: "plugin", dynamic: "ours" };

const { version } = createRequire(import.meta.url)("../package.json");
const { values } = parseArgs({
  options: {
    sizes: { type: "string", default: "1,100,1000" },
    rounds: { type: "string", default: "3" },
    starts: { type: "string", default: "9" },
    minutes: { type: "string", default: "30" },
  },
});
const say = (line) => process.stdout.write(`${line}\n`);
const signal = bounded(Number(values.minutes));

await measureStarts(Number(values.starts));
if (values.sizes === "") say("No programs, as no size is given");
else if (realEngine.version() === undefined)
  say("The programs are skipped: there is no `pulumi` command on PATH");
else
  await withChild(fileURLToPath(new URL("deploy/service.mjs", import.meta.url)), { signal }, measurePrograms);

/** Each form in turn, each round in another order. */
async function interleaved(rounds, run, forms = FORMS) {
  const runs = Object.fromEntries(forms.map((form) => [form, []]));
  for (let round = 0; round < rounds && !signal.aborted; round++)
    for (const form of rotated(forms, round)) runs[form].push(await run(form, round));
  return runs;
}

function row(title, runs, pick, digits) {
  const [plugin, dynamic] = FORMS.map((form) => runs[form].map(pick));
  return [
    title,
    ...[plugin, dynamic].map((list) => median(list).toFixed(digits)),
    spread(ratios(plugin, dynamic), 2),
  ];
}

async function measureStarts(rounds) {
  COMMANDS.standalone = [STANDALONE];
  const runs = await interleaved(rounds, start, [...FORMS, "standalone"]);
  const standalone = (pick) => median(runs.standalone.map(pick)).toFixed(0);
  const measured = (title, pick) => [...row(title, runs, pick, 0), standalone(pick)];
  const megabytes = (file) => (statSync(file).size / 1e6).toFixed(1);
  const rows = [
    measured("start until the port is printed, ms", ({ milliseconds }) => milliseconds),
    measured("resident memory then, MiB", ({ mebibytes }) => mebibytes),
    ["size, MB", megabytes(COMMANDS.plugin[0]), "", "", megabytes(STANDALONE)],
    ["size of the download, MB", megabytes(tarball("script")), "", "", megabytes(tarball("linux-amd64"))],
  ];
  publish(
    "plugin, process",
    [
      circumstances("npm run bench -- plugin"),
      `Median of ${rounds} interleaved starts (minimum to maximum).`,
      "",
      table([...HEADER, "plugin with Node inside"], rows),
    ].join("\n"),
  );
}

/** A form of the plugin as it is published. */
function tarball(suffix) {
  const name = `pulumi-resource-domain-monitoring-v${version}-${suffix}.tar.gz`;
  return fileURLToPath(new URL(`../dist-release/${name}`, import.meta.url));
}

async function start(form) {
  const [command, ...args] = COMMANDS[form];
  const begun = performance.now();
  const child = spawn(command, args, { stdio: ["pipe", "pipe", "ignore"], signal });
  const gone = once(child, "exit");
  try {
    await once(child.stdout, "data");
    const milliseconds = performance.now() - begun;
    const status = readFileSync(`/proc/${child.pid}/status`, "utf8");
    return { milliseconds, mebibytes: Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) / 1024 };
  } finally {
    child.kill("SIGKILL");
    await gone;
  }
}

async function measurePrograms(service, child) {
  for (const size of values.sizes.split(",").map(Number)) {
    const rounds = size >= 1000 ? 1 : Number(values.rounds);
    const runs = await interleaved(rounds, async (form, round) => {
      const run = await deploy(form, size, service, () => ask(child, "count"));
      say(`${size} channels, round ${round + 1}, ${form}: up ${run.up.toFixed(1)} s`);
      return run;
    });
    if (signal.aborted) return;
    const rows = OPERATIONS.map((name) => row(`\`${name}\`, s`, runs, (run) => run[name], 2));
    publish(
      `plugin, ${size} channels`,
      [
        circumstances(`npm run bench -- plugin --sizes ${size}`),
        `Version ${realEngine.version()}; ${rounds === 1 ? "one round" : `median of ${rounds} interleaved rounds`}.`,
        "",
        table(HEADER, [...rows, row(realEngine.stateMeasure, runs, (run) => run.stateBytes, 0)]),
      ].join("\n"),
    );
  }
}

/** The life of a program in one form, on a new stack. */
async function deploy(form, size, service, count) {
  return await withProject(
    benchProgram(PROGRAMS[form], form === "plugin" ? PLUGIN : undefined),
    async (place) => {
      const settings = {
        config: {
          "bench:count": String(size),
          "bench:domainId": DOMAIN,
          "domain-monitoring:baseUrl": service.url,
        },
        secrets: { "domain-monitoring:apiToken": service.token },
      };
      const stack = await realEngine.open(place, settings, signal);
      try {
        const before = (await count()).channels;
        const run = { preview: await timed(stack.preview), up: await timed(stack.up) };
        const created = (await count()).channels - before;
        if (created !== size) throw new Error(`${form} created ${created} channels`);
        run.stateBytes = stack.stateBytes() / size;
        run.noop = await timed(stack.noop);
        run.destroy = await timed(stack.destroy);
        return run;
      } finally {
        await stack.close();
      }
    },
  );
}

async function timed(operation) {
  const begun = performance.now();
  await operation();
  return (performance.now() - begun) / 1000;
}
