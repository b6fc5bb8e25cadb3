/** `npm run bench -- plugin`: the provider plugin and the dynamic provider, as processes and in whole programs. See README.md. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
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
const HEADER = ["", "plugin", "dynamic", "plugin / dynamic"];
/** The programs in `deploy/programs`. */
const PROGRAMS = { plugin: "plugin", dynamic: "ours" };

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
if (realEngine.version() === undefined) say("The programs are skipped: there is no `pulumi` command on PATH");
else
  await withChild(fileURLToPath(new URL("deploy/service.mjs", import.meta.url)), { signal }, measurePrograms);

/** Each form in turn, each round in another order. */
async function interleaved(rounds, run) {
  const runs = Object.fromEntries(FORMS.map((form) => [form, []]));
  for (let round = 0; round < rounds && !signal.aborted; round++)
    for (const form of rotated(FORMS, round)) runs[form].push(await run(form, round));
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
  const runs = await interleaved(rounds, start);
  const rows = [
    row("start until the port is printed, ms", runs, ({ milliseconds }) => milliseconds, 0),
    row("resident memory then, MiB", runs, ({ mebibytes }) => mebibytes, 0),
  ];
  publish(
    "plugin, process",
    [
      circumstances("npm run bench -- plugin"),
      `Median of ${rounds} interleaved starts (minimum to maximum).`,
      "",
      table(HEADER, rows),
    ].join("\n"),
  );
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
