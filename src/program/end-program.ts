/** Errors that end a Pulumi program with only their message, without a stack trace. */

/** By this property the SDK knows a `RunError`, of whatever copy of it. */
const QUIET = "__pulumiRunError";

/** An error that the user can fix: one line, without a stack trace. */
export function endProgram(message: string): Error {
  return quiet(new (sdk().RunError)(message));
}

/**
 * Marks an error so that a program that does not catch it ends with only its message; type and
 * fields are kept for programs that do. Without a stack, because the runtime inspects every error
 * (see `client/errors.ts`).
 */
export function quiet<E extends Error>(error: E): E {
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

/** Loaded late: a policy pack may not have it. */
function sdk(): typeof import("@pulumi/pulumi") {
  return require("@pulumi/pulumi");
}
