/** `domain-monitoring report`: the state of many domains, for terminals, pipelines, pull requests and browsers. */
import type { Command } from "commander";
import {
  BASE_URL_OPTION,
  domainsCommand,
  formatOption,
  JSON_OPTION,
  PATIENT_HELP,
  parseDays,
  parseSince,
} from "./options";
import { withExitCode } from "./process";
import type { ReportArguments } from "./report/run";

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
  domain-monitoring report --domain 11111111-1111-4111-8111-111111111111 --since 2026-01-01
  domain-monitoring report --all --format html --output report.html
  pulumi stack export | domain-monitoring report --from-stack - --format markdown >> "$GITHUB_STEP_SUMMARY"
  domain-monitoring report --from-stack stack.json --json`,
    )
    .action(withExitCode(run));
}

async function run(given: ReportArguments): Promise<number> {
  const { runReport }: typeof import("./report/run") = require("./report/run");
  return runReport(given);
}
