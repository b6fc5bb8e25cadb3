/**
 * Texts that are not ours: the service's messages, a library's errors. The secrets of the call are
 * removed, in every encoding and in parts. The rest is shown, in one line that can be printed.
 */
import { MAX_TEXT, parseUrl, type Redactor, sanitizeText } from "./text";

/** Whatever must not be shown; missing ones are ignored. */
export type Secrets = readonly (string | null | undefined)[];

/** Stands in place of what is removed. */
const REDACTED = "[redacted]";

/**
 * A function that replaces every occurrence of the secrets, plain or encoded as JSON, URL or
 * base64, in upper or lower case, because services may change the case of addresses. Secrets of one
 * or two characters are ignored: they would match everywhere. Prepared when it is first used,
 * because that takes time and most calls show no text.
 */
export function redactor(secrets: Secrets): Redactor {
  let prepared: { needles: ReadonlySet<string>; longest: number } | undefined;

  return (text) => {
    prepared ??= prepare(secrets);
    // The rest of a secret that was cut begins after the part that is kept.
    return without(prepared.needles, text.slice(0, MAX_TEXT + prepared.longest));
  };
}

function prepare(secrets: Secrets) {
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
    if (from >= end) rest += text.slice(end, from) + REDACTED;
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

/** Length to which a text of the service is cut. */
export const MAX_QUOTED = 2000;

/**
 * Letters and digits of a secret in a row that give a part of it away. Fewer may be a word by
 * chance.
 */
const MIN_PART = 10;

/** Returns what may be repeated of a text, in one line of limited length. */
export type Quote = (text: string, maximum?: number) => string;

/**
 * The gate for the texts of a service that knows these secrets: messages and reasons.
 * @param publicTexts what its caller shows anyway, such as a label or an id: their words may stand
 * in a text as they are
 */
export function quoter(
  secrets: Secrets,
  publicTexts: readonly (string | undefined)[] = [],
  redact = redactor(secrets),
): Quote {
  const gate: Redactor = (text) => {
    const isPublic = wordsOf(publicTexts.filter((one) => !secrets.includes(one)));
    const quoted = withoutParts(cutAtWord(redact(text)), secrets, isPublic);

    return quoted.replace(/\[redacted\](?:\s+\[redacted\])+/g, REDACTED);
  };

  return (text, maximum) => sanitizeText(text, gate, maximum);
}

/** A word that is cut could look harmless. */
function cutAtWord(text: string): string {
  return text.length > MAX_QUOTED ? `${text.slice(0, MAX_QUOTED).replace(/\S*$/, "")}…` : text;
}

const AROUND_WORDS = /^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu;

/** A word without the punctuation around it, in lower case. */
function coreOf(word: string): string {
  return word.replace(AROUND_WORDS, "").toLowerCase();
}

/** Whether a word stands in one of these texts. */
function wordsOf(texts: readonly (string | undefined)[]): (word: string) => boolean {
  const words = new Set(texts.flatMap((text) => (text ?? "").split(/\s+/).map(coreOf)));

  return (word) => words.has(coreOf(word));
}

/**
 * A text without the words that have parts of secrets, whatever stands between their letters and
 * digits.
 */
function withoutParts(text: string, secrets: Secrets, isPublic: (word: string) => boolean): string {
  const parts = secrets.flatMap((secret) => partsOf(secret ?? ""));
  const words = text.split(/(\s+)/);
  const letters = words.flatMap((word, at) =>
    word === REDACTED || isPublic(word)
      ? []
      : [...lettersOf(word)].map((letter) => ({ letter, at })),
  );

  const found = new Set<number>();

  for (const from of letters.keys()) {
    const run = letters.slice(from, from + MIN_PART);
    const part = run.map(({ letter }) => letter).join("");
    const isSecret = part.length === MIN_PART && parts.some((secret) => secret.includes(part));

    if (isSecret) for (const { at } of run) found.add(at);
  }

  return words.map((word, at) => (found.has(at) ? REDACTED : word)).join("");
}

/**
 * The letters and digits of a secret, plain and encoded. The scheme and the host of an address
 * don't count, because other addresses share them.
 */
function partsOf(secret: string): string[] {
  const [origin = ""] = /^[a-z][a-z\d+.-]*:\/\/[^/?#@]*(?=[/?#]|$)/i.exec(secret) ?? [];
  const isPublic = Math.max(0, lettersOf(origin).length - (MIN_PART - 1));
  const plain = lettersOf(secret).slice(isPublic);

  return [plain, ...encoded(secret.slice(origin.length)).map(lettersOf)];
}

/**
 * A text in hex and in base64. What stands before it in a longer text decides which of three
 * spellings base64 has.
 */
function encoded(text: string): string[] {
  const bytes = Buffer.from(text);
  const spellings = ["", " ", "  "].map((before) =>
    Buffer.concat([Buffer.from(before), bytes]).toString("base64"),
  );

  return [bytes.toString("hex"), ...spellings];
}

function lettersOf(text: string): string {
  return text.toLowerCase().replace(/[^a-z\d]/g, "");
}
