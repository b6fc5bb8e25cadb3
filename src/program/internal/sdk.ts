/**
 * The SDK, which may not be installed, and every part of it that we use although it is not
 * published: named in quotes at the function that uses it, with the public way that was tried. For an
 * SDK that lacks one the harmless case is assumed, except by `promiseOf`, which has none.
 * `test/release/unpublished-names.test.ts` finds each in the oldest and the newest SDK.
 */
import type * as pulumi from "@pulumi/pulumi";
import { errorCode, messageOf } from "../../common/text";

const NOT_INSTALLED =
  "Pulumi's SDK is not installed, and a program needs it: run `npm install @pulumi/pulumi`";

/**
 * The SDK knows a `RunError` by this property, of whatever copy of it. Public: the class `RunError`,
 * whose errors are not ours and have no fields.
 */
const QUIET = "__pulumiRunError";

/**
 * Errors of settings by message. All that needs the settings fails with the same error, because the
 * SDK reports an error once.
 */
const ofSettings = new Map<string, Error>();

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

    throw isMissing ? quiet(new Error(NOT_INSTALLED)) : error;
  }
}

/** An error that the user can fix: one line, without a stack trace. */
export function endProgram(message: string): Error {
  return quiet(new sdk.RunError(message));
}

/**
 * Marks an error so that a program that does not catch it ends with only its message; type and
 * fields are kept for programs that do. Without a stack, because the runtime inspects every error
 * (see `client/errors.ts`).
 */
export function quiet<E extends Error>(error: E): E {
  const earlier = ofSettings.get(error.message);
  if (earlier !== undefined) return earlier as E;
  if ("kind" in error && error.kind === "configuration") ofSettings.set(error.message, error);

  Object.defineProperty(error, QUIET, { value: true });
  const { message } = error;

  error.stack = message;
  // The SDK writes the names of the properties that wait for it in front of the message, which is a
  // line of its own.
  Object.defineProperty(error, "message", {
    get: () => message,
    set: () => undefined,
    configurable: true,
  });

  silenceLateHandling();

  return error;
}

/**
 * The SDK awaits a program's outputs one after the other. An output that fails early has already
 * ended the program and been reported when the SDK awaits it; Node would then warn that its
 * rejection was handled late.
 */
function silenceLateHandling(): void {
  // Any listener turns Node's warning off, including another copy's of this package.
  if (process.listenerCount("rejectionHandled") > 0) return;
  process.on("rejectionHandled", (promise) => {
    promise.catch((reason: unknown) => {
      const isReported = typeof reason === "object" && reason !== null && QUIET in reason;
      if (!isReported)
        process.emitWarning(
          "Promise rejection was handled asynchronously",
          "PromiseRejectionHandledWarning",
        );
    });
  });
}

/**
 * A value of stack config, and whether it is known not to be a secret. Public: `Config.getSecret`,
 * which makes any value one, and `PULUMI_CONFIG_SECRET_KEYS`, which an inline program does not get.
 */
export function stackConfig(key: string): { value: string; plaintext: boolean } | undefined {
  const value = sdk.runtime.getConfig(key);
  if (value === undefined) return undefined;

  const isSecret: unknown = Reflect.get(sdk.runtime, "isConfigSecret");

  return { value, plaintext: typeof isSecret === "function" && !isSecret(key) };
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
 * Whether a run of the program, by default this one, is with mocks. Public: `hasMonitor`, which is
 * true with and without them.
 */
export function isMocked(run = currentRun()): boolean {
  return run !== undefined && "mocks" in run;
}

/**
 * Makes the engine wait for the end of the program, and so for its failure. Otherwise the SDK tells
 * it earlier, in an inline program, that everything is registered: it would delete the channels
 * that wait for what has failed. Public: a rejected promise or output, which comes too late.
 */
export function endWithProgram(run = currentRun()): void {
  if (run === undefined || !("signalAndWaitForShutdown" in run)) return;
  Object.assign(run, { signalAndWaitForShutdown: (_request: unknown, done: () => void) => done() });
}

/**
 * Whether an object is a resource of this type, even one made by another copy of its class, as
 * `instanceof` would not tell. Public: `urn`, which is only known later.
 */
export function isOfType(obj: unknown, type: string): boolean {
  return typeOf(obj) === type;
}

function typeOf(obj: unknown): unknown {
  return typeof obj === "object" && obj !== null && "__pulumiType" in obj
    ? obj.__pulumiType
    : undefined;
}

/** The package that a provider is of; the type of a resource that is no provider. */
export function packageOf(provider: pulumi.ProviderResource): string {
  return String(typeOf(provider)).replace("pulumi:providers:", "");
}

/**
 * The provider that a child of this type inherits from a resource, as SDK and engine find it: by
 * the key of a map, and else by the package of the provider. Public: `getProvider`, which finds it
 * by the key alone.
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

/**
 * Whether an output's value is known; in a preview it may not be. Public: `apply`, which is then
 * never called.
 */
export async function isKnown(output: pulumi.Output<unknown>): Promise<boolean> {
  return "isKnown" in output ? Boolean(await output.isKnown) : true;
}

/**
 * Leaves the failure of an output to whatever else fails with it and ends the program. Every failed
 * output has two rejections of its own, which a test under mocks would report again.
 */
export function leaveToOthers(output: pulumi.Output<unknown>): void {
  Promise.all([isKnown(output), sdk.isSecret(output)]).catch(() => undefined);
}

/**
 * The value of an output that is known. Fails as the output does. Public: `apply`, which is never
 * called if the output fails.
 */
export async function promiseOf<T>(output: pulumi.Output<T>): Promise<T> {
  const internal: object = output;
  return Reflect.get(internal, "promise").call(output);
}

/**
 * The resources that an output's value comes from. Public: `apply`, which a preview also calls for a
 * known output of a resource that does not exist yet.
 */
export async function resourcesOf(
  output: pulumi.Output<unknown>,
): Promise<Iterable<pulumi.Resource>> {
  const method: unknown = Reflect.get(output, "allResources");
  const found: unknown = typeof method === "function" ? await method.call(output) : undefined;

  return found instanceof Set
    ? [...found].filter((resource) => sdk.Resource.isInstance(resource))
    : [];
}

/**
 * The resources and the children of components among them, as the SDK's own invokes determine them
 * (`__data` resolves once constructed, then `__childResources`). A remote component has no children
 * here; its URN waits for them. Public: `dependsOn`, which only resources and invokes of plugins
 * have.
 */
export async function withChildren(
  resources: Iterable<pulumi.Resource>,
): Promise<Set<pulumi.Resource>> {
  const found = new Set<pulumi.Resource>();
  const add = async (resource: pulumi.Resource): Promise<void> => {
    if (found.has(resource)) return;

    found.add(resource);
    if (!sdk.ComponentResource.isInstance(resource)) return;

    await Reflect.get(resource, "__data");
    const children: unknown = Reflect.get(resource, "__childResources");
    if (!(children instanceof Set)) return;

    await Promise.all([...children].filter((child) => sdk.Resource.isInstance(child)).map(add));
  };

  await Promise.all([...resources].map(add));

  return found;
}
