/**
 * `pulumi-domain-monitoring report`: the state of many domains, for terminals, pipelines, pull
 * requests and browsers.
 */
import { type Command, Option } from "commander";
import { toInstant } from "../../client/timestamps";
import { DAY_MS } from "../../rules/days";
import { CHANGE_KINDS } from "../../rules/reviewed-changes";
import { type Failure, MISSING } from "../calls";
import { compareRecorded } from "../channels/recorded";
import {
  checkBounds,
  type DomainsArguments,
  domainsCommand,
  parseDays,
  parseSince,
  RULES_OPTION,
  type RulesArguments,
  WARN_DAYS_OPTION,
} from "../options";
import { deliver, printUndetermined, type Undetermined } from "../output";
import { bindRules, readRules } from "../rules-file";
import { readSelection, type Selection } from "../selection";
import { toJson } from "../text";
import { renderCalendar } from "./calendar";
import { renderHtml } from "./html";
import { createReport, PARTS, type ReportSettings } from "./judge";
import { renderJunit } from "./junit";
import { renderMarkdown } from "./markdown";
import type { DomainReport, Report } from "./model";
import { compareReports, readPrevious } from "./previous";
import { renderPrometheus } from "./prometheus";
import { type DomainFacts, readFacts } from "./read";
import { renderTable } from "./table";
import { summaryLine } from "./texts";

export function reportCommand(): Command {
  return domainsCommand<ReportArguments>({
    name: "report",
    description:
      "check expiry, certificate, components and changes of many domains, and report on them",
    options: [
      RULES_OPTION,
      new Option(
        "--minimum-days <days>",
        "days that registrations must last (default: 30)",
      ).argParser(parseDays),
      WARN_DAYS_OPTION,
      new Option(
        "--certificate-days <days>",
        "days that certificates must last (default: 14)",
      ).argParser(parseDays),
      new Option("--output <file>", "write it to a file instead of standard output"),
      new Option(
        "--since <date>",
        "list changes since then: a date, or date and time in UTC (default: 30 days ago)",
      ).argParser(parseSince),
      new Option(
        "--previous <file>",
        "an earlier report of --format json: says what is new since, and what is resolved",
      ),
      new Option("--title <text>", "heading of the report").default("Domain report"),
    ],
    result: "report",
    formats: ["markdown", "html", "prometheus", "junit", "ics"],
    help: `
Prints everything it could read, even if something is missing. When output is piped, problems are also printed to
standard error. Exit codes:
  0  no violation; there may be warnings
  2  a violation that no exception accepts: a registration or certificate ends too soon, has ended, is invalid or
     unknown, or something else breaks the rules file
  1  something could not be read (takes precedence over 2), or the arguments or settings are not valid`,
    examples: `
  npx pulumi-domain-monitoring report --domain 11111111-1111-4111-8111-111111111111 --since 2026-01-01
  npx pulumi-domain-monitoring report --all --rules domain-monitoring.yaml
  npx pulumi-domain-monitoring report --all --format html --output report.html
  pulumi stack export | npx pulumi-domain-monitoring report --from-stack - --format markdown >> "$GITHUB_STEP_SUMMARY"
  npx pulumi-domain-monitoring report --from-stack stack.json --json`,
    run: runReport,
  });
}

interface ReportArguments extends DomainsArguments<keyof typeof FORMATS>, RulesArguments {
  output?: string;
  since?: string;
  previous?: string;
  title: string;
}

const FORMATS = {
  table: renderTable,
  json: (report: Report) => `${toJson(report)}\n`,
  markdown: renderMarkdown,
  html: renderHtml,
  prometheus: renderPrometheus,
  junit: renderJunit,
  ics: renderCalendar,
};

/** Changes of these days are listed unless a date is given. */
const RECENT_DAYS = 30;

/**
 * Reads, judges and renders. @returns the exit code @throws Error with one line if that is
 * impossible
 */
async function runReport(given: ReportArguments): Promise<number> {
  const now = new Date();

  checkBounds(given);
  const rules = await readRules(given.rules, now);
  const selection = { ...(await readSelection(given)), named: Object.keys(rules.domains) };
  const channels = rules.channels?.recorded ?? false;
  if (channels && !given.fromStack)
    throw new Error(
      "channels.recorded compares the service with stacks: pass their deployments with --from-stack, or remove it from the rules file",
    );

  const kinds = rules.changes?.kinds ?? [...CHANGE_KINDS];
  const since = given.since ?? defaultSince(now);
  const from = earliest([since, rules.changes?.since ?? since]);
  const facts = await readFacts(selection, given.baseUrl, { kinds, since: from, channels });
  const earlier = given.previous === undefined ? undefined : await readPrevious(given.previous);
  const isWhole = selection.all;
  const judged = createReport(facts, {
    title: given.title,
    since,
    kinds,
    now,
    rules: bindRules(rules, given, true),
    channels: channels ? compareChannels(selection, facts) : [],
    isWhole,
    notes: [...selection.notes, ...(earlier?.note ? [earlier.note] : [])],
  });

  const isComplete = isWhole && facts.every(({ domain: { failure } }) => isKnown(failure));
  const report = earlier ? compareReports(judged, earlier.previous, isComplete) : judged;

  return renderReport(report, given);
}

/** Whether nothing about a domain remains unknown: that it is gone is known. */
function isKnown(failure: Failure | undefined): boolean {
  return failure === undefined || failure.kind === MISSING;
}

function defaultSince(now: Date): string {
  return new Date(now.getTime() - RECENT_DAYS * DAY_MS).toISOString().slice(0, 10);
}

function earliest(dates: readonly string[]): Date {
  return new Date(Math.min(...dates.map((date) => toInstant(date)?.getTime() ?? 0)));
}

function compareChannels(
  selection: Selection,
  facts: readonly DomainFacts[],
): ReportSettings["channels"] {
  const ofAccount = facts.filter(({ domain }) => domain.failure?.kind !== MISSING);
  const listed = ofAccount.flatMap(({ channels }) => channels ?? []);
  const areListed = listed.length === ofAccount.length && listed.every(({ failure }) => !failure);
  const isWhole = selection.all && areListed;

  return compareRecorded(selection.channels, listed, isWhole);
}

async function renderReport(report: Report, { format, output }: ReportArguments): Promise<number> {
  // The terminal is checked only here: rendering depends only on the report.
  const isColored = output === undefined && process.stdout.isTTY && !process.env.NO_COLOR;
  const text = FORMATS[format](report, isColored);

  printUndetermined(report.domains.flatMap(undeterminedParts), output);
  await deliver(text, { file: output, summary: summaryLine(report) });

  return report.exitCode;
}

function undeterminedParts({ id, findings }: DomainReport): Undetermined[] {
  return findings.map(({ about, failure }) => ({ id, what: PARTS.get(about), failure }));
}
