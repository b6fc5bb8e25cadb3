/** Errors that end a Pulumi program with their message alone, without a stack trace. */
import * as pulumi from "@pulumi/pulumi";

/** An error for a mistake that the user can mend: one line is all there is to say. */
export function endProgram(message: string): Error {
  return quiet(new pulumi.RunError(message));
}

/**
 * Marks an error so that a program which does not catch it ends with its message alone; its type and fields stay, for
 * programs that do. Node 20.20 and 22.23 spend 14 s on printing such a stack in color, hence no stack.
 */
export function quiet<E extends Error>(error: E): E {
  Object.defineProperty(error, "__pulumiRunError", { value: true });
  error.stack = error.message;
  return error;
}
