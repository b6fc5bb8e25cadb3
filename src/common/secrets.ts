/**
 * Texts that are not ours: the service's messages, a library's errors. What is secret is removed,
 * and what remains is one line that can be printed. Secrets are known, or may be somebody's and are
 * recognised by their form: a destination, a key, a telephone number. Hosts, dates and amounts are shown.
 */
import { MAX_TEXT, parseUrl, type Redactor, sanitizeText } from "./text";

/** Stands in place of what is removed. */
const MARK = "[redacted]";

/**
 * A function that replaces every occurrence of the secrets, plain or encoded as JSON, URL or
 * base64, in upper or lower case, because services may change the case of addresses. Secrets of one
 * or two characters are ignored: they would match everywhere. Prepared when it is first used,
 * because that takes time and most calls show no text.
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
 * The gate for the texts of a service that knows these secrets: messages and reasons. Besides what
 * is known to be secret it hides what may be somebody's secret by its form, such as a destination
 * of another channel. Everything else is shown.
 * @param publicTexts what its caller shows anyway, such as a label or an id: their words may stand
 * in a text as they are
 */
export function quoter(
  secrets: readonly (string | null | undefined)[],
  publicTexts: readonly (string | undefined)[] = [],
  redact = redactor(secrets),
): Quote {
  const gate: Redactor = (text) => {
    const isPublic = publicWords(publicTexts.filter((one) => !secrets.includes(one)));
    const unrecognised = withoutForms(shortened(redact(text)), MARK, isPublic);
    const quoted = withoutParts(unrecognised, secrets, isPublic);

    return quoted.replace(/\[redacted\](?:\s+\[redacted\])+/g, MARK);
  };

  return (text, maximum) => sanitizeText(text, gate, maximum);
}

/** A word that is cut could look harmless. */
function shortened(text: string): string {
  return text.length > MAX_QUOTED ? `${text.slice(0, MAX_QUOTED).replace(/\S*$/, "")}…` : text;
}

