/** Texts of others on a terminal or in a document: one line, without anything that could steer what shows it. */
import { sanitizeText } from "../client/internal/redact";

const WIDE =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}/u;

/** One line without control and formatting characters: a label must not move a terminal's cursor. */
export function plain(text: string, maximum = 300): string {
  return sanitizeText(text, (same) => same, maximum);
}

/** How many columns a text takes on a terminal. */
export function width(text: string): number {
  let columns = 0;
  for (const character of text) {
    if (!/\p{M}/u.test(character)) columns += WIDE.test(character) ? 2 : 1;
  }
  return columns;
}

/** Fills a text with spaces up to a width. */
export function pad(text: string, columns: number): string {
  return text + " ".repeat(Math.max(0, columns - width(text)));
}

/** Cuts a text to a width, and shows that it was cut. */
export function cut(text: string, columns: number): string {
  if (width(text) <= columns) return text;
  let kept = "";
  for (const character of text) {
    if (width(kept + character) > columns - 1) break;
    kept += character;
  }
  return `${kept}…`;
}

/** JSON for people and pipes: control characters of the upper half, which JSON leaves as they are, are escaped too. */
export function toJson(value: unknown): string {
  return JSON.stringify(value, null, 2).replace(
    /[\u007f-\u009f\u2028\u2029]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
