/**
 * The SDK, which may not be installed, and access to unpublished parts of it. For an SDK without
 * those the harmless case is assumed, except by `promiseOf`, which has none.
 */
import type * as pulumi from "@pulumi/pulumi";
import { errorCode, messageOf } from "../../common/text";
import { quiet } from "../end-program";

const MISSING =
  "Pulumi's SDK is not installed, and a program needs it: run `npm install @pulumi/pulumi`";

const sdk = loadSdk();

/**
 * The SDK is an optional peer: commands and client need none. @throws Error with one line if it is
 * missing
 */
function loadSdk(): typeof pulumi {
  try {
    return require("@pulumi/pulumi");
  } catch (error) {
    // The lines below name who asked for a module, which may be the SDK itself.
    const [first = ""] = messageOf(error).split("\n", 1);
    const isMissing = errorCode(error) === "MODULE_NOT_FOUND" && first.includes("@pulumi/pulumi");

    throw isMissing ? quiet(new Error(MISSING)) : error;
  }
}

/**
 * A value of stack config, and whether it is known not to be a secret (`runtime.isConfigSecret`,
 * 3.0 to date).
 */
export function stackConfig(key: string): { value: string; plaintext: boolean } | undefined {
  const value = sdk.runtime.getConfig(key);
  if (value === undefined) return undefined;

  const isSecret: unknown = Reflect.get(sdk.runtime, "isConfigSecret");

  return { value, plaintext: typeof isSecret === "function" && !isSecret(key) };
}

/** Whether a run of the program, by default this one, is with mocks (`runtime.setMocks`). */
export function isMocked(run = currentRun()): boolean {
  return run !== undefined && "mocks" in run;
}

/**
 * Object that stands for this run of the program; undefined outside of one. A process may run a
 * program several times, in each with a monitor of its own.
 */
export function currentRun(): object | undefined {
  const monitor: unknown = sdk.runtime.getMonitor();
  return typeof monitor === "object" && monitor !== null ? monitor : undefined;
}

/**
 * Makes the engine wait for the end of the program, and so for its failure. Otherwise the SDK tells
 * it earlier, in an inline program, that everything is registered: it would delete the channels
 * that wait for what has failed (`signalAndWaitForShutdown`).
 */
export function endWithProgram(run = currentRun()): void {
  if (run === undefined || !("signalAndWaitForShutdown" in run)) return;
  Object.assign(run, { signalAndWaitForShutdown: (_request: unknown, done: () => void) => done() });
}

/** Whether an object is a resource of this type, even one made by another copy of its class. */
export function isOfType(obj: unknown, type: string): boolean {
  return (
    typeof obj === "object" && obj !== null && "__pulumiType" in obj && obj.__pulumiType === type
  );
}

/**
 * The package that a provider is of (`ProviderResource.pkg`); the type of a resource that is no
 * provider.
 */
export function packageOf(provider: pulumi.ProviderResource): string {
  return String(Reflect.get(provider, "pkg") ?? Reflect.get(provider, "__pulumiType"));
}

/**
 * The provider that a child of this type inherits from a resource, as SDK and engine find it: by
 * the key of a map, and else by the package of the provider, whatever its key (`__providers`).
 */
export function inheritedProvider(
  parent: pulumi.Resource | undefined,
  type: string,
): pulumi.ProviderResource | undefined {
  const byKey = parent?.getProvider(type);
  if (parent === undefined || byKey !== undefined) return byKey;

  const [packageName] = type.split(":");
  const providers: pulumi.ProviderResource[] = Object.values(
    Reflect.get(parent, "__providers") ?? {},
  );

  return providers.findLast((provider) => packageOf(provider) === packageName);
}
