/** A report in one of its formats. */
import { toJson } from "../../common/text";
import { printable } from "../text";
import { renderCalendar } from "./calendar";
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
  ics: renderCalendar,
};

/** Name of a format. */
export type Format = keyof typeof FORMATS | "json";

/** The formats of a report besides table and JSON. */
export const OTHER_FORMATS = ["markdown", "html", "prometheus", "junit", "ics"];

/**
 * Every other format gets printable texts, and only escapes its own marks. JSON keeps them as they
 * are.
 */
export function render(report: Report, format: Format, isColored = false): string {
  return format === "json" ? `${toJson(report)}\n` : FORMATS[format](printable(report), isColored);
}
