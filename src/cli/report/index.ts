/**
 * `pulumi-domain-monitoring report`: the state of many domains, for terminals, pipelines, pull
 * requests and browsers.
 */
import { type Command, Option } from "commander";
import { collecting, domainsCommand, parseDays, parseSince } from "../options";
import { deliver, printProblems, STANDARD_OUTPUT } from "../output";
import { ask, type GivenReport } from "./asked";
import { judge } from "./judge";
import { readDomains } from "./read";
import { type Format, formatOf, OTHER_FORMATS, render } from "./render";
import { sectionsOf, textsOfLines } from "./sections";
import { summaryLine } from "./texts";

export function reportCommand(): Command {
  return domainsCommand<ReportArguments>({
    name: "report",
    description: "check many domains against a rules file: expiry, certificates and components",
    options: [
      new Option("--rules <file>", "rules file in YAML or JSON; options override it"),
      new Option(
        "--minimum-days <days>",
        "days that registrations must last (default: 30)",
      ).argParser(parseDays),
      new Option(
        "--certificate-days <days>",
        "days that certificates must last (default: 14)",
      ).argParser(parseDays),
      new Option(
        "--since <date>",
        "show changes since this date, or date and time in UTC; none: don't read changes (default: 30 days ago)",
      ).argParser(parseSince),
      new Option(
        "--output <file...>",
        "write files in the format of their endings: .txt, .json, .md, .html, .prom or .xml; - is standard output",
      ).argParser(collecting(String)),
    ],
    result: "report on standard output",
    formats: OTHER_FORMATS,
    help: `
Prints what it could read. If the output is piped, problems also go to standard error. Exit codes:
  0  no violation; there may be warnings
  2  a violation that no exception accepts: a registration or certificate ends too soon, has ended, is invalid or
     unknown, or something else breaks the rules file
  1  something couldn't be read (takes precedence over 2), or an argument or setting isn't valid`,
    examples: `
  npx pulumi-domain-monitoring report --domain example.com --since 2026-01-01
  npx pulumi-domain-monitoring report --all --since none --minimum-days 30
  npx pulumi-domain-monitoring report --all --rules domain-monitoring.yaml --output report.html report.json
  pulumi stack export | npx pulumi-domain-monitoring report --from-stack - --format markdown`,
    run: runReport,
  });
}

interface ReportArguments extends GivenReport {
  format: Format;
  output?: string[];
}

/** Reads and judges the domains, and writes the report in each format. @returns the exit code */
async function runReport({ format, output, ...given }: ReportArguments): Promise<number> {
  const files = output ?? [STANDARD_OUTPUT];
  const wanted = files.map((file) => ({
    file,
    format: file === STANDARD_OUTPUT ? format : formatOf(file),
  }));

  const asked = await ask(given);
  const report = judge(asked, await readDomains(asked));
  // The terminal is checked only here: rendering depends only on the report.
  const isTerminal = process.stdout.isTTY && !process.env.NO_COLOR;
  const documents = wanted.map((one) => ({
    file: one.file,
    text: render(report, one.format, isTerminal && one.file === STANDARD_OUTPUT),
  }));

  printProblems(textsOfLines(sectionsOf(report).undetermined), files);
  await deliver(documents, summaryLine(report));

  return report.exitCode;
}
