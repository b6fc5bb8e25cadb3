/** The refresh of every resource. */
import { isManaged, type OperationContext } from "../operation";
import type { ResourceState } from "../state/state";
import { equal, markSecretOutputs } from "../state/values";
import type { Operation } from "../types";

/**
 * Reads every resource, and takes over what the providers answer; the rest stays as it is where one
 * fails.
 */
export async function refreshAll(context: OperationContext): Promise<void> {
  const refreshed = await Promise.all(
    context.olds.map(async (old) => {
      try {
        return await refresh(context, old);
      } catch (error) {
        context.progress.failStep(error, old.urn);
        return old;
      }
    }),
  );

  context.news.push(...refreshed.filter((resource) => resource !== undefined));
  for (const old of context.olds) context.gone.add(old);
  forget(
    context,
    context.olds.filter((_, index) => refreshed[index] === undefined),
  );
}

/** The resource as its provider sees it, or undefined where it is gone. */
async function refresh(
  context: OperationContext,
  old: ResourceState,
): Promise<ResourceState | undefined> {
  if (!isManaged(old) || old.pendingReplacement) return recorded(context, "same", old, old);

  const { mocked, process } = context.providerOf(old);
  if (mocked) return recorded(context, "same", old, old);

  const provider = await process();
  const live = await provider.read(old.urn, old.id, old.inputs, old.outputs);
  if (live.id === "") return recorded(context, "delete", old, undefined);

  const next = {
    ...old,
    id: live.id,
    inputs: live.inputs ?? old.inputs,
    initErrors: [],
  };

  next.outputs = markSecretOutputs(live.outputs, next.inputs, next.additionalSecretOutputs);
  if (old.external)
    return recorded(context, equal(old.outputs, next.outputs) ? "same" : "update", old, next);

  // The diff of an unchanged program, by which the real engine finds drift.
  const diff = await provider.diff(next.urn, next, old.inputs);
  const changed =
    diff.changes === "unknown" ? !equal(next.inputs, old.inputs) : diff.changes === "some";

  return recorded(context, changed ? "update" : "same", old, next);
}

/** Records the step, and returns the resource after it. */
function recorded<T extends ResourceState | undefined>(
  context: OperationContext,
  operation: Operation,
  old: ResourceState,
  result: T,
): T {
  context.note(operation, result ?? old, old);
  return result;
}

/** Takes resources that are gone out of the dependencies of the others. */
function forget(context: OperationContext, gone: ResourceState[]): void {
  const left = new Set(context.news.map((resource) => resource.urn));
  const urns = new Set(gone.map((resource) => resource.urn).filter((urn) => !left.has(urn)));
  const stays = (urn: string) => !urns.has(urn);

  for (const resource of context.news) {
    resource.dependencies = resource.dependencies.filter(stays);
    for (const [key, on] of Object.entries(resource.propertyDependencies)) {
      resource.propertyDependencies[key] = on.filter(stays);
    }
  }
}
