/** The results as a Markdown table, and its place in the documentation. */
import { readFileSync, writeFileSync } from "node:fs";

const BEGIN = "<!-- matrix: begin -->";
const END = "<!-- matrix: end -->";

const HEAD = ["Cell", "Engine", "Result", "Seconds", "Note"];
const SECONDS = HEAD.indexOf("Seconds");

/** One row per cell, aligned as the repository's formatter requires. */
export function table(results) {
  const rows = results.map(({ name, engine, result, seconds, note }) =>
    [name, engine, result, seconds.toFixed(0), note].map((text) => text.replaceAll("|", "\\|")),
  );
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

/** Puts the table between the markers of a page, with the day and the command. */
export function writeInto(file, results, command) {
  const page = readFileSync(file, "utf8");
  const [begin, end] = [page.indexOf(BEGIN), page.indexOf(END)];
  if (begin < 0 || end < begin) throw new Error(`${file} has no place for the table`);
  const day = new Date().toISOString().slice(0, 10);
  const part = `${BEGIN}\n\n${day}, ${process.platform} ${process.arch}, \`${command}\`:\n\n${table(results)}\n\n`;
  writeFileSync(file, page.slice(0, begin) + part + page.slice(end));
}
