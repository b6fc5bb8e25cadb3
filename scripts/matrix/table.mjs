/** The results as a Markdown table, and its place in the documentation. */
import { readFileSync, writeFileSync } from "node:fs";

const BEGIN = "<!-- matrix: begin -->";
const END = "<!-- matrix: end -->";

const HEAD = ["Cell", "Day", "Engine", "Result", "Seconds", "Note"];
const SECONDS = HEAD.indexOf("Seconds");

/** A result of today as the texts of its row. */
export function rowOf({ name, engine, result, seconds, note }) {
  const day = new Date().toISOString().slice(0, 10);
  return [name, day, engine, result, seconds.toFixed(0), note].map((text) => text.replaceAll("|", "\\|"));
}

/** The table, aligned as the repository's formatter requires. */
export function table(rows) {
  const widths = HEAD.map((title, column) =>
    Math.max(title.length, ...rows.map((row) => row[column].length)),
  );
  const line = (texts) => `| ${texts.join(" | ")} |`;
  const aligned = (texts) =>
    texts.map((text, column) =>
      column === SECONDS ? text.padStart(widths[column]) : text.padEnd(widths[column]),
    );
  const rule = widths.map((width, column) =>
    column === SECONDS ? `${"-".repeat(width - 1)}:` : "-".repeat(width),
  );
  return [line(aligned(HEAD)), line(rule), ...rows.map((row) => line(aligned(row)))].join("\n");
}

/** Puts rows between the markers of a page. Rows of other cells stay; those of no cell any more are taken out. */
export function writeInto(file, rows, names) {
  const page = readFileSync(file, "utf8");
  const [begin, end] = [page.indexOf(BEGIN), page.indexOf(END)];
  if (begin < 0 || end < begin) throw new Error(`${file} has no place for the table`);
  const lines = page.slice(begin, end).split("\n");
  const before = lines.filter((line) => line.startsWith("| ")).map(textsOf);
  const known = new Map([...before, ...rows].map((row) => [row[0], row]));
  const merged = names.flatMap((name) => (known.has(name) ? [known.get(name)] : []));
  writeFileSync(file, `${page.slice(0, begin)}${BEGIN}\n\n${table(merged)}\n\n${page.slice(end)}`);
}

function textsOf(line) {
  return line
    .slice(1, -1)
    .split(/(?<!\\)\|/)
    .map((text) => text.trim());
}
