/** Deletion of resources, in the order of their dependencies. */
import { isManaged, type OperationContext } from "../operation";
import { deletionOrder, dependenciesOf, type ResourceState } from "../state/state";
import type { Operation } from "../types";

interface DeleteOptions {
  continueOnError?: boolean;
  failed?: readonly ResourceState[];
}

/** Deletes every resource of the stack. */
export function deleteEverything(context: OperationContext): Promise<void> {
  return deleteAll(context, context.olds);
}

/**
 * Deletes resources, dependents before what they depend on, in groups side by side. After a failure
 * no further group begins, unless the update goes on after errors; a protected resource is only
 * reported. What could not be deleted keeps what it depends on alive.
 *
 * @param failed resources that stay because an update of them has failed
 */
export async function deleteAll(
  context: OperationContext,
  toDelete: ResourceState[],
  { continueOnError = false, failed: notUpdated = [] }: DeleteOptions = {},
): Promise<void> {
  const urns = new Set(toDelete.map((resource) => resource.urn));
  const kept = new Set<string>();

  for (const resource of notUpdated) keepDependencies(resource, toDelete, kept);
  for (const group of deletionOrder(toDelete, [...context.news, ...context.olds])) {
    let failed = false;
    const deletions = group
      .filter((resource) => !kept.has(resource.urn))
      .map(async (resource) => {
        try {
          await deleteOne(context, resource, urns);
        } catch (error) {
          context.progress.failStep(error, resource.urn);
          if (continueOnError || error instanceof ProtectedError)
            keepDependencies(resource, toDelete, kept);
          else failed = true;
        }
      });

    await Promise.all(deletions);
    if (failed || context.progress.isStopped) return;
  }
}

class ProtectedError extends Error {}

/** Deletes one resource, which may be the old half of a replacement. */
async function deleteOne(
  context: OperationContext,
  resource: ResourceState,
  toDelete: ReadonlySet<string>,
): Promise<void> {
  const replaced = resource.pendingDelete === true;
  if (resource.protect && !replaced) throw new ProtectedError(protectedMessage(resource.urn));

  if (replaced || !resource.pendingReplacement) await callDelete(context, resource, toDelete);
  context.gone.add(resource);
  context.note(deletionOf(resource), resource);
}

function deletionOf({ external, pendingDelete, pendingReplacement }: ResourceState): Operation {
  if (pendingDelete) return external ? "discard-replaced" : "delete-replaced";
  if (pendingReplacement) return "remove-pending-replace";

  return external ? "discard" : "delete";
}

/**
 * Calls the provider's delete, if it is responsible for the resource.
 *
 * @param toDelete URNs that go as well, and may take the resource with them (`deletedWith`)
 */
export async function callDelete(
  context: OperationContext,
  resource: ResourceState,
  toDelete: ReadonlySet<string> = new Set(),
): Promise<void> {
  if (context.preview || !isManaged(resource) || resource.external || resource.retainOnDelete)
    return;

  if (resource.deletedWith !== undefined && toDelete.has(resource.deletedWith)) return;

  const provider = await context.providerOf(resource).process();
  await provider.delete(resource.urn, resource.id, resource.inputs, resource.outputs);
}

function keepDependencies(resource: ResourceState, all: ResourceState[], kept: Set<string>): void {
  const needs = dependenciesOf(resource);
  for (const other of all) {
    if (!needs.has(other.urn) || kept.has(other.urn)) continue;
    kept.add(other.urn);
    keepDependencies(other, all, kept);
  }
}

function protectedMessage(urn: string): string {
  return (
    `resource "${urn}" cannot be deleted\n` +
    "because it is protected. To unprotect the resource, either remove the `protect` flag from the resource in your " +
    "Pulumi program and run `pulumi up`, or use the command:\n" +
    `\`pulumi state unprotect '${urn}'\``
  );
}
