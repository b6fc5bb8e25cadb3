/**
 * The gate for what a service says: what may be repeated of its free texts, such as messages and
 * reasons. They are words and short numbers. Everything else may be a destination, also one of
 * another channel, which no redactor knows, or a secret in an encoding.
 */
import { MARK, type Redactor, redactor, sanitizeText } from "./redact";

/** Length to which a text of the service is cut. */
export const MAX_QUOTED = 2000;

/** Words that are longer may be keys. */
const MAX_WORD = 20;

/**
 * Four digits or more without a letter between them, such as a telephone number, however it is
 * grouped.
 */
const LONG_NUMBER = /\p{N}(?:[^\p{L}\p{N}]*\p{N}){3,}/gu;

const LETTERS = "[\\p{L}\\p{M}\\u200c\\u200d]+";
const WORD = new RegExp(`^${LETTERS}(?:['’_-]${LETTERS})*$`, "u");
const NUMBER = /^\p{N}+$/u;

/**
 * Punctuation that may stand between words without a space, and that which may also begin or end
 * them.
 */
const BETWEEN = ',;!?()[\\]{}"“”„«»…–—¿¡،؛؟।、。，；！？「」（）';
const BETWEEN_WORDS = new RegExp(`[${BETWEEN}]+`, "u");
const AROUND_WORDS = new RegExp(`^[${BETWEEN}.:\`'‘’-]+|[${BETWEEN}.:\`'‘’%-]+$`, "gu");

/**
 * Names on the wire that are not words (interface.md, sections 2.1, 2.4 and 4.4), also with an
 * index.
 */
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

/**
 * Letters and digits of a secret in a row that give a part of it away. Fewer may be a word by
 * chance.
 */
const MIN_PART = 10;

/** Not a word, and neither is anything that contains it. */
const NO_WORD = "\0";

/** Returns what may be repeated of a text, in one line of limited length. */
export type Quote = (text: string, maximum?: number) => string;

/**
 * The gate for the texts of a service that knows these secrets.
 * @param publicTexts what its caller shows anyway, such as a label or an id: their words may stand
 * in a text as they are
 */
export function quoter(
  secrets: readonly (string | null | undefined)[],
  publicTexts: readonly (string | undefined)[] = [],
  redact = redactor(secrets),
): Quote {
  const gate: Redactor = (text) => {
    const shown = publicTexts.filter((one) => !secrets.includes(one)).join(" ");
    const publicWords = new Set(shown.split(/\s+/).map(coreOf));
    const words = shortened(redact(text).replaceAll(MARK, NO_WORD)).split(/\s+/);
    const foreign = words.map((word) => (publicWords.has(coreOf(word)) ? "" : word));
    const unknown = withoutParts(foreign, secrets).join(" ");
    const checked = unknown.replace(LONG_NUMBER, withoutDigits).split(" ");
    const quoted = checked.map((word, at) => (word === "" ? words[at] : quotable(word)));

    return quoted.join(" ").replace(/\[redacted\](?: \[redacted\])+/g, MARK);
  };

  return (text, maximum) => sanitizeText(text, gate, maximum);
}

/**
 * Words without those that have parts of secrets, whatever stands between their letters and digits.
 */
function withoutParts(
  words: readonly string[],
  secrets: readonly (string | null | undefined)[],
): string[] {
  const hidden = secrets.map((secret) => lettersOf(secret ?? ""));
  const letters = words.flatMap((word, at) =>
    [...lettersOf(word)].map((letter) => ({ letter, at })),
  );

  const found = new Set<number>();

  for (const from of letters.keys()) {
    const run = letters.slice(from, from + MIN_PART);
    const part = run.map(({ letter }) => letter).join("");
    const isSecret = part.length === MIN_PART && hidden.some((secret) => secret.includes(part));

    if (isSecret) for (const { at } of run) found.add(at);
  }

  return words.map((word, at) => (found.has(at) ? NO_WORD : word));
}

function lettersOf(text: string): string {
  return text.toLowerCase().replace(/[^a-z\d]/g, "");
}

/** A word that is cut could look harmless. */
function shortened(text: string): string {
  return text.length > MAX_QUOTED ? `${text.slice(0, MAX_QUOTED).replace(/\S*$/, "")}…` : text;
}

/** A word without the punctuation around it, in lower case. */
function coreOf(word: string): string {
  return word.replace(AROUND_WORDS, "").toLowerCase();
}

function withoutDigits(number: string): string {
  return number.replace(/\p{N}/gu, NO_WORD);
}

/** A word, or what stands around it if it may be something else. */
function quotable(word: string): string {
  const core = word.replace(AROUND_WORDS, "");
  return core.split(BETWEEN_WORDS).every(isHarmless) ? word : word.replace(core, MARK);
}

/**
 * Whether a text is the name of a field, or of a type, on the wire. Such a name is never secret.
 */
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
