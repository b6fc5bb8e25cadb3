/** `npm run bench -- deploy`: our resource in its forms, and an empty one. See README.md. */
import { parseArgs } from "node:util";
import { startEmulator } from "domain-monitoring-emulator";
import { openOffline, openReal, realEngineVersion } from "./deploy/engines.mjs";
import { withProject } from "./deploy/project.mjs";
import { circumstances, publish, table } from "./lib/report.mjs";
import { median, ratios, rotated, spread } from "./lib/statistics.mjs";

const DOMAIN = "11111111-1111-4111-8111-111111111111";

/**
 * By the name in the table: the form in `deploy/project/program.cjs`, and the engine that runs it.
 * Ratios are those of the first.
 */
const CONTENDERS = {
  ours: { form: "ours", open: openReal },
  plugin: { form: "plugin", open: openReal },
  floor: { form: "floor", open: openReal },
  "ours, offline engine": { form: "ours", open: openOffline },
};
const NAMES = Object.keys(CONTENDERS);

/** What is measured, with its column; the last is no duration. */
const MEASURES = {
  up: "`up`, s",
  noop: "`up` without changes, s",
  destroy: "`destroy`, s",
  stateBytes: "state, bytes per channel",
};

const { values } = parseArgs({
  options: {
    sizes: { type: "string", default: "1,10,100,1000" },
    rounds: { type: "string" },
  },
});
if (realEngineVersion() === undefined) throw new Error("there is no `pulumi` command on PATH");

const service = await startEmulator();
try {
  for (const size of values.sizes.split(",").map(Number)) {
    const runs = await measure(size, Number(values.rounds ?? (size >= 1000 ? 1 : 3)));
    publish(`deployments, ${size} channels`, report(size, runs));
  }
} finally {
  await service.close();
}

/** Alternates all contenders in each round, so that load on the machine affects them all. */
async function measure(size, rounds) {
  const runs = Object.fromEntries(NAMES.map((name) => [name, []]));
  for (let round = 0; round < rounds; round++) {
    for (const name of rotated(NAMES, round)) {
      const run = await deploy(CONTENDERS[name], size);
      runs[name].push(run);
      process.stdout.write(
        `${size} channels, round ${round + 1}, ${name}: up ${run.up.toFixed(1)} s\n`,
      );
    }
  }
  return runs;
}

/** The whole life of a program on a new stack: what MEASURES has, in seconds and bytes. */
async function deploy({ form, open }, size) {
  return await withProject(async (place) => {
    const stack = await open(place, {
      config: {
        "bench:form": form,
        "bench:count": String(size),
        "bench:domainId": DOMAIN,
        "domain-monitoring:baseUrl": service.url,
      },
      secrets: { "domain-monitoring:apiToken": service.token },
    });
    try {
      const before = service.channels().length;
      const up = await timed(stack.up);
      const created = service.channels().length - before;
      if (created !== (form === "floor" ? 0 : size))
        throw new Error(`${form} created ${created} channels`);
      const stateBytes = stack.stateBytes() / size;
      return { up, stateBytes, noop: await timed(stack.noop), destroy: await timed(stack.destroy) };
    } finally {
      await stack.close?.();
    }
  });
}

async function timed(operation) {
  const start = performance.now();
  await operation();
  return (performance.now() - start) / 1000;
}

function report(size, runs) {
  const of = (name, measure) => runs[name].map((run) => run[measure]);
  const rows = NAMES.map((name) => [
    name,
    ...Object.keys(MEASURES).map((measure) =>
      median(of(name, measure)).toFixed(measure === "stateBytes" ? 0 : 2),
    ),
    spread(ratios(of(NAMES[0], "up"), of(name, "up")), 2),
  ]);
  const rounds = runs.ours.length;
  return [
    circumstances(`npm run bench -- deploy --sizes ${size}`),
    `Version ${realEngineVersion()}; ${rounds === 1 ? "one round" : `median of ${rounds} interleaved rounds`}.`,
    "",
    table(["", ...Object.values(MEASURES), "`up` of ours / its `up`"], rows),
  ].join("\n");
}
