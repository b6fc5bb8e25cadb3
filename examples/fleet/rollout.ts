/** Previews or deploys many stacks with the Automation API, a few at a time. */
import type { Stack } from "@pulumi/pulumi/automation";

/** The result of a stack. */
export interface Outcome {
  stack: string;
  domains: number;
  result: "deployed" | "previewed" | "unchanged" | "failed" | "not started";
  /** Steps by operation, including the stack itself. */
  changes: Record<string, number>;
  seconds: number;
  /** First line of the error. */
  problem?: string;
}

/** One stack to preview or deploy. */
export interface Job {
  stack: string;
  domains: number;
}

export interface RolloutOptions {
  /** Where `Pulumi.yaml` is. */
  workDir: string;
  environment: Record<string, string>;
  preview: boolean;
  parallel: number;
  /** Whether to stop starting stacks. */
  stopping: () => boolean;
  /** Called for each stack when it has ended, with the engine's output. */
  onEnd: (outcome: Outcome, output: string) => void;
}

/** Previews or deploys the stacks and returns their results in the same order. */
export async function rollOut(jobs: Job[], options: RolloutOptions): Promise<Outcome[]> {
  if (jobs.length === 0) return [];
  // Loaded late, so that problems of the fleet file are reported without the delay of loading it.
  const { LocalWorkspace, Stack } = await import("@pulumi/pulumi/automation/index.js");
  const workspace = await LocalWorkspace.create({
    workDir: options.workDir,
    envVars: options.environment,
  });
  const openInTurn = oneAfterTheOther();
  const outcomes: Outcome[] = [];
  let next = 0;
  async function worker(): Promise<void> {
    while (next < jobs.length) {
      const index = next++;
      const job = jobs[index];
      if (!job) return;
      if (options.stopping()) {
        outcomes[index] = { ...job, result: "not started", changes: {}, seconds: 0 };
        continue;
      }
      // Selecting a stack writes a file that all stacks share, so it is done one at a time.
      const open = () => openInTurn(() => Stack.createOrSelect(job.stack, workspace));
      const { outcome, output } = await work(job, open, options.preview);
      outcomes[index] = outcome;
      options.onEnd(outcome, output);
    }
  }
  await Promise.all(Array.from({ length: Math.min(options.parallel, jobs.length) }, worker));
  return outcomes;
}

async function work(
  job: Job,
  open: () => Promise<Stack>,
  preview: boolean,
): Promise<{ outcome: Outcome; output: string }> {
  const begun = performance.now();
  let output = "";
  const onOutput = (text: string) => {
    output += text;
  };
  const seconds = () => Math.round((performance.now() - begun) / 100) / 10;
  try {
    const stack = await open();
    const show = { onOutput, onError: onOutput, color: "never" } as const;
    const changes = preview
      ? (await stack.preview(show)).changeSummary
      : (await stack.up({ ...show, suppressOutputs: true })).summary.resourceChanges;
    const result = preview ? "previewed" : "deployed";
    return { outcome: { ...job, result, changes: { ...changes }, seconds: seconds() }, output };
  } catch (error) {
    const said = output || (error instanceof Error ? error.message : String(error));
    const problem = firstProblem(said);
    return {
      outcome: { ...job, result: "failed", changes: {}, seconds: seconds(), problem },
      output: said,
    };
  }
}

/** The first error that is more specific than "update failed". */
function firstProblem(output: string): string {
  const lines = output.split("\n").map((line) => line.trim());
  const errors = lines
    .filter((line) => line.startsWith("error:"))
    .map((line) => line.slice("error:".length).trim());
  const telling = errors.find((error) => !/^(update|preview) failed$/.test(error));
  const line = telling ?? errors[0] ?? lines.find((text) => text !== "") ?? "no reason given";
  return line.length > 200 ? `${line.slice(0, 199)}…` : line;
}

function oneAfterTheOther(): <T>(work: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const mine = last.then(work, work);
    last = mine;
    return mine;
  };
}
