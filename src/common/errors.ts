/** Facts about errors that other code throws. */

/** The message of a thrown value, or its text if it is not an error. */
export function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}

/** The `code` of a system or library error, such as `ECONNREFUSED`. */
export function errorCode(error: unknown): string | undefined {
  // An object even if the error is a string or null.
  const { code }: { code?: unknown } = Object(error);
  return typeof code === "string" ? code : undefined;
}
