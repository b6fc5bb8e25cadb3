/** Takes secrets out of texts that came from elsewhere: the service's messages, a library's errors. */

import { isNativeError } from "node:util/types";

const MARK = "[redacted]";

/** Causes of causes beyond this are left out; a chain may also bite its own tail. */
const DEEPEST_CAUSE = 5;

/**
 * A function that replaces every occurrence of the secrets, plain or as JSON, URL or base64 would show them, in
 * upper or lower case: services like to change the case of addresses.
 * A text of one or two characters is no secret that could be told from any other text, so it is left.
 */
export function redactor(secrets: readonly (string | null | undefined)[]): (text: string) => string {
  const forms = new Set<string>();
  for (const secret of secrets) {
    if (!secret || secret.length < 3) continue;
    const json = JSON.stringify(secret).slice(1, -1);
    // Half of a surrogate pair cannot be encoded, and goes on the wire as U+FFFD.
    const encodable = secret.replace(/\p{Surrogate}/gu, "\ufffd");
    const bytes = Buffer.from(secret);
    forms.add(secret);
    forms.add(json);
    // PHP services, which this one resembles, write slashes in JSON as \/ and what is not ASCII as \u….
    forms.add(json.replaceAll("/", "\\/"));
    forms.add(asciiJson(json));
    forms.add(asciiJson(json).replaceAll("/", "\\/"));
    forms.add(encodeURIComponent(encodable));
    forms.add(encodeURIComponent(encodable).replaceAll("%20", "+"));
    forms.add(encodeURI(encodable));
    forms.add(bytes.toString("base64").replace(/=+$/, ""));
    forms.add(bytes.toString("base64url"));
  }
  // Longest first, so that a secret which contains another leaves no rest behind.
  const ordered = [...forms].sort((a, b) => b.length - a.length);
  return (text) => ordered.reduce(withoutForm, text);
}

/** No regular expression: a long secret would make one that is too large, and its error would show the secret. */
function withoutForm(text: string, form: string): string {
  const haystack = lowerCaseInPlace(text);
  const needle = lowerCaseInPlace(form);
  let rest = "";
  let from = 0;
  for (let at = haystack.indexOf(needle); at >= 0; at = haystack.indexOf(needle, from)) {
    rest += text.slice(from, at) + MARK;
    from = at + needle.length;
  }
  return rest + text.slice(from);
}

/** Lower case that keeps every character in its place, which `toLowerCase` of the whole text does not. */
function lowerCaseInPlace(text: string): string {
  return text.replace(/\p{Lu}/gu, (letter) => {
    const lower = letter.toLowerCase();
    return lower.length === letter.length ? lower : letter;
  });
}

function asciiJson(json: string): string {
  return json.replace(/[^\x20-\x7e]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/** One line of printable text of bounded length, redacted. Redaction comes first: a cut must not leave half a secret. */
export function sanitizeText(text: string, redact: (text: string) => string, maximum = 300): string {
  const line = redact(text)
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, " ")
    .trim();
  return line.length > maximum ? `${line.slice(0, maximum)}…` : line;
}

/** A plain copy of an error for use as `cause`: name, code and redacted message, nothing else of the original. */
export function sanitizeError(error: unknown, redact: (text: string) => string, depth = 1): Error {
  // Node's own errors are no instances of a `vm` context's Error, such as a test runner's.
  if (!(error instanceof Error || isNativeError(error)))
    return withoutFrames(new Error(sanitizeText(String(error), redact)));
  const copy = new Error(sanitizeText(error.message, redact));
  if (error.name !== "Error") copy.name = error.name;
  withoutFrames(copy);
  const code = errorCode(error);
  if (code !== undefined) Object.defineProperty(copy, "code", { value: code, enumerable: true });
  if (error.cause !== undefined && depth < DEEPEST_CAUSE) {
    copy.cause = sanitizeError(error.cause, redact, depth + 1);
  }
  return copy;
}

/** Where a copy was made says nothing, and is long to print. */
function withoutFrames(copy: Error): Error {
  copy.stack = String(copy);
  return copy;
}

/** The `code` of a system or library error, such as `ECONNREFUSED`. */
export function errorCode(error: unknown): string | undefined {
  if (typeof error !== "object" || error === null || !("code" in error)) return undefined;
  return typeof error.code === "string" ? error.code : undefined;
}
