/** Markdown tables, and the places of README.md that hold the last figures. */
import os from "node:os";
import { fileURLToPath } from "node:url";
import tables from "../../scripts/tables.cjs";

const README = fileURLToPath(new URL("../README.md", import.meta.url));

/** A table whose columns hold figures, but for the first. */
export const table = (header, rows) => tables.table(header, rows, (column) => column > 0);

/** What figures depend on: date, versions and machine, in one line. */
export function circumstances(command) {
  const date = new Date().toISOString().slice(0, 10);
  const load = os.loadavg()[0];
  const busy =
    load === undefined || load === 0 ? "" : `, load average ${load.toFixed(1)} at the end`;
  return `\`${command}\`, ${date}, Node ${process.versions.node}, ${os.platform()} ${os.arch()}, ${os.cpus().length} cores${busy}.`;
}

/**
 * Prints the text, and puts it into README.md between the markers of that name.
 * Markers are kept per table, so that a run of one part leaves the figures of the others.
 */
export function publish(name, text) {
  process.stdout.write(`\n${text}\n`);
  tables.writeBetween(
    README,
    `<!-- figures: ${name} -->`,
    `<!-- end of figures: ${name} -->`,
    text,
  );
}
