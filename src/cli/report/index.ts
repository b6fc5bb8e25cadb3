/** `pulumi-domain-monitoring report`: the state of many domains, for terminals, pipelines, pull requests and browsers. */
import { type Command, Option } from "commander";
import { toInstant } from "../../client/timestamps";
import type { Domain } from "../../client/types";
import { readChanges } from "../../functions/require-reviewed-changes";
import { DAY_MS } from "../../rules/days";
import { CHANGE_KINDS } from "../../rules/reviewed-changes";
import type { Account } from "../account";
import { listOf, type Outcome } from "../calls";
import { listChannels } from "../channels/list";
import { compareRecorded } from "../channels/recorded";
import {
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
import { forEachDomain, readSelection } from "../selection";
import { toJson } from "../text";
import { renderHtml } from "./html";
import { createReport, type DomainReading, reportExitCode } from "./judge";
import { renderMarkdown } from "./markdown";
import type { DomainReport, Report } from "./model";
import { renderPrometheus } from "./prometheus";
import { renderTable } from "./table";
import { PARTS, summaryLine } from "./words";

export function reportCommand(): Command {
  return domainsCommand<ReportArguments>({
    name: "report",
    description: "check expiry, certificate, components and changes of many domains, and report on them",
    options: [
      RULES_OPTION,
      new Option("--minimum-days <days>", "days that registrations must last (default: 30)").argParser(
        parseDays,
      ),
      WARN_DAYS_OPTION,
      new Option("--certificate-days <days>", "days that certificates must last (default: 14)").argParser(
        parseDays,
      ),
      new Option("--output <file>", "write it to a file instead of standard output"),
      new Option(
        "--since <date>",
        "list changes since then: a date, or date and time in UTC (default: 30 days ago)",
      ).argParser(parseSince),
      new Option("--title <text>", "heading of the report").default("Domain report"),
    ],
    format: ["report", "markdown", "html", "prometheus"],
    help: `
Prints everything it could determine, even if something is missing. Unless standard output is a terminal, what could
not be determined is also said on standard error. Exit codes:
  0  no violation; there may be warnings
  2  a violation that no exception of the file of rules accepts: a registration or certificate that ends too soon, has
     ended, is invalid or not known, or what else the file of rules does not allow
  1  anything else: something could not be determined (takes precedence over 2), or the arguments or settings are not valid`,
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
  title: string;
}

const FORMATS = {
  table: renderTable,
  json: (report: Report) => `${toJson(report)}\n`,
  markdown: renderMarkdown,
  html: renderHtml,
  prometheus: renderPrometheus,
};

/** Bounds where neither the file of rules nor an option says otherwise. */
const DEFAULT_BOUNDS = { minimumDays: 30, certificateDays: 14 };

/** Changes of these days are listed unless a date is given. */
const RECENT_DAYS = 30;

/** Creates the report and returns the exit code. @throws Error with one line if that is impossible */
async function runReport(given: ReportArguments): Promise<number> {
  const now = new Date();
  const { title, minimumDays, warnDays, certificateDays } = given;
  const rules = await readRules(given.rules, now);
  const rulesFor = bindRules(rules, { minimumDays, warnDays, certificateDays }, DEFAULT_BOUNDS);
  const selection = { ...(await readSelection(given)), named: Object.keys(rules.domains) };
  const since = given.since ?? new Date(now.getTime() - RECENT_DAYS * DAY_MS).toISOString().slice(0, 10);
  const isCompared = rules.channels?.recorded;
  if (isCompared && !given.fromStack)
    throw new Error(
      "channels.recorded compares the service with stacks: give their deployments by --from-stack, or remove it from the file of rules",
    );
  const { kinds = CHANGE_KINDS, since: judgedSince = since } = rules.changes ?? {};
  const from = new Date(Math.min(...[since, judgedSince].map((date) => toInstant(date)?.getTime() ?? 0)));
  const read = async (id: string, domain: Outcome<Domain>, account: Account): Promise<DomainReading> => {
    if (domain.failure) return { id, domain, changes: {} };
    const lists = kinds.map(
      async (kind) => [kind, await listOf(readChanges(account.client, id, kind, from))] as const,
    );
    const channels = isCompared ? listChannels(id, domain, account) : undefined;
    return { id, domain, changes: Object.fromEntries(await Promise.all(lists)), channels: await channels };
  };
  const readings = await forEachDomain(selection, given.baseUrl, read);
  const listed = readings.flatMap((reading) => reading.channels ?? []);
  const isWhole = selection.all && listed.length === readings.length && listed.every((one) => !one.failure);
  const channels = isCompared ? compareRecorded(selection.channels, listed, isWhole) : [];
  const { notes } = selection;
  const report = createReport(readings, { title, since, now, rulesFor, channels, notes });
  // The terminal is checked only here: rendering depends only on the report.
  const isColored = given.output === undefined && process.stdout.isTTY && !process.env.NO_COLOR;
  const text = FORMATS[given.format](report, isColored);
  printUndetermined(report.domains.flatMap(undeterminedParts), given.output);
  await deliver(text, { file: given.output, summary: summaryLine(report) });
  return reportExitCode(report);
}

function undeterminedParts({ id, problems }: DomainReport): Undetermined[] {
  return problems.map(({ part, ...failure }) => ({
    id,
    what: part === "domain" ? undefined : PARTS[part],
    failure,
  }));
}
