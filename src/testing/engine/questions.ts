import { isDynamic, type OperationContext } from "./operation";
import type { ResourceState } from "./state";
import { decide, type ProviderDiff } from "./steps";
import { parseUrn } from "./urns";
import { equal, inGoSyntax, type Properties, UNKNOWN } from "./values";

/** A failure whose messages are out already. */
export class Reported extends Error {}

/** Has the provider check the inputs of a resource; all of its complaints are reported at once. */
export async function check(
  context: OperationContext,
  next: ResourceState,
  olds: Properties,
  news: Properties,
): Promise<Properties> {
  if (!isDynamic(next)) return news;
  const provider = context.providerOf(next);
  if (!provider.known) return news;
  const { inputs, failures } = await (await provider.process()).check(next.urn, olds, news);
  const resource = `${next.type} resource '${parseUrn(next.urn).name}'`;
  for (const { property, reason } of failures) {
    const where = property === "" ? "" : `: property ${property} value ${inGoSyntax(news[property])}`;
    context.diagnostics.fail(`${resource}${where} has a problem: ${reason}`, next.urn);
  }
  if (failures.length > 0) throw new Reported();
  return inputs;
}

/** Asks the provider what a change means. Components have no provider, and no answer. */
export async function diff(
  context: OperationContext,
  old: ResourceState,
  next: ResourceState,
): Promise<ProviderDiff | undefined> {
  const some: ProviderDiff = { changes: "some", replaces: [], deleteBeforeReplace: false };
  if (old.custom !== next.custom) return { ...some, replaces: ["provider"] };
  if (!next.custom) return undefined;
  // An explicit provider is always changed in place: the dynamic provider does not compare configurations.
  if (!isDynamic(next)) return equal(old.outputs, next.inputs) ? { ...some, changes: "none" } : some;
  const provider = context.providerOf(next);
  if (provider.known) return await (await provider.process()).diff(next.urn, old, next.inputs);
  const warning =
    "The provider for this resource has inputs that are not known during preview.\n" +
    "This preview may not correctly represent the changes that will be applied during an update.";
  context.diagnostics.add("warning", warning, next.urn);
  return some;
}

/**
 * What must be deleted before a resource that cannot exist twice: those dependents that its replacement would replace
 * in turn, were the outputs that they use to change, and last the resource itself.
 *
 * @param registered tells which resources the program has registered already; they cannot be dependents any more
 */
export async function deletedBefore(
  context: OperationContext,
  root: ResourceState,
  registered: (urn: string) => boolean,
): Promise<ResourceState[]> {
  const result = [root];
  for (const old of context.olds) {
    if (!isDynamic(old) || old.external || old.pendingDelete || registered(old.urn)) continue;
    if (await isReplacedWith(context, old, result)) result.unshift(old);
  }
  return result;
}

async function isReplacedWith(context: OperationContext, old: ResourceState, replaced: ResourceState[]) {
  const uses = (key: string) =>
    old.propertyDependencies[key]?.some((urn) => replaced.some((r) => r.urn === urn));
  const affected = Object.keys(old.inputs).filter(uses);
  if (affected.length === 0) return false;
  const inputs = { ...old.inputs, ...Object.fromEntries(affected.map((key) => [key, UNKNOWN])) };
  const answer = await (await context.providerOf(old).process()).diff(old.urn, old, inputs);
  const { replaceOnChanges } = old;
  const step = decide({ old, inputs, diff: answer, replaceOnChanges, deleteBeforeReplace: undefined });
  if (step.operation !== "replace") return false;
  if (old.protect) refuseReplacement(context, old.urn);
  return true;
}

/** Reports that a protected resource would have to be replaced. */
export function refuseReplacement(context: OperationContext, urn: string): void {
  const message =
    `unable to replace resource "${urn}"\nas it is currently marked for protection. To unprotect the resource, ` +
    "remove the `protect` flag from the resource in your Pulumi program and run `pulumi up`";
  context.diagnostics.fail(message, urn);
  if (!context.preview) throw new Reported();
  // A preview goes on, so that everything else is seen as well.
  context.stepFailed = true;
}
