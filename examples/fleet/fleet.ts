/**
 * Deploys the whole fleet: `npm run fleet -- [--preview] [--only STACK] [--parallel N] [--all]
 * [--json]`.
 */
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { parseArgs } from "node:util";
import { FleetFileError, readFleet, type Shard } from "./fleet-file";
import { RunRecord } from "./record";
import { type Outcome, rollOut } from "./rollout";

const USAGE = `Usage: npm run fleet -- [options]

  --file FILE      the fleet (default: domains.yaml)
  --preview        show what would be done, and do nothing
  --only STACK     this stack alone; can be repeated
  --parallel N     stacks at a time, 1 to 64 (default: 4)
  --all            also stacks whose inputs are what the last run deployed
  --record FILE    what earlier runs did (default: .fleet-state.json)
  --json           print the summary as JSON
  --help           print this

Exit codes: 0 everything is deployed or previewed, 1 anything else, such as a stack that failed or wrong options.`;

/** The directory of Pulumi.yaml; this file is compiled into a directory below it. */
const project = path.join(__dirname, "..");

async function main(): Promise<number> {
  const options = readOptions();
  if (options.help) {
    process.stdout.write(`${USAGE}\n`);
    return 0;
  }
  const file = path.resolve(project, options.file);
  const shards = readFleet(file);
  const chosen = choose(shards, options.only);
  const record = new RunRecord(path.resolve(project, options.record));
  const fingerprint = (shard: Shard) => record.fingerprint(inputsOf(shard));

  // A preview includes every stack, also those that are up to date.
  const isDone = (shard: Shard) =>
    !options.preview && !options.all && record.isDone(shard.stack, fingerprint(shard));
  const unchanged = new Set(chosen.filter(isDone).map(({ stack }) => stack));
  const toDo = chosen.filter(({ stack }) => !unchanged.has(stack));

  const shardOf = new Map(shards.map((shard) => [shard.stack, shard]));
  const worked = await rollOut(
    toDo.map(({ stack, domains }) => ({ stack, domains: domains.length })),
    {
      workDir: project,
      environment: { FLEET_FILE: file },
      preview: options.preview,
      parallel: options.parallel,
      stopping: stopOnInterrupt(),
      onEnd: (outcome, output) => {
        progress(outcome);
        if (outcome.result === "failed") process.stderr.write(`${output.trimEnd()}\n`);
        const shard = shardOf.get(outcome.stack);
        if (!shard || options.preview) return;
        record.note(
          outcome.stack,
          fingerprint(shard),
          outcome.result === "deployed" ? "succeeded" : "failed",
        );
      },
    },
  );
  const outcomes = chosen.map(
    ({ stack, domains }): Outcome =>
      worked.find((outcome) => outcome.stack === stack) ?? {
        stack,
        domains: domains.length,
        result: "unchanged",
        changes: {},
        seconds: 0,
      },
  );
  const left = record.others(shards.map(({ stack }) => stack));
  process.stdout.write(options.json ? `${asJson(outcomes, left)}\n` : asTable(outcomes, left));
  return outcomes.some(({ result }) => result === "failed" || result === "not started") ? 1 : 0;
}

/**
 * Everything that determines what a stack deploys. A new token changes no channel, so it is not
 * included.
 */
function inputsOf({ stack, channels, domains }: Shard): unknown {
  const settings = path.join(project, `Pulumi.${stack}.yaml`);
  const { version }: { version: string } = require("pulumi-domain-monitoring/package.json");
  return {
    channels,
    domains,
    destinations: channels.map(({ destination }) => process.env[destination] ?? null),
    program: ["index.ts", "fleet-file.ts"].map((name) =>
      readFileSync(path.join(project, name), "utf8"),
    ),
    settings: existsSync(settings) ? readFileSync(settings, "utf8") : null,
    service: process.env.DOMAIN_MONITORING_BASE_URL ?? null,
    backend: process.env.PULUMI_BACKEND_URL ?? null,
    version,
  };
}

class UsageError extends Error {}

function readOptions() {
  try {
    const { values } = parseArgs({
      options: {
        file: { type: "string", default: "domains.yaml" },
        record: { type: "string", default: ".fleet-state.json" },
        preview: { type: "boolean", default: false },
        only: { type: "string", multiple: true, default: [] },
        parallel: { type: "string", default: "4" },
        all: { type: "boolean", default: false },
        json: { type: "boolean", default: false },
        help: { type: "boolean", default: false },
      },
    });
    const parallel = /^\d{1,2}$/.test(values.parallel) ? Number(values.parallel) : 0;
    if (parallel < 1 || parallel > 64)
      throw new UsageError("--parallel takes a whole number from 1 to 64");
    return { ...values, parallel };
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

function choose(shards: Shard[], only: string[]): Shard[] {
  const unknown = only.filter((name) => !shards.some(({ stack }) => stack === name));
  if (unknown.length > 0) {
    const known = shards.map(({ stack }) => stack).join(", ");
    throw new UsageError(`there is no stack ${unknown.join(", ")} in the fleet: it has ${known}`);
  }
  return only.length === 0 ? shards : shards.filter(({ stack }) => only.includes(stack));
}

/**
 * Waits for running deployments, as an interrupted one can leave a channel that is not recorded.
 */
function stopOnInterrupt(): () => boolean {
  let stopping = false;
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.once(signal, () => {
      stopping = true;
      process.stderr.write("Stopping: no further stack is started; waiting for those that run.\n");
    });
  }
  return () => stopping;
}

function progress({ stack, result, seconds, problem }: Outcome): void {
  process.stderr.write(`${stack}: ${result} in ${seconds} s${problem ? `: ${problem}` : ""}\n`);
}

function asJson(outcomes: Outcome[], noLongerDeclared: string[]): string {
  return JSON.stringify({ stacks: outcomes, noLongerDeclared }, null, 2);
}

function asTable(outcomes: Outcome[], left: string[]): string {
  const header = ["STACK", "DOMAINS", "RESULT", "CHANGES", "SECONDS"];
  const rows = outcomes.map(({ stack, domains, result, changes, seconds, problem }) => {
    const steps = Object.entries(changes).map(([operation, count]) => `${operation} ${count}`);
    return [stack, String(domains), result, problem ?? (steps.join(", ") || "-"), String(seconds)];
  });
  const table = [header, ...rows];
  const widths = header.map((_, column) =>
    Math.max(...table.map((row) => row[column]?.length ?? 0)),
  );
  const lines = table.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join("  ")
      .trimEnd(),
  );
  const counts = new Map<string, number>();
  for (const { result } of outcomes) counts.set(result, (counts.get(result) ?? 0) + 1);
  lines.push("", [...counts].map(([result, count]) => `${count} ${result}`).join(", "));
  for (const stack of left) {
    lines.push(
      `${stack} was deployed and is no longer in the fleet: run \`pulumi destroy --stack ${stack}\` and see what stays`,
    );
  }
  return `${lines.join("\n")}\n`;
}

main().then(
  (code) => {
    process.exitCode = code;
  },
  (error: unknown) => {
    const message = error instanceof Error ? error.message : String(error);
    const isUsage = error instanceof UsageError || error instanceof FleetFileError;
    process.stderr.write(`${isUsage ? "" : "error: "}${message}\n`);
    process.exitCode = 1;
  },
);
