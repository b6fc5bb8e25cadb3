/** Operations on a stack from their beginning to their recorded end. */
import { fullKey, stackConfig } from "./config";
import { describeStep, messageOf, StackError } from "./diagnostics";
import { OperationContext } from "./operation";
import { runProgram } from "./processes/program";
import type { Project } from "./project";
import { serveMonitor } from "./protocol/monitor";
import {
  describeOutputs,
  describeResources,
  type ResourceState,
  renameReferences,
  type StackState,
} from "./state/state";
import type { StateFile } from "./state/state-file";
import { STACK_TYPE } from "./state/urns";
import { type Properties, reveal } from "./state/values";
import { deleteAll } from "./steps/deletes";
import { refreshAll } from "./steps/refresh";
import { Update } from "./steps/update";
import type { OperationOptions, StackResult, StackStep, TestStackOptions } from "./types";

/** A stack between its operations. `state` is replaced when the operation ends, even if it fails. */
export interface Deployment {
  readonly options: TestStackOptions;
  readonly project: Project;
  /** Ends the operation under way and its processes. */
  readonly killed: AbortSignal;
  /** The file in which the state is kept as well. */
  readonly file: StateFile | undefined;
  state: StackState;
}

/** Runs the program and updates the stack, or in a preview determines the steps. */
export async function update(
  deployment: Deployment,
  preview: boolean,
  options: OperationOptions = {},
): Promise<StackResult> {
  const { project, options: stackOptions, killed } = deployment;
  const env = environment(stackOptions);
  const context = new OperationContext(project, env, deployment.state, preview, killed, stackOptions.mocks);
  const updating = new Update(context);
  const result = await conclude(deployment, context, options, async (config) => {
    context.providers.configureDefault(config);
    // Not for an inline program, which starts at once and may not need it.
    if (!("program" in project.source)) context.providers.startDefault();
    const told = {
      config: reveal(config) as Record<string, string>,
      secretKeys: Object.keys(stackOptions.secrets ?? {}).map((key) => fullKey(project.name, key)),
    };
    const monitor = await serveMonitor(context, updating, told);
    try {
      const succeeded = await runProgram({
        project,
        ...told,
        env,
        overrides: stackOptions.env ?? {},
        address: monitor.address,
        preview,
        diagnostics: context.diagnostics,
        progress: context.progress,
        killed,
      });
      await updating.finish(succeeded);
    } finally {
      await monitor.close();
    }
    renameReferences(context.snapshot(), updating.renames);
    return config;
  });
  // A preview records no state, but returns the outputs that the stack would have.
  return preview ? { ...result, outputs: describeOutputs(updating.stackOutputs ?? {}) } : result;
}

/** Brings the state up to date with what the providers find. Does not run the program. */
export async function refresh(deployment: Deployment, options?: OperationOptions): Promise<StackResult> {
  return await withoutProgram(deployment, options, refreshAll);
}

/** Deletes everything. Does not run the program. */
export async function destroy(deployment: Deployment, options?: OperationOptions): Promise<StackResult> {
  return await withoutProgram(deployment, options, (context) => deleteAll(context, context.olds));
}

async function withoutProgram(
  deployment: Deployment,
  options: OperationOptions = {},
  act: (context: OperationContext) => Promise<void>,
): Promise<StackResult> {
  const { project, options: stackOptions, state, killed } = deployment;
  const env = environment(stackOptions);
  const context = new OperationContext(project, env, state, false, killed, stackOptions.mocks);
  return await conclude(deployment, context, options, async () => {
    // The default provider is part of the state, and its configuration with it: a value changed since the last update
    // does not reach it (pulumi/pulumi#4981).
    context.providers.configureDefault(state.providerConfig);
    await act(context);
    return state.providerConfig;
  });
}

/**
 * Runs an operation to its end: in every outcome, processes are stopped and the state so far is recorded.
 *
 * @throws StackError if there was any error diagnostic
 */
async function conclude(
  deployment: Deployment,
  context: OperationContext,
  { signal, expectNoChanges }: OperationOptions,
  act: (config: Properties) => Promise<Properties>,
): Promise<StackResult> {
  const { diagnostics, preview, progress } = context;
  let providerConfig = deployment.state.providerConfig;
  const early = AbortSignal.any([deployment.killed, ...(signal === undefined ? [] : [signal])]);
  const cancel = () => progress.cancel();
  early.addEventListener("abort", cancel);
  try {
    if (early.aborted) cancel();
    else providerConfig = await act(stackConfig(deployment.project, deployment.options));
  } catch (error) {
    progress.fail(messageOf(error));
  } finally {
    early.removeEventListener("abort", cancel);
    await context.providers.stop();
  }
  if (expectNoChanges) expectNone(context);
  progress.summarize();
  if (!preview) {
    deployment.state = { resources: context.snapshot(), providerConfig };
    await deployment.file?.save(deployment.state);
  }
  const { resources } = deployment.state;
  const result = {
    changes: countOf(context.changes),
    steps: context.steps,
    outputs: describeOutputs(stackOutputs(resources)),
    diagnostics: diagnostics.all,
    resources: describeResources(resources),
  };
  if (progress.failed) throw new StackError(result);
  return result;
}

function expectNone({ changes: all, progress }: OperationContext): void {
  const changes = all.filter(({ operation }) => operation !== "same" && operation !== "read");
  if (changes.length === 0) return;
  progress.fail(`no changes were expected, but there are some: ${changes.map(describeStep).join(", ")}`);
}

function countOf(steps: readonly StackStep[]): StackResult["changes"] {
  const changes: StackResult["changes"] = {};
  for (const { operation } of steps) changes[operation] = (changes[operation] ?? 0) + 1;
  return changes;
}

function stackOutputs(resources: ResourceState[]): Properties {
  return resources.find((resource) => resource.type === STACK_TYPE)?.outputs ?? {};
}

/** This process's environment with the options' changes; a variable without a value is removed. */
function environment({ env = {} }: TestStackOptions): NodeJS.ProcessEnv {
  const merged = Object.entries({ ...process.env, ...env });
  return Object.fromEntries(merged.filter(([, value]) => value !== undefined));
}
