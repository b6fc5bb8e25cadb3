/** Markdown tables, and the places of README.md that hold the last figures. */
import { readFileSync, writeFileSync } from "node:fs";
import os from "node:os";
import { fileURLToPath } from "node:url";

const README = fileURLToPath(new URL("../README.md", import.meta.url));

/** A Markdown table in the form that the formatter leaves alone; every column but the first holds figures. */
export function table(header, rows) {
  const widths = header.map((_, column) =>
    Math.max(4, ...[header, ...rows].map((cells) => cells[column].length)),
  );
  const line = (cells) => `| ${cells.join(" | ")} |`;
  const padded = (cells) =>
    cells.map((cell, column) => (column === 0 ? cell.padEnd(widths[0]) : cell.padStart(widths[column])));
  const rule = widths.map((width, column) =>
    column === 0 ? "-".repeat(width) : `${"-".repeat(width - 1)}:`,
  );
  return [padded(header), rule, ...rows.map(padded)].map(line).join("\n");
}

/** What figures depend on: date, versions and machine, in one line. */
export function circumstances(command) {
  const date = new Date().toISOString().slice(0, 10);
  const load = os.loadavg()[0];
  const busy = load === undefined || load === 0 ? "" : `, load average ${load.toFixed(1)} at the end`;
  return `\`${command}\`, ${date}, Node ${process.versions.node}, ${os.platform()} ${os.arch()}, ${os.cpus().length} cores${busy}.`;
}

/**
 * Prints the text, and puts it into README.md between the markers of that name.
 * Markers are kept per table, so that a run of one part leaves the figures of the others.
 */
export function publish(name, text) {
  process.stdout.write(`\n${text}\n`);
  const [begin, end] = [`<!-- figures: ${name} -->`, `<!-- end of figures: ${name} -->`];
  const readme = readFileSync(README, "utf8");
  const from = readme.indexOf(begin);
  const to = readme.indexOf(end);
  if (from < 0 || to < from) throw new Error(`README.md has no place for the figures "${name}"`);
  writeFileSync(README, `${readme.slice(0, from)}${begin}\n\n${text}\n\n${readme.slice(to)}`);
}
