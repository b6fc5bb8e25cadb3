/**
 * The value of an output and the resources that it comes from, for functions, by unpublished parts
 * of the SDK. For an SDK without those the harmless case is assumed, except by `promiseOf`, which
 * has none.
 */
import * as pulumi from "@pulumi/pulumi";

/** Whether an output's value is known; in a preview it may not be. */
export async function isKnown(output: pulumi.Output<unknown>): Promise<boolean> {
  return "isKnown" in output ? Boolean(await output.isKnown) : true;
}

/**
 * Leaves the failure of an output to whatever else fails with it and ends the program. Every failed
 * output has two rejections of its own (`isKnown`, `isSecret`), which a test under mocks would
 * report again.
 */
export function leaveToOthers(output: pulumi.Output<unknown>): void {
  if (!("isKnown" in output && "isSecret" in output)) return;
  Promise.all([output.isKnown, output.isSecret]).catch(() => undefined);
}

/** The value of an output that is known. Fails as the output does (`promise`). */
export async function promiseOf<T>(output: pulumi.Output<T>): Promise<T> {
  const internal: object = output;
  return Reflect.get(internal, "promise").call(output);
}

/** The resources that an output's value comes from (`allResources`). */
export async function resourcesOf(
  output: pulumi.Output<unknown>,
): Promise<Iterable<pulumi.Resource>> {
  const method: unknown = Reflect.get(output, "allResources");
  const found: unknown = typeof method === "function" ? await method.call(output) : undefined;

  return found instanceof Set
    ? [...found].filter((resource) => pulumi.Resource.isInstance(resource))
    : [];
}

/**
 * The resources and the children of components among them, as the SDK's own invokes determine them
 * (`__data` resolves once constructed, then `__childResources`). A remote component has no children
 * here; its URN waits for them.
 */
export async function withChildren(
  resources: Iterable<pulumi.Resource>,
): Promise<Set<pulumi.Resource>> {
  const found = new Set<pulumi.Resource>();
  const add = async (resource: pulumi.Resource): Promise<void> => {
    if (found.has(resource)) return;

    found.add(resource);
    if (!pulumi.ComponentResource.isInstance(resource)) return;

    await Reflect.get(resource, "__data");
    const children: unknown = Reflect.get(resource, "__childResources");
    if (!(children instanceof Set)) return;

    await Promise.all([...children].filter((child) => pulumi.Resource.isInstance(child)).map(add));
  };

  await Promise.all([...resources].map(add));

  return found;
}
