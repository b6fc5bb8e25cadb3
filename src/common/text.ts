/** Texts: messages, and strings that hold a value. */

/** Shows a line to the user. */
export type Warn = (line: string) => void;

/** Parts of a message as one; the service's own words often end with a full stop. */
export function sentences(parts: readonly string[]): string {
  return parts
    .map((part, index) => (index < parts.length - 1 ? part.replace(/\.$/, "") : part))
    .join(". ");
}

/** The form in which a service may keep a value: it trims texts, and keeps an empty one as null. */
export function tidied(value: unknown): unknown {
  return typeof value === "string" ? value.trim() || null : value;
}

/** A name in lower case, without surrounding whitespace and a final dot. */
export function inLowerCase(name: string): string {
  return name.trim().replace(/\.$/, "").toLowerCase();
}

/** Characters that show nothing: pipelines look for commands past them. */
const UNSEEN = "\\p{Default_Ignorable_Code_Point}";
const HASH_BEFORE_HASH = new RegExp(`#(?=[${UNSEEN}]*#)`, "gu");
const FIRST_COLON_OF_TWO = new RegExp(`^[\\t\\v\\f\\p{Zs}${UNSEEN}]*:(?=[${UNSEEN}]*:)`, "gmu");

/**
 * A text in which no line is a command to a pipeline that shows it: Azure obeys `##vso[…]` and
 * `##[…]` anywhere, GitHub `::name::` at the beginning of a line.
 */
export function withoutCommands(text: string): string {
  return text.replace(HASH_BEFORE_HASH, "$& ").replace(FIRST_COLON_OF_TWO, "$& ");
}

/**
 * Length to which a text is cut before anything else is done with it: a service may send megabytes.
 */
export const MAX_TEXT = 20_000;

/** Removes secrets that it knows from a text. */
export type Redactor = (text: string) => string;

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
 * A word of a command that users are told to run, quoted for a POSIX shell if it needs that.
 * @param otherwise stands in place of a word that cannot be shown on one line
 */
export function shellWord(word: string, otherwise = ""): string {
  if (/^[\w./:@%+,=-]+$/.test(word)) return word;
  const isShown = word !== "" && !/[\p{C}\p{Zl}\p{Zp}]/u.test(word);

  return isShown ? `'${word.replaceAll("'", "'\\''")}'` : otherwise;
}

/**
 * JSON in which characters are escaped that control a terminal, cannot be seen, turn the direction
 * of text, or begin a command to a pipeline (see `withoutCommands`).
 */
export function toJson(value: unknown): string {
  return JSON.stringify(value, null, 2).replace(
    /(?![\u200c\u200d])[\u007f-\u009f\p{Cf}\p{Zl}\p{Zp}]|#(?=\p{DI}*#)/gu,
    (character) =>
      // A character outside the basic plane is escaped as two.
      character
        .split("")
        .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)
        .join(""),
  );
}

/** The value of a JSON text; undefined if it is not valid JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * The URL that a text is, if it is one. In Node 20, `URL.canParse` denies a host such as
 * `bücher.example` once it is compiled.
 */
export function parseUrl(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}

/** Such as `1 channel` or `2 channels`. */
export function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}

/** Such as `one, two or three`. */
export function either(options: readonly string[]): string {
  return [options.slice(0, -1).join(", "), ...options.slice(-1)]
    .filter((text) => text !== "")
    .join(" or ");
}

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
