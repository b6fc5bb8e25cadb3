/**
 * The few things that the SDK knows but does not publish. Kept in one place, and read so that an SDK without them is no
 * failure: what cannot be known is then taken for the harmless case.
 */
import * as pulumi from "@pulumi/pulumi";

/** Whether a stack config value is kept as a secret (`runtime.isConfigSecret`, 3.0 to date). */
export function isConfigSecret(key: string): boolean {
  const method: unknown = Reflect.get(pulumi.runtime, "isConfigSecret");
  return typeof method === "function" ? Boolean(method(key)) : true;
}

/** Whether the program runs against mocks (`runtime.setMocks`): then nothing is deployed. */
export function isMocked(): boolean {
  const monitor: unknown = pulumi.runtime.getMonitor();
  return typeof monitor === "object" && monitor !== null && "mocks" in monitor;
}

/** Whether an output's value is known; in a preview it may not be. */
export async function isKnown(output: pulumi.Output<unknown>): Promise<boolean> {
  return "isKnown" in output ? Boolean(await output.isKnown) : true;
}

/**
 * The resources and, of components among them, all that the program has constructed inside, as the SDK's own invokes count
 * them (`__data`: constructed, `__childResources`). A remote component stands for its children, which only its URN waits for.
 */
export async function withChildren(resources: Iterable<pulumi.Resource>): Promise<Set<pulumi.Resource>> {
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
