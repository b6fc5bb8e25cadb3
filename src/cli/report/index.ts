/**
 * `pulumi-domain-monitoring report`: the state of many domains, for terminals, pipelines, pull
 * requests and browsers.
 */
import { type Command, Option } from "commander";
import { domainsCommand, parseDays, parseSince, RULES_OPTION, WARN_DAYS_OPTION } from "../options";
import { deliver, printUndetermined } from "../output";
import { ask, type GivenReport } from "./asked";
import { readReport } from "./input";
import { judge, undeterminedParts } from "./judge";
import type { Report } from "./model";
import { read } from "./read";
import { type Format, OTHER_FORMATS, render } from "./render";
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
      new Option(
        "--input <file>",
        "an earlier report of --format json: renders it in another format, and asks nothing of the service",
      ).conflicts(ASKING),
      new Option("--title <text>", 'heading of the report (default: "Domain report")'),
    ],
    result: "report",
    formats: OTHER_FORMATS,
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
  npx pulumi-domain-monitoring report --all --json --output report.json
  npx pulumi-domain-monitoring report --input report.json --format html --output report.html
  pulumi stack export | npx pulumi-domain-monitoring report --from-stack - --format markdown >> "$GITHUB_STEP_SUMMARY"
  npx pulumi-domain-monitoring report --from-stack stack.json --json`,
    run: runReport,
  });
}

/** Options about what is read and judged, which is done in an earlier report. */
const ASKING = [
  ...["domain", "all", "fromStack", "baseUrl"],
  ...["rules", "minimumDays", "warnDays", "certificateDays", "since", "previous"],
];

interface ReportArguments extends GivenReport {
  format: Format;
  output?: string;
  input?: string;
}

/**
 * Reads and judges the domains, or takes an earlier report, and prints the result. @returns the
 * exit code
 */
async function runReport(given: ReportArguments): Promise<number> {
  const { format, output, input, title } = given;
  const found = input === undefined ? await reportOn(given) : await readReport(input, "--input");
  const report = title === undefined ? found : { ...found, title };
  // The terminal is checked only here: rendering depends only on the report.
  const isColored = output === undefined && process.stdout.isTTY && !process.env.NO_COLOR;

  printUndetermined(undeterminedParts(report), output);
  await deliver(render(report, format, isColored), { file: output, summary: summaryLine(report) });

  return report.exitCode;
}

async function reportOn(given: ReportArguments): Promise<Report> {
  const asked = await ask(given);
  return judge(asked, await read(asked));
}
