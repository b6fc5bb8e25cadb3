/** Formats text of others for a terminal or a document. */

import { oneLine } from "../common/text";

/** Longest text within a result: a name, a value, a message. */
const MAX_CELL = 500;

/**
 * The same value with texts of one line, without what a terminal, a browser or a pipeline would
 * obey. After it, a format only escapes its own marks. JSON is not for people, and keeps the texts.
 */
export function printable<T>(value: T): T {
  return JSON.parse(JSON.stringify(value), (_, part) =>
    typeof part === "string" ? oneLine(part, MAX_CELL) : part,
  );
}

/** A line for each row, with every column as wide as its widest cell. */
export function columns(rows: readonly (readonly string[])[]): string[] {
  const widths: number[] = [];
  for (const row of rows)
    for (const [column, cell] of row.entries())
      widths[column] = Math.max(widths[column] ?? 0, cell.length);

  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join("  ")
      .trimEnd(),
  );
}

/** Indented lines under a title, after an empty line; nothing without lines. */
export function section(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : ["", title, ...lines.map((line) => `  ${line}`)];
}

/** The domain's name, or its id if the name could not be determined. */
export function nameOf({ domain, id }: { domain: string | null; id: string }): string {
  return domain ?? id;
}

/** So many names are listed, or rows that are alike; of more, the first {@link MAX_SHOWN} are. */
export const MAX_NAMED = 10;
export const MAX_SHOWN = 3;

/** Such as `a, b, c and 197 more`. */
export function firstOf(texts: readonly string[]): string {
  if (texts.length <= MAX_NAMED) return texts.join(", ");
  return `${texts.slice(0, MAX_SHOWN).join(", ")} and ${texts.length - MAX_SHOWN} more`;
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
