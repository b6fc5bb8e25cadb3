/** Takes secrets out of texts that came from elsewhere: the service's messages, a library's errors. */

const MARK = "[redacted]";

/**
 * A function that replaces every occurrence of the secrets, plain or as JSON, URL or base64 would show them.
 * A text of one or two characters is no secret that could be told from any other text, so it is left.
 */
export function redactor(secrets: readonly (string | null | undefined)[]): (text: string) => string {
  const forms = new Set<string>();
  for (const secret of secrets) {
    if (!secret || secret.length < 3) continue;
    forms.add(secret);
    forms.add(JSON.stringify(secret).slice(1, -1));
    forms.add(encodeURIComponent(secret));
    forms.add(encodeURI(secret));
    forms.add(Buffer.from(secret).toString("base64"));
    // PHP services, which this one resembles, write slashes in JSON as \/.
    forms.add(JSON.stringify(secret).slice(1, -1).replaceAll("/", "\\/"));
  }
  // Longest first, so that a secret which contains another leaves no rest behind.
  const ordered = [...forms].sort((a, b) => b.length - a.length);
  return (text) => ordered.reduce((rest, form) => rest.replaceAll(form, MARK), text);
}

/** One line of printable text of bounded length, redacted. Redaction comes first: a cut must not leave half a secret. */
export function foreignText(text: string, redact: (text: string) => string, maximum = 300): string {
  const line = redact(text)
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, " ")
    .trim();
  return line.length > maximum ? `${line.slice(0, maximum)}…` : line;
}

/** A plain copy of an error for use as `cause`: name, code and redacted message, nothing else of the original. */
export function foreignError(error: unknown, redact: (text: string) => string): Error {
  if (!(error instanceof Error)) return new Error(foreignText(String(error), redact));
  const copy = new Error(foreignText(error.message, redact));
  if (error.name !== "Error") copy.name = error.name;
  const code = errorCode(error);
  if (code !== undefined) Object.defineProperty(copy, "code", { value: code, enumerable: true });
  if (error.cause !== undefined && error.cause !== error) copy.cause = foreignError(error.cause, redact);
  return copy;
}

/** The `code` of a system or library error, such as `ECONNREFUSED`. */
export function errorCode(error: unknown): string | undefined {
  if (typeof error !== "object" || error === null || !("code" in error)) return undefined;
  return typeof error.code === "string" ? error.code : undefined;
}