const AROUND_WORDS = /^[^\p{L}\p{N}+#]+|[^\p{L}\p{N}]+$/gu;

/** A word without the punctuation around it, in lower case. */
function coreOf(word: string): string {
  return word.replace(AROUND_WORDS, "").toLowerCase();
}

/** Whether words that follow each other stand in one of these texts. */
function publicWords(texts: readonly (string | undefined)[]): (words: string) => boolean {
  const coresOf = (text: string) => ` ${text.split(/\s+/).map(coreOf).join(" ")} `;
  const known = texts.map((text) => coresOf(text ?? ""));

  return (words) => known.some((text) => text.includes(coresOf(words)));
}

/**
 * A text without the words that have parts of secrets, whatever stands between their letters and
 * digits.
 */
function withoutParts(
  text: string,
  secrets: readonly (string | null | undefined)[],
  isPublic: (words: string) => boolean,
): string {
  const parts = secrets.map((secret) => partsOf(secret ?? ""));
  const words = text.split(/(\s+)/);
  const letters = words.flatMap((word, at) =>
    word === MARK || isPublic(word) ? [] : [...lettersOf(word)].map((letter) => ({ letter, at })),
  );

  const found = new Set<number>();

  for (const from of letters.keys()) {
    const run = letters.slice(from, from + MIN_PART);
    const part = run.map(({ letter }) => letter).join("");
    const isSecret = part.length === MIN_PART && parts.some((secret) => secret.includes(part));

    if (isSecret) for (const { at } of run) found.add(at);
  }

  return words.map((word, at) => (found.has(at) ? MARK : word)).join("");
}

/**
 * The letters and digits of a secret. The scheme and the host of an address don't count, because
 * other addresses share them.
 */
function partsOf(secret: string): string {
  const [origin = ""] = /^[a-z][a-z\d+.-]*:\/\/[^/?#@]*(?=[/?#]|$)/i.exec(secret) ?? [];
  const isPublic = Math.max(0, lettersOf(origin).length - (MIN_PART - 1));

  return lettersOf(secret).slice(isPublic);
}

function lettersOf(text: string): string {
  return text.toLowerCase().replace(/[^a-z\d]/g, "");
}

/** A host that follows an `@`, also with the full stops of other scripts. */
const HOST = "[\\p{L}\\p{N}](?:[\\p{L}\\p{N}.\u3002\uff0e\uff61-]*[\\p{L}\\p{N}])?";

/** A key in the name of a host: a long run with a digit, or the beginning of a UUID. */
const KEY = "(?:(?=[a-z]*\\d)[a-z\\d]{16}|[\\da-f]{8}-[\\da-f]{4}-)";

/** A part of a host's name, of 63 characters at most, unless it may be a key or hold one. */
const LABEL = `(?![a-z\\d]{16}|[\\p{L}\\p{N}_-]{0,63}${KEY})[\\p{L}\\p{N}](?:[\\p{L}\\p{N}_-]*[\\p{L}\\p{N}])?`;

const DAY = "(?:0?[1-9]|[12]\\d|3[01])";
const MONTH = "(?:0?[1-9]|1[0-2])";
const DATE = `(?:\\d{4}[-/.]${MONTH}[-/.]${DAY}|${DAY}[/.-]${MONTH}[/.-]\\d{4}|${MONTH}/${DAY}/\\d{4})`;
const TIME = "\\d{2}:\\d{2}(?::\\d{2}(?:\\.\\d{1,9})?)?(?:Z|[+-]\\d{2}:?\\d{2})?";
const BYTE = "(?:1?\\d?\\d|2[0-5]\\d)";
const UNIT = "(?:[kmgt]?i?b|bytes|[mµ]?s|(?:milli)?seconds|%|€|\\$|£|EUR|USD|GBP|CHF)";

const START = "(?<![\\p{L}\\p{N}+])";
const END = "(?![\\p{L}\\p{N}])";

/** Forms, and the part that is shown; the first match counts. */
const FORMS: readonly { form: string; shown: (text: string) => string | undefined }[] = [
  // An address on the web, also with the slashes as PHP escapes them.
  { form: "[a-z][a-z\\d+.-]*:(?:\\\\?/){2}\\S*", shown: withoutPath },
  { form: "[a-z][a-z\\d+.-]*%3a%2f%2f\\S*", shown: nothing },
  {
    // An e-mail address.
    form: `(?:"[^"\\n]*"|[^\\s@\uff20<>()[\\]"“”«»,;:]+)(?:[@\uff20]|%40)${HOST}`,
    shown: (text) => text.replace(/^.*(?:[@\uff20]|%40)/isu, "…@"),
  },
  {
    // A host, and an address without its scheme.
    form: `${START}(?:${LABEL}\\.)+\\p{L}{2,24}(?::\\d{1,5})?(?![\\p{L}\\p{N}_-]|:\\\\?/)(?:[/?]\\S*)?`,
    shown: withoutPath,
  },
  {
    // A date, with or without a time.
    form: `${START}${DATE}(?:[ T]${TIME})?(?![-/.]?\\d)${END}`,
    shown: whole,
  },
  // An amount: with commas between thousands, or a unit.
  { form: `${START}[1-9]\\d{0,2}(?:,\\d{3})+(?:\\.\\d+)?${END}`, shown: whole },
  { form: `${START}[1-9]\\d*(?:\\.\\d+)? ?${UNIT}${END}`, shown: whole },
  // The two codes with which a mail server refuses, and the address of one.
  { form: `${START}[245]\\d\\d[ -][245]\\.\\d{1,3}\\.\\d{1,3}${END}`, shown: whole },
  {
    form: `${START}${BYTE}(?:\\.${BYTE}){3}(?!\\.?\\d)${END}`,
    shown: whole,
  },
  // A key, an encoded one, or a path that may have one.
  { form: "(?=[a-z_+/=-]*\\d)(?=[\\d_+/=-]*[a-z])[a-z\\d_+/=-]{16,}", shown: nothing },
  // A number such as a telephone's, however it is grouped.
  { form: "\\+?\\p{Nd}(?:[^\\p{L}\\p{N},;:!?]{0,3}\\p{Nd}){6,}", shown: nothing },
];

const ANY_FORM = new RegExp(FORMS.map(({ form }) => `(${form})`).join("|"), "giu");

/**
 * A text without what may be somebody's secret. @param mark stands in place of what is hidden whole
 * @param isPublic whether what was recognised is known to be no secret
 */
function withoutForms(text: string, mark: string, isPublic: (words: string) => boolean): string {
  return text.replace(ANY_FORM, (found: string, ...groups: unknown[]) => {
    if (isPublic(found)) return found;

    const index = groups.findIndex((group) => group !== undefined);

    return FORMS[index]?.shown(found) ?? mark;
  });
}

function whole(text: string): string {
  return text;
}

function nothing(): undefined {}

/** Scheme, host and path of an address. What comes before an `@` is a user name or a password. */
const ADDRESS =
  /^([^/]*:\/\/)?(?:[^/?#\\]*@)?((?:\[[\da-f:.]+\]?|[\p{L}\p{N}._-]*)(?::\d{1,5})?)(.*)$/isu;

/** Scheme and host of an address, and the punctuation after it. */
function withoutPath(address: string): string {
  const [end = ""] = /[^\p{L}\p{N}/]*$/u.exec(address) ?? [];
  const plain = address.slice(0, address.length - end.length).replaceAll("\\/", "/");
  const [, scheme = "", host = "", path = ""] = ADDRESS.exec(plain) ?? [];

  return scheme + host + (path.length > 1 ? "/…" : path) + end;
}
