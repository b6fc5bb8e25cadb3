/** Operations on a stack from their beginning to their recorded end. */
import { fullKey, stackConfig } from "./config";
import { describeStep, messageOf, StackError } from "./diagnostics";
import { type Deployment, OperationContext } from "./operation";
import { runProgram } from "./program";
import { serveMonitor } from "./protocol/monitor";
import {
  describeOutputs,
  describeResources,
  type ResourceState,
  renameReferences,
} from "./state/state";
import { STACK_TYPE } from "./state/urns";
import { type Properties, reveal } from "./state/values";
import { Update } from "./steps/update";
import type { OperationOptions, StackResult, StackStep, UpdateOptions } from "./types";

/** Runs the program and updates the stack, or in a preview determines the steps. */
export async function update(
  deployment: Deployment,
  preview: boolean,
  options: UpdateOptions = {},
): Promise<StackResult> {
  const context = new OperationContext(deployment, preview);
  const updating = new Update(context, options);
  const result = await conclude(context, options, async (config) => {
    context.providers.configureDefault(config);
    const { project, options: stackOptions } = deployment;

    // Not for an inline program, which starts at once and may not need it.
    if (!("program" in project.source)) context.providers.startDefault();
    const told = {
      config: reveal(config) as Record<string, string>,
      secretKeys: Object.keys(stackOptions.secrets ?? {}).map((key) => fullKey(project.name, key)),
    };

    const monitor = await serveMonitor(context, updating, told);

    try {
      await updating.finish(await runProgram(context, told, monitor.address));
    } finally {
      await monitor.close();
    }

    renameReferences(context.snapshot(), updating.renames);

    return config;
  });

  // A preview records no state, but returns the outputs that the stack would have.
  return preview ? { ...result, outputs: describeOutputs(updating.stackOutputs ?? {}) } : result;
}

/**
 * Runs an operation that needs the recorded state and its providers alone: a refresh, or a destroy.
 */
export async function withoutProgram(
  deployment: Deployment,
  act: (context: OperationContext) => Promise<void>,
  options: OperationOptions = {},
): Promise<StackResult> {
  const { providerConfig } = deployment.state;
  const context = new OperationContext(deployment, false);

  return await conclude(context, options, async () => {
    // The default provider is part of the state, and its configuration with it: a value changed
    // since the last update does not reach it (pulumi/pulumi#4981).
    context.providers.configureDefault(providerConfig);
    await act(context);

    return providerConfig;
  });
}

/**
 * Runs an operation to its end: in every outcome, processes are stopped and the state so far is
 * recorded.
 *
 * @throws StackError if there was any error diagnostic
 */
async function conclude(
  context: OperationContext,
  { expectNoChanges }: OperationOptions,
  act: (config: Properties) => Promise<Properties>,
): Promise<StackResult> {
  const { deployment, diagnostics, preview, progress } = context;
  let providerConfig = deployment.state.providerConfig;
  const { killed } = deployment;
  const cancel = () => progress.cancel();

  killed.addEventListener("abort", cancel);
  try {
    if (killed.aborted) cancel();
    else providerConfig = await act(stackConfig(deployment.project, deployment.options));
  } catch (error) {
    progress.fail(messageOf(error));
  } finally {
    killed.removeEventListener("abort", cancel);
    await context.providers.stop();
  }

  if (expectNoChanges) expectNone(context);
  progress.summarize();
  if (!preview) deployment.state = { resources: context.snapshot(), providerConfig };

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
  progress.fail(
    `no changes were expected, but there are some: ${changes.map(describeStep).join(", ")}`,
  );
}

function countOf(steps: readonly StackStep[]): StackResult["changes"] {
  const changes: StackResult["changes"] = {};
  for (const { operation } of steps) changes[operation] = (changes[operation] ?? 0) + 1;

  return changes;
}

function stackOutputs(resources: ResourceState[]): Properties {
  return resources.find((resource) => resource.type === STACK_TYPE)?.outputs ?? {};
}
