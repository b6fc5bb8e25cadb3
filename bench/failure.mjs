/** `npm run bench:failure`: a preview that fails, compared with one that succeeds, for each kind of failure. See README.md. */
import { readFileSync, rmSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { example, withProject } from "./deploy/project.mjs";
import { realEngine } from "./deploy/real-engine.mjs";
import { bounded, withChild } from "./lib/children.mjs";
import { circumstances, publish, table } from "./lib/report.mjs";
import { median, ratios, rotated, spread } from "./lib/statistics.mjs";

const SUCCESS = "success";
const PRELOAD = fileURLToPath(new URL("failure/peak.cjs", import.meta.url));
/** Clock ticks per second in /proc, the same on every Linux. */
const TICKS = 100;

const { values } = parseArgs({
  options: {
    rounds: { type: "string", default: "5" },
    minutes: { type: "string", default: "30" },
    kinds: { type: "string" },
    as: { type: "string", default: "failing programs" },
  },
});
const version = realEngine.version();
if (version === undefined) throw new Error("there is no `pulumi` command on PATH");
const signal = bounded(Number(values.minutes));

await withChild(
  fileURLToPath(new URL("failure/services.mjs", import.meta.url)),
  { signal },
  async (services) => {
    const { token, ...addresses } = services;
    const kinds = values.kinds?.split(",") ?? Object.keys(addresses).filter((kind) => kind !== SUCCESS);
    const runs = Object.fromEntries([SUCCESS, ...kinds].map((kind) => [kind, []]));
    for (let round = 0; round < Number(values.rounds); round++) {
      for (const kind of rotated([SUCCESS, ...kinds], round)) {
        const run = await preview(addresses[kind], token, kind === SUCCESS);
        process.stdout.write(
          `round ${round + 1}, ${kind}: ${run.cpu.toFixed(1)} s, ${run.memory.toFixed(0)} MiB\n`,
        );
        runs[kind].push(run);
      }
    }
    publish(values.as, report(runs));
  },
);

/** One preview of the quickstart on a new stack: CPU time of all its processes, peak memory of the program. */
async function preview(baseUrl, token, succeeds) {
  return await withProject(example("quickstart"), async (place) => {
    const peaks = path.join(place.directory, "peaks");
    const project = "domain-monitoring-quickstart";
    const stack = await realEngine.open(
      place,
      {
        config: {
          [`${project}:domainId`]: "11111111-1111-4111-8111-111111111111",
          "domain-monitoring:baseUrl": baseUrl,
          "domain-monitoring:timeoutSeconds": "10",
        },
        secrets: {
          "domain-monitoring:apiToken": token,
          [`${project}:email`]: "desk@example.com",
          [`${project}:slackUrl`]: "https://hooks.slack.com/services/bench",
          [`${project}:webhookUrl`]: "https://automation.example.com/bench",
        },
        environment: { BENCH_PEAKS: peaks, NODE_OPTIONS: `--require ${PRELOAD}` },
      },
      signal,
    );
    const before = childrenSeconds();
    const failure = await stack.preview().then(
      () => undefined,
      (error) => error,
    );
    const cpu = childrenSeconds() - before;
    signal.throwIfAborted();
    if ((failure === undefined) !== succeeds)
      throw new Error(`the preview was to ${succeeds ? "succeed" : "fail"}`, { cause: failure });
    const memory = Math.max(...readFileSync(peaks, "utf8").trim().split("\n").map(Number)) / 1024;
    rmSync(peaks);
    return { cpu, memory };
  });
}

/** CPU time of all descendants of this process that have ended and were waited for. Linux only. */
function childrenSeconds() {
  const stat = readFileSync("/proc/self/stat", "utf8");
  // The command in parentheses may contain spaces; cutime and cstime are fields 16 and 17 of all, 14 and 15 after it.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[13]) + Number(fields[14])) / TICKS;
}

function report(runs) {
  const row = ([kind, list]) => {
    const cells = ["cpu", "memory"].map((name) => {
      const [own, success] = [list, runs[SUCCESS]].map((of) => of.map((run) => run[name]));
      return [median(own).toFixed(name === "cpu" ? 2 : 0), spread(ratios(own, success), 2)];
    });
    return [kind, ...cells.flat()];
  };
  const header = ["preview", "CPU, s", "of success", "peak memory, MiB", "of success"];
  return [
    circumstances("npm run bench:failure"),
    `Version ${version}; median of ${runs[SUCCESS].length} interleaved rounds.`,
    "",
    table(header, Object.entries(runs).map(row)),
  ].join("\n");
}
