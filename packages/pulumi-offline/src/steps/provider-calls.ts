/** Calls of providers before a step: check and diff, and the refusals that follow from them. */
import { isManaged, type OperationContext } from "../operation";
import type { ProviderDiff } from "../processes/provider-process";
import { Reported } from "../progress";
import type { ResourceState } from "../state/state";
import { parseUrn } from "../state/urns";
import { equal, inGoSyntax, knownAnswer, type Properties, UNKNOWN } from "../state/values";
import { decide } from "./decide";

/** Calls the provider's check; all failures are reported at once. */
export async function check(
  context: OperationContext,
  next: ResourceState,
  olds: Properties,
  news: Properties,
): Promise<Properties> {
  if (!isManaged(next)) return news;

  const provider = context.providerOf(next);
  if (!provider.known) return news;

  const { inputs, failures } = await (await provider.process()).check(next.urn, olds, news);
  const resource = `${next.type} resource '${parseUrn(next.urn).name}'`;

  for (const { property, reason } of failures) {
    const where =
      property === "" ? "" : `: property ${property} value ${inGoSyntax(news[property])}`;

    context.progress.fail(`${resource}${where} has a problem: ${reason}`, next.urn);
  }

  if (failures.length > 0) throw new Reported();

  // A preview may know no more.
  return context.preview ? inputs : knownAnswer(inputs);
}

/** Asks the provider what a change means. Components have no provider, and no answer. */
export async function diff(
  context: OperationContext,
  old: ResourceState,
  next: ResourceState,
): Promise<ProviderDiff | undefined> {
  const some: ProviderDiff = {
    changes: "some",
    replaces: [],
    deleteBeforeReplace: false,
  };

  if (old.custom !== next.custom) return { ...some, replaces: ["provider"] };
  if (!next.custom) return undefined;
  // An explicit provider is always changed in place: the dynamic provider does not compare
  // configurations.
  if (!isManaged(next))
    return equal(old.outputs, next.inputs) ? { ...some, changes: "none" } : some;

  const provider = context.providerOf(next);
  if (provider.known) return await (await provider.process()).diff(next.urn, old, next.inputs);

  const warning =
    "The provider for this resource has inputs that are not known during preview.\n" +
    "This preview may not correctly represent the changes that will be applied during an update.";

  context.diagnostics.add("warning", warning, next.urn);

  return some;
}

/**
 * The resources to delete before one that cannot exist twice: those dependents that its replacement
 * would replace in turn, were the outputs that they use to change. The last ones come first. Among
 * them are old halves of dependents that an earlier update could not delete.
 *
 * @param urn the present URN of the resource, which may differ from that of its old state `root`
 * @param settled whether a resource can no longer be a dependent, or is already to be deleted
 */
export async function deletedBefore(
  context: OperationContext,
  urn: string,
  root: ResourceState,
  settled: (urn: string) => boolean,
): Promise<ResourceState[]> {
  const dependents: ResourceState[] = [];

  for (const old of context.olds) {
    if (!isManaged(old) || old.external || settled(old.urn)) continue;
    if (await isReplacedWith(context, old, [root, ...dependents])) dependents.unshift(old);
  }

  const kept = dependents.find((dependent) => dependent.protect && !dependent.pendingDelete);

  if (kept !== undefined) refuseDependent(context, kept.urn, urn);

  return dependents;
}

async function isReplacedWith(
  context: OperationContext,
  old: ResourceState,
  replaced: ResourceState[],
) {
  const uses = (key: string) =>
    old.propertyDependencies[key]?.some((urn) => replaced.some((r) => r.urn === urn));

  const affected = Object.keys(old.inputs).filter(uses);
  if (affected.length === 0) return false;

  const inputs = { ...old.inputs, ...Object.fromEntries(affected.map((key) => [key, UNKNOWN])) };
  const answer = await (await context.providerOf(old).process()).diff(old.urn, old, inputs);
  const step = decide({
    // Unfinished work of an earlier update must not affect this decision.
    old: {
      ...old,
      initErrors: [],
      pendingReplacement: false,
    },
    inputs,
    diff: answer,
    replaceOnChanges: old.replaceOnChanges,
  });

  return step.operation === "replace";
}

/** Refuses to replace what is protected, or what the program still imports. */
export function refuseForbidden(
  context: OperationContext,
  next: ResourceState,
  old: ResourceState,
): void {
  if (old.protect && next.protect) refuseReplacement(context, next.urn);
  if (next.importId !== undefined) refuseReplacementOfImported(context, next.urn);
}

/** Reports that a protected resource would have to be replaced. */
function refuseReplacement(context: OperationContext, urn: string): void {
  context.progress.fail(`unable to replace resource "${urn}"\n${UNPROTECT}`, urn, "step");
  // A preview goes on, so that everything else is seen as well.
  if (!context.preview) throw new Reported();
}

/** Reports that what was imported would be replaced, although the program still names it. */
function refuseReplacementOfImported(context: OperationContext, urn: string): void {
  const message =
    "previously-imported resources that still specify an ID may not be replaced; " +
    "please remove the `import` declaration from your program";

  if (!context.preview) throw new Error(message);
  context.diagnostics.add("warning", message, urn);
}

/**
 * Refuses to replace a protected dependent, even in a preview: the message is about the resource
 * that is to be replaced.
 */
function refuseDependent(context: OperationContext, dependent: string, urn: string): never {
  const message =
    `unable to replace resource "${dependent}" as part of replacing "${urn}" ${UNPROTECT}, ` +
    `or use the command:\n\`pulumi state unprotect '${dependent}'\``;

  context.progress.fail(message, urn);

  throw new Reported();
}

const UNPROTECT =
  "as it is currently marked for protection. To unprotect the resource, " +
  "remove the `protect` flag from the resource in your Pulumi program and run `pulumi up`";
