"use strict";
// Markdown tables as the repository's formatter leaves them, and their places in pages.
const fs = require("node:fs");

const widthOf = (cell) => [...cell].length;

/** @param {(column: number) => boolean} [isFigure] whether a column is aligned to the right */
function table(head, rows, isFigure = () => false) {
  const cells = [head, ...rows].map((row) => row.map((cell) => cell.replaceAll("|", "\\|")));
  const widths = head.map((_, column) => Math.max(4, ...cells.map((row) => widthOf(row[column]))));
  const padded = (cell, column) => {
    const space = " ".repeat(widths[column] - widthOf(cell));
    return isFigure(column) ? space + cell : cell + space;
  };
  const rule = widths.map((width, column) =>
    isFigure(column) ? `${"-".repeat(width - 1)}:` : "-".repeat(width),
  );
  const [first, ...others] = cells.map((row) => row.map(padded));
  return [first, rule, ...others].map((row) => `| ${row.join(" | ")} |`).join("\n");
}

/** Replaces what a page has between two markers. @throws an error where it does not have both */
function writeBetween(file, begin, end, text) {
  const page = fs.readFileSync(file, "utf8");
  const [from, to] = [page.indexOf(begin), page.indexOf(end)];
  if (from < 0 || to < from) throw new Error(`${file} has no ${begin} … ${end}`);
  fs.writeFileSync(file, `${page.slice(0, from + begin.length)}\n\n${text}\n\n${page.slice(to)}`);
}

module.exports = { table, writeBetween };
