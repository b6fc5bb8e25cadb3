/**
 * The gate for what a service says: what may be repeated of its free texts, such as messages and reasons. They are words and short
 * numbers. Everything else may be a destination, also one of another channel, which no redactor knows.
 */
import { hide, MARK, type Redactor, redactor } from "./redact";

/** Length to which a text of the service is cut. */
export const MAX_QUOTED = 2000;

/** Words that are longer may be keys. */
const MAX_WORD = 20;

/** Four digits or more without a letter between them, such as a telephone number, however it is grouped. */
const LONG_NUMBER = /\p{N}(?:[^\p{L}\p{N}]*\p{N}){3,}/gu;

const WORD = /^[\p{L}\p{M}\u200c\u200d]+(?:['’-][\p{L}\p{M}\u200c\u200d]+)*$/u;
const NUMBER = /^\p{N}+$/u;

/** Punctuation that may stand between words without a space, and that which may also begin or end them. */
const BETWEEN = ',;!?()[\\]{}"“”„«»…–—¿¡،؛؟।、。，；！？「」（）';
const BETWEEN_WORDS = new RegExp(`[${BETWEEN}]+`, "u");
const AROUND_WORDS = new RegExp(`^[${BETWEEN}.:\`'‘’-]+|[${BETWEEN}.:\`'‘’%-]+$`, "gu");

/** Names on the wire that are not words (interface.md, sections 2.1, 2.4 and 4.4), also with an index. */
const WIRE_NAMES: ReadonlySet<string> = new Set([
  "domain_id",
  "secondary_value",
  "whois_notifications_enabled",
  "dns_notifications_enabled",
  "ssl_notifications_enabled",
  "type_human",
  "is_protected",
  "is_disabled",
  "disabled_reason",
  "last_notification_sent_at",
  "last_notification_sent_at_human",
  "created_at",
  "created_at_human",
  "ms_teams",
  "whois_check_interval",
  "dns_check_interval",
  "enabled_dns_records",
]);

/** Letters and digits of a secret in a row that give a part of it away. Fewer may be a word by chance. */
const MIN_PART = 10;

/** A secret is looked for in parts up to this length, as every part of a text is compared with it. */
const MAX_SECRET = 1000;

/**
 * The gate for the texts of a service that knows these secrets.
 * @param publicTexts what its caller shows anyway, such as a label or an id: their words may stand in a text as they are
 */
export function quoter(
  secrets: readonly (string | null | undefined)[],
  publicTexts: readonly string[] = [],
  redact = redactor(secrets),
): Redactor {
  let prepared: { parts: readonly string[]; publicWords: ReadonlySet<string> } | undefined;
  return (text) => {
    prepared ??= {
      parts: secrets.flatMap((secret) => (secret ? formsInParts(secret) : [])),
      publicWords: new Set(publicTexts.filter((one) => !secrets.includes(one)).flatMap(wordsOf)),
    };
    const { parts, publicWords } = prepared;
    return quotable(redact(text), parts, publicWords);
  };
}

/** The letters and digits of a secret, plain and in encodings, of which a part is still the secret's. */
function formsInParts(secret: string): string[] {
  const bytes = Buffer.from(secret.slice(0, MAX_SECRET));
  // Three characters of base64 are two bytes and a part of the next: what stands before the secret decides about its form.
  const inBase64 = [0, 1, 2].map((before) => {
    const text = Buffer.concat([Buffer.alloc(before), bytes]).toString("base64");
    return text.slice(Math.ceil((before * 8) / 6));
  });
  return [bytes.toString(), bytes.toString("hex"), ...inBase64].map((form) =>
    form.replace(/[^a-z\d]/gi, "").toLowerCase(),
  );
}

function wordsOf(text: string): string[] {
  return text.split(/\s+/).map(coreOf);
}

/** A word without the punctuation around it, in lower case. */
function coreOf(word: string): string {
  return word.replace(AROUND_WORDS, "").toLowerCase();
}

/**
 * What may be repeated of a text.
 * @param parts letters and digits, of which so many in a row may not
 * @param publicWords in lower case
 */
function quotable(text: string, parts: readonly string[], publicWords: ReadonlySet<string>): string {
  // A word that is cut could look harmless.
  const cut = text.length > MAX_QUOTED ? `${text.slice(0, MAX_QUOTED).replace(/\S*$/, "")}…` : text;
  let quoted = "";
  let others = "";
  for (const word of cut.match(/\s*\S+/g) ?? []) {
    if (publicWords.has(coreOf(word.trim()))) {
      quoted += harmless(others, parts) + word;
      others = "";
    } else others += word;
  }
  return (quoted + harmless(others, parts)).replace(/\[redacted\](?:\s+\[redacted\])+/g, MARK);
}

/** Not a word, and neither is anything that contains it. */
const NO_WORD = "\0";

function harmless(text: string, parts: readonly string[]): string {
  return hide(text, partsIn(text, parts), NO_WORD)
    .replaceAll(MARK, NO_WORD)
    .replace(LONG_NUMBER, NO_WORD)
    .replace(/\S+/g, (word) => {
      const core = word.replace(AROUND_WORDS, "");
      if (core.split(BETWEEN_WORDS).every(isHarmless)) return word;
      const at = word.indexOf(core);
      return word.slice(0, at) + MARK + word.slice(at + core.length);
    });
}

/** Where a text has parts of secrets, whatever stands between their letters and digits. */
function partsIn(text: string, secrets: readonly string[]) {
  const places = [...text.matchAll(/[a-z\d]/gi)].map(({ index }) => index);
  const letters = places.map((place) => text.charAt(place).toLowerCase()).join("");
  return places.flatMap((from, at) => {
    const part = letters.slice(at, at + MIN_PART);
    const last = places[at + MIN_PART - 1];
    const isSecret = last !== undefined && secrets.some((secret) => secret.includes(part));
    return isSecret ? [{ from, to: last + 1 }] : [];
  });
}

/** Whether a text is the name of a field, or of a type, on the wire. Such a name is never secret. */
export function isWireName(text: string): boolean {
  return WIRE_NAMES.has(text.replace(/\.\d{1,3}$/, ""));
}

function isHarmless(part: string): boolean {
  return (
    part === "" ||
    NUMBER.test(part) ||
    isWireName(part) ||
    (part.length <= 2 * MAX_WORD && [...part].length <= MAX_WORD && WORD.test(part))
  );
}
