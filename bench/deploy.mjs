/** `npm run bench -- deploy`: our resource, a first author's and an empty one. See README.md. */
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { offlineEngine } from "./deploy/offline-engine.mjs";
import { MemoryWatch } from "./deploy/processes.mjs";
import { benchProgram, withProject } from "./deploy/project.mjs";
import { realEngine } from "./deploy/real-engine.mjs";
import { ask, bounded, withChild } from "./lib/children.mjs";
import { circumstances, publish, table } from "./lib/report.mjs";
import { median, ratios, rotated, spread } from "./lib/statistics.mjs";

const DOMAIN = "11111111-1111-4111-8111-111111111111";
const OPERATIONS = ["up", "noop", "destroy"];
const PROGRAMS = ["ours", "first-author", "floor"];
const TITLES = { ours: "ours", "first-author": "first author", floor: "floor" };
const ENGINES = { real: realEngine, offline: offlineEngine };

const { values } = parseArgs({
  options: {
    sizes: { type: "string", default: "10,100,1000" },
    engines: { type: "string", default: "real,offline" },
    rounds: { type: "string" },
    minutes: { type: "string", default: "30" },
  },
});
const say = (line) => process.stdout.write(`${line}\n`);
const signal = bounded(Number(values.minutes));

await withChild(fileURLToPath(new URL("deploy/service.mjs", import.meta.url)), { signal }, measureAll);

async function measureAll(service, child) {
  const count = () => ask(child, "count");
  const engines = values.engines.split(",").map((name) => ENGINES[name]);
  const present = engines.filter((engine) => engine.version() !== undefined);
  for (const engine of engines.filter((engine) => !present.includes(engine)))
    say(`${engine.name}: skipped, there is no \`pulumi\` command on PATH`);
  for (const size of values.sizes.split(",").map(Number)) {
    const runs = await measure(present, size, service, count);
    for (const engine of present) {
      // Half a table would take the place of a whole one.
      const whole = PROGRAMS.every((program) => runs[engine.name][program].length > 0);
      if (whole) publish(`${engine.name}, ${size} channels`, report(engine, size, runs));
    }
  }
}

/** Alternates all programs and engines in each round, so that load on the machine affects them all. */
async function measure(engines, size, service, count) {
  const rounds = Number(values.rounds ?? (size >= 1000 ? 1 : 3));
  const none = () => Object.fromEntries(PROGRAMS.map((program) => [program, []]));
  const runs = Object.fromEntries(engines.map((engine) => [engine.name, none()]));
  for (const { engine, program, round } of turns(engines, rounds)) {
    if (signal.aborted) continue;
    const title = `${engine.name}, ${size} channels, round ${round + 1}, ${TITLES[program]}`;
    try {
      const run = await runOnce(engine, program, size, service, count);
      runs[engine.name][program].push(run);
      say(`${title}: ${OPERATIONS.map((name) => `${name} ${run[name].toFixed(1)} s`).join(", ")}`);
    } catch (error) {
      if (!signal.aborted) throw error;
      say(`${title}: left out, ${signal.reason.message}`);
    }
  }
  return runs;
}

/** The order of the runs: each round begins with another program and another engine. */
function* turns(engines, rounds) {
  for (let round = 0; round < rounds; round++)
    for (const program of rotated(PROGRAMS, round))
      for (const engine of rotated(engines, round)) yield { engine, program, round };
}

/** Runs the whole lifecycle of one program on a new stack. */
async function runOnce(engine, name, size, service, count) {
  return await withProject(benchProgram(name), async (place) => {
    const settings = {
      config: {
        "bench:count": String(size),
        "bench:domainId": DOMAIN,
        "domain-monitoring:baseUrl": service.url,
      },
      secrets: { "domain-monitoring:apiToken": service.token },
    };
    const stack = await engine.open(place, settings, signal);
    const memory = new MemoryWatch(place.directory);
    try {
      const before = (await count()).channels;
      const run = { up: await timed(stack.up) };
      const created = (await count()).channels - before;
      if (created !== (name === "floor" ? 0 : size)) throw new Error(`${name} created ${created} channels`);
      run.stateBytes = stack.stateBytes() / size;
      run.noop = await timed(stack.noop);
      run.destroy = await timed(stack.destroy);
      return { ...run, memory: memory.peaks };
    } finally {
      memory.stop();
      await stack.close();
    }
  });
}

async function timed(operation) {
  const start = performance.now();
  await operation();
  return (performance.now() - start) / 1000;
}

function report(engine, size, allRuns) {
  const runs = allRuns[engine.name];
  const column = (program, pick) => runs[program].map(pick);
  const middle = (list, digits) => (list.length === 0 ? "" : median(list).toFixed(digits));
  const header = ["", ...PROGRAMS.map((program) => TITLES[program]), "ours / first author", "ours / floor"];
  const row = (title, pick, digits) => {
    const [ours, firstAuthor, floor] = PROGRAMS.map((program) => column(program, pick));
    const against = (others) => spread(ratios(ours, others), 2);
    return [
      title,
      ...[ours, firstAuthor, floor].map((list) => middle(list, digits)),
      against(firstAuthor),
      against(floor),
    ];
  };
  const rows = [
    row("`up`, s", (run) => run.up, 2),
    row("`up` without changes, s", (run) => run.noop, 2),
    row("`destroy`, s", (run) => run.destroy, 2),
    row(engine.stateMeasure, (run) => run.stateBytes, 0),
  ];
  for (const role of ["provider", "program"]) {
    const seen = PROGRAMS.every((program) => runs[program].every((run) => run.memory[role] > 0));
    if (seen) rows.push(row(`peak memory of the ${role} process, MiB`, (run) => run.memory[role], 0));
  }
  const rounds = runs.ours.length;
  return [
    circumstances(`npm run bench -- deploy --sizes ${size}`),
    `Version ${engine.version()}; ${rounds === 1 ? "one round" : `median of ${rounds} interleaved rounds`}.`,
    "",
    table(header, rows),
    ...comparison(allRuns),
  ].join("\n");
}

/** Our durations on the offline engine, divided by those on the real one in the same round. */
function comparison(allRuns) {
  const [real, offline] = [realEngine, offlineEngine].map((engine) => allRuns[engine.name]?.ours ?? []);
  if (real.length === 0 || real.length !== offline.length) return [];
  const part = (name) =>
    `${name} ${spread(
      ratios(
        offline.map((run) => run[name]),
        real.map((run) => run[name]),
      ),
      2,
    )}`;
  return ["", `Ours on the offline engine / on the real one, seconds: ${OPERATIONS.map(part).join(", ")}.`];
}
