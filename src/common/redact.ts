/** Removes secrets from texts of others: the service's messages, a library's errors. */

import { isNativeError } from "node:util/types";
import { errorCode } from "./errors";
import { UUID } from "./uuid";

const MARK = "[redacted]";

/** Maximum depth of the cause chain, which may be circular. */
const DEEPEST_CAUSE = 5;

/**
 * A function that replaces every occurrence of the secrets, plain or encoded as JSON, URL or base64, in upper
 * or lower case, as services may change the case of addresses. Secrets of one or two characters are ignored: they would
 * match everywhere.
 */
export function redactor(secrets: readonly (string | null | undefined)[]): (text: string) => string {
  const forms = new Set<string>();
  for (const secret of secrets) {
    if (!secret || secret.length < 3) continue;
    const json = JSON.stringify(secret).slice(1, -1);
    // A lone surrogate cannot be encoded and is sent as U+FFFD.
    const encodable = secret.replace(/\p{Surrogate}/gu, "\ufffd");
    const bytes = Buffer.from(secret);
    forms.add(secret);
    forms.add(json);
    // PHP escapes slashes in JSON as \/ and non-ASCII characters as \u….
    forms.add(json.replaceAll("/", "\\/"));
    forms.add(asciiJson(json));
    forms.add(asciiJson(json).replaceAll("/", "\\/"));
    forms.add(encodeURIComponent(encodable));
    forms.add(encodeURIComponent(encodable).replaceAll("%20", "+"));
    forms.add(encodeURI(encodable));
    forms.add(bytes.toString("base64").replace(/=+$/, ""));
    forms.add(bytes.toString("base64url"));
  }
  // Longest first, so that a secret that contains another is replaced completely.
  const ordered = [...forms].sort((a, b) => b.length - a.length);
  return (text) => ordered.reduce(withoutForm, text);
}

/** A telephone number with its country code. */
const TELEPHONE = /\+\d[\d\s().-]{5,}\d/g;

/** A word that is longer is taken for a key. */
const MAX_WORD = 100;

/**
 * Takes out of a text of the service what looks like a destination: an address, a URL with or without its scheme, a telephone
 * number, a key. The service may quote one that was declared earlier, which no redactor knows.
 */
export function withoutDestinations(text: string): string {
  return text.replace(TELEPHONE, MARK).replace(/\S+/g, (word) => {
    if (word.length > MAX_WORD) return MARK;
    const end = word.search(/[.,;:!?)"'\]]*$/);
    return looksLikeDestination(word.slice(0, end)) ? MARK + word.slice(end) : word;
  });
}

function looksLikeDestination(word: string): boolean {
  return /@|:\/\/|\.[^/]*\/|\/.*\//.test(word) || (/[\w-]{20}/.test(word) && !UUID.test(word));
}

/** Not a regular expression: a long secret could exceed its size limit, and the error would show the secret. */
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

/** Lower case without changing positions, unlike `toLowerCase` of the whole text. */
function lowerCaseInPlace(text: string): string {
  return text.replace(/\p{Lu}/gu, (letter) => {
    const lower = letter.toLowerCase();
    return lower.length === letter.length ? lower : letter;
  });
}

function asciiJson(json: string): string {
  return json.replace(/[^\x20-\x7e]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/**
 * One line of printable text of limited length. Redacted before it is cut, so that no part of a secret remains. The joiners
 * U+200C and U+200D are kept: emoji, Persian and the scripts of India are spelled with them.
 */
export function sanitizeText(text: string, redact: (text: string) => string, maximum = 300): string {
  const line = redact(text)
    .replace(/(?:(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s])+/gu, " ")
    .trim();
  return line.length > maximum ? `${line.slice(0, maximum)}…` : line;
}

/** A plain copy of an error for use as `cause`: only name, code and redacted message. */
export function sanitizeError(error: unknown, redact: (text: string) => string, depth = 1): Error {
  // In a `vm` context, such as a test runner's, Node's errors are not `instanceof Error`.
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

/** The stack of a copy is meaningless and long. */
function withoutFrames(copy: Error): Error {
  copy.stack = String(copy);
  return copy;
}
