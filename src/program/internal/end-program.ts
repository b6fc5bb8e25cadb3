/** Errors that end a Pulumi program with their message alone, without a stack trace. */

/** An error for a mistake that the user can mend: one line is all there is to say. */
export function endProgram(message: string): Error {
  return quiet(new (sdk().RunError)(message));
}

/**
 * Marks an error so that a program which does not catch it ends with its message alone; its type and fields stay, for
 * programs that do. Without a stack, as the run-time inspects every error (see `client/errors.ts`).
 */
export function quiet<E extends Error>(error: E): E {
  Object.defineProperty(error, "__pulumiRunError", { value: true });
  error.stack = error.message;
  silenceLateHandling();
  return error;
}

/**
 * The SDK looks at a program's outputs one after the other. One that fails before its turn has ended the program, and been
 * told, when the SDK gets there; Node would then warn that its rejection was handled late.
 */
function silenceLateHandling(): void {
  // Whoever listens has switched Node's warning off, another copy of this package included.
  if (process.listenerCount("rejectionHandled") > 0) return;
  process.on("rejectionHandled", (promise) => {
    promise.catch((reason: unknown) => {
      if (!sdk().RunError.isInstance(reason))
        process.emitWarning("Promise rejection was handled asynchronously", "PromiseRejectionHandledWarning");
    });
  });
}

/** Loaded in every program; a policy pack may do without. */
function sdk(): typeof import("@pulumi/pulumi") {
  return require("@pulumi/pulumi");
}
