/** `pulumi-domain-monitoring report`: the state of many domains, for terminals, pipelines, pull requests and browsers. */
import type { Command } from "commander";
import { DAY_MS } from "../../rules/days";
import {
  BASE_URL_OPTION,
  type DomainSelection,
  domainsCommand,
  type FormatArguments,
  formatOf,
  formatOption,
  JSON_OPTION,
  PATIENT_HELP,
  parseDays,
  parseSince,
} from "../options";
import { deliver, printUndetermined, type Undetermined, withExitCode } from "../output";
import { forEachDomain, readSelection } from "../selection";
import { toJson } from "../text";
import { createReport, type ReportSettings, reportExitCode, reportOn } from "./collect";
import { renderHtml } from "./html";
import { renderMarkdown } from "./markdown";
import type { DomainReport, Report } from "./model";
import { renderTable } from "./table";
import { PARTS, summaryLine } from "./words";

/** The subcommand. */
export function reportCommand(): Command {
  return domainsCommand("report")
    .description("report expiry, certificate and recent changes of many domains")
    .addOption(formatOption("report", "markdown", "html"))
    .addOption(JSON_OPTION)
    .option("--output <file>", "write it to a file instead of standard output")
    .option(
      "--since <date>",
      "list changes since then: a date, or date and time in UTC (default: 30 days ago)",
      parseSince,
    )
    .option("--minimum-days <days>", "days that registrations must last", parseDays, 30)
    .option("--title <text>", "heading of the report", "Domain report")
    .addOption(BASE_URL_OPTION)
    .addHelpText(
      "after",
      `
Prints everything it could determine, even if something is missing. Unless standard output is a terminal, what could
not be determined is also said on standard error. Exit codes:
  0  all is well
  2  a registration is below the minimum, has expired or has no expiry date,
     or a certificate has expired, is invalid or has a date that cannot be read
  1  anything else: something could not be determined (takes precedence over 2), or the arguments or settings are not valid
${PATIENT_HELP}

Examples:
  npx pulumi-domain-monitoring report --domain 11111111-1111-4111-8111-111111111111 --since 2026-01-01
  npx pulumi-domain-monitoring report --all --format html --output report.html
  pulumi stack export | npx pulumi-domain-monitoring report --from-stack - --format markdown >> "$GITHUB_STEP_SUMMARY"
  npx pulumi-domain-monitoring report --from-stack stack.json --json`,
    )
    .action(withExitCode(runReport));
}

/** Arguments of the command. */
interface ReportArguments extends DomainSelection, FormatArguments<ReportFormat> {
  output?: string;
  since?: string;
  minimumDays: number;
  title: string;
  baseUrl?: string;
}

/** The formats of a report. */
type ReportFormat = "table" | "json" | "markdown" | "html";

/** Changes of these days are listed unless a date is given. */
const RECENT_DAYS = 30;

/** Creates the report and returns the exit code. @throws Error with one line if that is impossible */
async function runReport(given: ReportArguments): Promise<number> {
  const selection = await readSelection(given);
  const now = new Date();
  const since = given.since ?? daysBefore(now, RECENT_DAYS);
  const settings: ReportSettings = { since, minimumDays: given.minimumDays, now };
  const domains = await forEachDomain(selection, given.baseUrl, (id, domain, account) =>
    reportOn(id, domain, account, settings),
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
