/** Creates a report and writes it. Loaded late, so that other subcommands start without it. */
import { DAY_MS } from "../../rules/days";
import { type DomainSelection, type FormatArguments, formatOf } from "../options";
import { deliver } from "../output";
import { forEachDomain, readSelection } from "../selection";
import { toJson } from "../text";
import { printUndetermined, type Undetermined } from "../undetermined";
import { createReport, type ReportSettings, reportExitCode, reportOn } from "./collect";
import { renderHtml } from "./html";
import { renderMarkdown } from "./markdown";
import type { DomainReport, Report } from "./model";
import { renderTable } from "./table";
import { PARTS, summaryLine } from "./words";

/** Arguments of the command. */
export interface ReportArguments extends DomainSelection, FormatArguments<ReportFormat> {
  output?: string;
  since?: string;
  minimumDays: number;
  title: string;
  baseUrl?: string;
}

/** The formats of a report. */
export type ReportFormat = "table" | "json" | "markdown" | "html";

/** Changes of these days are listed unless a date is given. */
const RECENT_DAYS = 30;

/** Creates the report and returns the exit code. @throws Error with one line if that is impossible */
export async function runReport(given: ReportArguments): Promise<number> {
  const selection = await readSelection(given);
  const now = new Date();
  const since = given.since ?? daysBefore(now, RECENT_DAYS);
  const settings: ReportSettings = { since, minimumDays: given.minimumDays, now };
  const domains = await forEachDomain(selection, given.baseUrl, (target, account) =>
    reportOn(target, account, settings),
  );
  const report = createReport(given.title, domains, settings, selection.notes);
  // The terminal is checked only here: rendering depends only on the report.
  const color = given.output === undefined && process.stdout.isTTY && !process.env.NO_COLOR;
  const text = render(report, formatOf(given), color);
  printUndetermined(domains.flatMap(undeterminedParts), given.output);
  await deliver(text, { file: given.output, summary: summaryLine(report) });
  return reportExitCode(report.summary);
}

function render(report: Report, format: ReportFormat, color: boolean): string {
  if (format === "json") return `${toJson(report)}\n`;
  if (format === "markdown") return renderMarkdown(report);
  return format === "html" ? renderHtml(report) : renderTable(report, { color });
}

function undeterminedParts({ id, problems }: DomainReport): Undetermined[] {
  return problems.map(({ part, ...failure }) => ({
    id,
    what: part === "domain" ? undefined : PARTS[part],
    failure,
  }));
}

function daysBefore(now: Date, days: number): string {
  return new Date(now.getTime() - days * DAY_MS).toISOString().slice(0, 10);
}
