/**
 * The steps that make a resource what the program wants: create, update, replace, import and read.
 */
import type { OperationContext } from "../operation";
import { InitError } from "../processes/provider-process";
import { Reported } from "../progress";
import type { ResourceState } from "../state/state";
import { isProviderType, providerReference } from "../state/urns";
import { markSecretOutputs, UNKNOWN } from "../state/values";
import { callDelete } from "./deletes";

/** Creates a resource, or updates or keeps an existing one. */
export async function carryOut(
  context: OperationContext,
  operation: "create" | "same" | "update",
  next: ResourceState,
  old: ResourceState | undefined,
): Promise<void> {
  const partial = await apply(context, operation, next, old);
  record(context, next, old);
  if (partial) throw partial;

  context.note(operation, next, old);
}

/**
 * Leaves a resource as it is that the update is not about. One that does not exist is not created.
 */
export function leave(
  context: OperationContext,
  next: ResourceState,
  old: ResourceState | undefined,
): void {
  if (old !== undefined) {
    // What was only read stays so, and is never deleted.
    const { id, inputs, outputs, initErrors, external } = old;
    record(context, Object.assign(next, { id, inputs, outputs, initErrors, external }), old);
  }

  context.note("same", next, old);
}

/**
 * Replaces a resource by one that is created while the old one still exists, which is deleted at
 * the end of the update.
 */
export async function replaceThenDelete(
  context: OperationContext,
  next: ResourceState,
  old: ResourceState,
): Promise<void> {
  const partial = await apply(context, "create", next);

  record(context, next, undefined);
  old.pendingDelete = true;
  // An earlier update may have deleted it; it is deleted again all the same.
  if (old.pendingReplacement) context.unrecorded.add(old);
  if (partial) throw partial;

  context.note("create-replacement", next, old);
  context.note("replace", next, old);
}

/**
 * Deletes a resource, unless that has been done already, and then creates its replacement.
 *
 * @param dependents what cannot do without it, and is deleted before it
 */
export async function deleteThenReplace(
  context: OperationContext,
  next: ResourceState,
  old: ResourceState,
  dependents: ResourceState[] = [],
): Promise<void> {
  for (const dependent of dependents) await deleteAhead(context, dependent);
  if (!old.pendingReplacement) await deleteAhead(context, old);
  // The old one is gone, so the step counts even if the create fails.
  context.note("replace", next, old);
  const partial = await apply(context, "create", next);

  record(context, next, old);
  if (partial) throw partial;

  context.note("create-replacement", next, old);
}

async function deleteAhead(context: OperationContext, resource: ResourceState): Promise<void> {
  try {
    await callDelete(context, resource);
  } catch (error) {
    context.progress.failStep(error, resource.urn);
    throw new Reported();
  }

  if (resource.pendingDelete) {
    context.gone.add(resource);
    context.note("delete", resource);
  } else {
    resource.pendingReplacement = true;
    context.note("delete-replaced", resource);
  }
}

/**
 * Takes over a resource that exists already, and succeeds the one that this stack had until now.
 */
export async function takeOver(
  context: OperationContext,
  next: ResourceState,
  old: ResourceState | undefined,
) {
  const provider = await context.providerOf(next).process();
  const found = await provider.read(next.urn, next.importId ?? "", next.inputs, next.inputs);

  next.id = found.id;
  next.outputs = found.outputs;
  record(context, next, undefined);
  if (old !== undefined) old.pendingDelete = true;
  context.note(old === undefined ? "import" : "import-replacement", next, old);
  if (old !== undefined) context.note("replace", next, old);
}

/** Reads a resource that another stack owns. */
export async function readExternal(
  context: OperationContext,
  next: ResourceState,
  old: ResourceState | undefined,
) {
  if (next.id !== UNKNOWN) {
    const provider = await context.providerOf(next).process();
    const { id, outputs } = await provider.read(next.urn, next.id, next.inputs, next.inputs);
    next.outputs = outputs;
    if (id !== "") next.id = id;
  }

  const replaced = old !== undefined && !old.external && old.id !== next.id;

  record(context, next, replaced ? undefined : old);
  if (replaced) {
    old.pendingDelete = true;
    context.unrecorded.add(old);
  }

  context.note(replaced ? "read-replacement" : "read", next, old);
  if (replaced) context.note("replace", next, old);
}

/**
 * Has the provider do what the operation asks for.
 *
 * @param old what `next` is made of; none for a create
 * @returns a partial failure, which leaves the resource in `next`
 */
async function apply(
  context: OperationContext,
  operation: "create" | "same" | "update",
  next: ResourceState,
  old?: ResourceState,
): Promise<InitError | undefined> {
  const { preview } = context;

  if (old !== undefined) next.id = old.id;
  if (isProviderType(next.type)) {
    if (operation === "create" && preview) next.id = UNKNOWN;
    else if (operation !== "same" && !preview) next.id = await context.providers.idOf(next);

    next.outputs = next.inputs;
    context.providers.configure(providerReference(next.urn, next.id), next.inputs);

    return undefined;
  }

  if (operation === "same" && old !== undefined) next.outputs = old.outputs;
  if (operation === "same" || !next.custom) return undefined;

  const provider = context.providerOf(next);
  if (preview) {
    // The dynamic provider does not support previews: the inputs stand for the outputs.
    next.outputs = provider.known ? next.inputs : {};
    return undefined;
  }

  const process = await provider.process();
  if (old === undefined)
    return await keepPartial(next, async () =>
      Object.assign(next, await process.create(next.urn, next.inputs)),
    );

  const partial = await keepPartial(next, async () => {
    next.outputs = await process.update(next.urn, old, next.inputs);
  });

  // The existing resource was not made from the new inputs (pulumi/pulumi#2011).
  if (partial) next.inputs = old.inputs;

  return partial;
}

async function keepPartial(
  next: ResourceState,
  act: () => Promise<unknown>,
): Promise<InitError | undefined> {
  try {
    await act();
    return undefined;
  } catch (error) {
    if (!(error instanceof InitError)) throw error;

    next.id ||= error.id;
    next.outputs = error.outputs;
    next.initErrors = error.reasons;

    return error;
  }
}

function record(
  context: OperationContext,
  next: ResourceState,
  old: ResourceState | undefined,
): void {
  next.outputs = markSecretOutputs(next.outputs, next.inputs, next.additionalSecretOutputs);
  context.news.push(next);
  if (old !== undefined) context.gone.add(old);
}
