/**
 * The few things that the SDK knows but does not publish. Kept in one place, and read so that an SDK without them is no
 * failure: what cannot be known is then taken for the harmless case.
 */
import * as pulumi from "@pulumi/pulumi";

/** Whether a stack config value is kept as a secret (`runtime.isConfigSecret`, 3.0 to date). */
export function isConfigSecret(key: string): boolean {
  const ask: unknown = Reflect.get(pulumi.runtime, "isConfigSecret");
  return typeof ask === "function" ? Boolean(ask(key)) : true;
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
