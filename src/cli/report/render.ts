/** A report in one of its formats. */
import { extname } from "node:path";
import { either, toJson } from "../../common/text";
import { printable } from "../text";
import { renderHtml } from "./html";
import { renderJunit } from "./junit";
import { renderMarkdown } from "./markdown";
import type { Report } from "./model";
import { renderPrometheus } from "./prometheus";
import { renderTable } from "./table";

const FORMATS = {
  table: renderTable,
  markdown: renderMarkdown,
  html: renderHtml,
  prometheus: renderPrometheus,
  junit: renderJunit,
};

/** Name of a format. */
export type Format = keyof typeof FORMATS | "json";

/** The formats of a report besides table and JSON. */
export const OTHER_FORMATS = ["markdown", "html", "prometheus", "junit"];

const ENDINGS: Record<string, Format> = {
  ".txt": "table",
  ".json": "json",
  ".md": "markdown",
  ".html": "html",
  ".prom": "prometheus",
  ".xml": "junit",
};

/** The format that the ending of a file says. @throws Error with one line */
export function formatOf(file: string): Format {
  const format = ENDINGS[extname(file)];
  if (format === undefined)
    throw new Error(
      `${file} does not say its format: end it in ${either(Object.keys(ENDINGS))}, or use - for standard output`,
    );

  return format;
}

/**
 * Every other format gets printable texts, and only escapes its own marks. JSON keeps them as they
 * are.
 */
export function render(report: Report, format: Format, isColored = false): string {
  return format === "json" ? `${toJson(report)}\n` : FORMATS[format](printable(report), isColored);
}
