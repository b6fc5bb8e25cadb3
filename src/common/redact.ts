/** Removes secrets from text that is not ours: the service's messages, a library's errors. */

import { isNativeError } from "node:util/types";
import { errorCode } from "./errors";
import { parseUrl, withoutCommands } from "./text";

/** Stands in place of what is removed. */
export const MARK = "[redacted]";

/** Maximum depth of the cause chain, which may be circular. */
const DEEPEST_CAUSE = 5;

/**
 * Length to which a text is cut before anything else is done with it: a service may send megabytes.
 */
const MAX_TEXT = 20_000;

/** Removes secrets that it knows from a text. */
export type Redactor = (text: string) => string;

/**
 * A function that replaces every occurrence of the secrets, plain or encoded as JSON, URL or
 * base64, in upper or lower case, as services may change the case of addresses. Secrets of one or
 * two characters are ignored: they would match everywhere. Prepared when it is first used, as that
 * takes time and most calls say nothing.
 */
export function redactor(secrets: readonly (string | null | undefined)[]): Redactor {
  let prepared: { needles: ReadonlySet<string>; longest: number } | undefined;

  return (text) => {
    prepared ??= prepare(secrets);
    // The rest of a secret that was cut begins after the part that is kept.
    return without(prepared.needles, text.slice(0, MAX_TEXT + prepared.longest));
  };
}

function prepare(secrets: readonly (string | null | undefined)[]) {
  const needles = new Set<string>();
  for (const secret of secrets.flatMap(asParsed)) {
    const json = JSON.stringify(secret).slice(1, -1);
    // A lone surrogate cannot be encoded and is sent as U+FFFD.
    const encodable = secret.replace(/\p{Surrogate}/gu, "\ufffd");
    const bytes = Buffer.from(secret);
    const forms = [
      secret,
      json,
      // PHP escapes slashes in JSON as \/ and non-ASCII characters as \u….
      json.replaceAll("/", "\\/"),
      asciiJson(json),
      asciiJson(json).replaceAll("/", "\\/"),
      encodeURIComponent(encodable),
      encodeURIComponent(encodable).replaceAll("%20", "+"),
      encodeURI(encodable),
      bytes.toString("base64").replace(/=+$/, ""),
      bytes.toString("base64url"),
    ];

    for (const form of forms) needles.add(lowerCaseInPlace(form));
  }

  return { needles, longest: Math.max(0, ...[...needles].map(({ length }) => length)) };
}

/**
 * A secret and, if it is an address, the spelling that a URL parser gives it: a host has more than
 * one.
 */
function asParsed(secret: string | null | undefined): string[] {
  if (!secret || secret.length < 3) return [];
  const parsed = parseUrl(secret)?.href.replace(/\/$/, "") ?? secret;

  return [secret, secret.replace(OTHER_STOPS, "."), parsed];
}

/** Full stops that mean the same in a host. */
const OTHER_STOPS = /[\u3002\uff0e\uff61]/g;

/**
 * The first {@link MAX_TEXT} characters without secrets. Not a regular expression: a long secret
 * could exceed its size limit, and the error would show the secret.
 */
function without(needles: ReadonlySet<string>, text: string): string {
  const haystack = lowerCaseInPlace(text);
  const found: { from: number; to: number }[] = [];

  for (const needle of needles) {
    for (let from = haystack.indexOf(needle); from >= 0; ) {
      const to = from + needle.length;
      found.push({ from, to });
      from = haystack.indexOf(needle, to);
    }
  }

  if (found.length === 0) return text.slice(0, MAX_TEXT);

  let rest = "";
  let end = 0;

  for (const { from, to } of found.sort((a, b) => a.from - b.from)) {
    if (from >= MAX_TEXT) break;
    // One secret may contain or overlap another.
    if (from >= end) rest += text.slice(end, from) + MARK;
    end = Math.max(end, to);
  }

  return rest + text.slice(end, MAX_TEXT);
}

/** Lower case without changing positions, unlike `toLowerCase` of a whole text outside ASCII. */
function lowerCaseInPlace(text: string): string {
  if (/^[\0-\x7f]*$/.test(text)) return text.toLowerCase();
  return text.replace(/\p{Lu}/gu, (letter) => {
    const lower = letter.toLowerCase();
    return lower.length === letter.length ? lower : letter;
  });
}

function asciiJson(json: string): string {
  return json.replace(
    /[^\x20-\x7e]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/**
 * Sequences that a terminal obeys, and characters that show nothing or turn what follows around.
 */
const INVISIBLE =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the escape that begins such a sequence
  /(?:\u001b\[[\d;?]*[ -/]*[@-~]|(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\s])+/gu;

/**
 * One line of printable text of limited length, without what a terminal, Pulumi's display or a
 * pipeline would obey. Redacted before it is cut, so that no part of a secret remains. The joiners
 * U+200C and U+200D are kept: emoji, Persian and the scripts of India are spelled with them.
 */
export function sanitizeText(text: string, redact: Redactor, maximum = 300): string {
  const printable = redact(text).slice(0, MAX_TEXT).replace(INVISIBLE, " ").trim();
  // Pulumi's display takes `<{%fg 1%}>` for a color.
  const line = withoutCommands(printable).replaceAll("<{%", "<{ %");

  return line.length > maximum
    ? `${line.slice(0, maximum).replace(/[\ud800-\udbff]$/, "")}…`
    : line;
}

/** As {@link sanitizeText}, of a text in which nothing is secret. */
export function oneLine(text: string, maximum?: number): string {
  return sanitizeText(text, (same) => same, maximum);
}

/**
 * As {@link oneLine}, of a whole message, although texts of the service and reasons may contain
 * line breaks.
 */
export function messageLine(text: string): string {
  return oneLine(text, 2000);
}

/** A plain copy of an error for use as `cause`: only name, code and redacted message. */
export function sanitizeError(error: unknown, redact: Redactor, depth = 1): Error {
  // In a `vm` context, such as a test runner's, Node's errors are not `instanceof Error`.
  const isError = error instanceof Error || isNativeError(error);
  const copy = new Error(sanitizeText(isError ? error.message : String(error), redact));

  if (isError && error.name !== "Error") copy.name = error.name;
  // The stack of a copy is meaningless and long.
  copy.stack = String(copy);
  if (!isError) return copy;

  const code = errorCode(error);

  if (code !== undefined) Object.defineProperty(copy, "code", { value: code, enumerable: true });
  if (error.cause !== undefined && depth < DEEPEST_CAUSE) {
    copy.cause = sanitizeError(error.cause, redact, depth + 1);
  }

  return copy;
}
