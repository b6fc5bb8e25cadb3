/** Formats text of others for a terminal or a document. */

import { oneLine } from "../common/text";

/** Longest text within a result: a name, a value, a message. */
const MAX_TEXT = 500;

/**
 * The same value with texts of one line, without what a terminal, a browser or a pipeline would
 * obey. After it, a format only escapes its own marks. JSON is not for people, and keeps the texts.
 */
export function printable<T>(value: T): T {
  return JSON.parse(JSON.stringify(value), (_, part) =>
    typeof part === "string" ? oneLine(part, MAX_TEXT) : part,
  );
}

const WIDE =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}/u;

const graphemes = new Intl.Segmenter();

/** Width of a text on a terminal, in columns. */
export function width(text: string): number {
  let columns = 0;
  for (const { segment } of graphemes.segment(text)) columns += widthOfGrapheme(segment);

  return columns;
}

/** An emoji of several characters takes the place of one. */
function widthOfGrapheme(grapheme: string): number {
  const widths = [...grapheme].map((character): number => {
    if (/[\p{M}\u200c\u200d]/u.test(character)) return 0;
    return WIDE.test(character) ? 2 : 1;
  });

  return /\p{Extended_Pictographic}|\p{RI}/u.test(grapheme)
    ? Math.max(...widths)
    : widths.reduce((sum, one) => sum + one, 0);
}

/** Pads a text with spaces to a width. */
export function pad(text: string, columns: number): string {
  return text + " ".repeat(Math.max(0, columns - width(text)));
}

/** Cuts a text to a width, ending in an ellipsis. */
export function cut(text: string, columns: number): string {
  if (width(text) <= columns) return text;

  let kept = "";
  let room = columns - 1;

  for (const { segment } of graphemes.segment(text)) {
    room -= widthOfGrapheme(segment);
    if (room < 0) break;
    kept += segment;
  }

  return `${kept}…`;
}

/** A line for each row, with every column as wide as its widest cell. */
export function columns(rows: readonly (readonly string[])[]): string[] {
  const widths: number[] = [];
  for (const row of rows)
    for (const [column, cell] of row.entries())
      widths[column] = Math.max(widths[column] ?? 0, width(cell));

  return rows.map((row) =>
    row
      .map((cell, column) => pad(cell, widths[column] ?? 0))
      .join("  ")
      .trimEnd(),
  );
}

/** Indented lines under a title, after an empty line; nothing without lines. */
export function section(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : ["", title, ...lines.map((line) => `  ${line}`)];
}

const ENTITIES: Record<string, string> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** Escapes text for use between tags or in a quoted attribute. */
export function escapeMarkup(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? "");
}
