/** Options that several subcommands share, and their parsers. */
import { Command, InvalidArgumentError, Option } from "commander";
import { canonicalId } from "../client/rules";
import { DAYS, type Scalar, SINCE } from "../rules/scalars";
import { withExitCode } from "./output";

export interface DomainSelection {
  domain?: string[];
  all?: boolean;
  fromStack?: string[];
}

/** Options that `domainsCommand` parses for every subcommand. */
export interface DomainsArguments<Format> extends DomainSelection {
  format: Format;
}

interface DomainsCommand<Arguments> {
  name: string;
  description: string;

  /** Options that other such subcommands do not have. */
  options: Option[];

  /** Name of the printed result, such as `report`. */
  result: string;

  /** Its formats besides table and JSON. */
  formats: string[];

  /** Help text before the part on the environment. */
  help: string;
  examples: string;

  /** Returns the exit code. */
  run: (given: Arguments) => Promise<number>;
}

/**
 * A subcommand over many domains. There is no option for the token, because arguments are visible
 * in the process list.
 */
export function domainsCommand<Arguments extends DomainsArguments<string>>({
  name,
  description,
  options,
  result,
  formats,
  help,
  examples,
  run,
}: DomainsCommand<Arguments>): Command {
  const all = [
    new Option("--domain <domain...>", "ids or names of domains; a name has a dot").argParser(
      collecting(parseDomain),
    ),
    new Option("--all", "every domain of the account"),
    new Option(
      "--from-stack <file...>",
      "the domains of a stack's channels: files written by `pulumi stack export`; - is standard input",
    ).argParser(collecting(parseStackFile)),
    ...options,
    new Option("--format <format>", `form of the ${result}`)
      .choices(["table", "json", ...formats])
      .default("table"),
  ];

  const command = new Command(name).description(description);

  for (const option of all) command.addOption(option);

  return command
    .addHelpText("after", `${help}\n${PATIENT_HELP}\n\nExamples:${examples}`)
    .action(withExitCode(run));
}

/** Help text on the environment. */
export const ENVIRONMENT_HELP = `
Environment variables:
  DOMAIN_MONITORING_BASE_URL         base address of the service
  DOMAIN_MONITORING_API_TOKEN        the API token, which can't be an argument
  DOMAIN_MONITORING_TIMEOUT_SECONDS  deadline of a whole call (default: 120)
  DOMAIN_MONITORING_MAX_RETRIES      further attempts after the first (default: 3)
  DOMAIN_MONITORING_CONCURRENCY      requests in flight (default: 8)`;

/** Help text of subcommands that make many calls. */
const PATIENT_HELP = `${ENVIRONMENT_HELP}

If the base address or the token isn't set there, the command reads it from the config of the stack that is selected in
this directory.

Names and --all are experimental: they read the account's list of domains, which the service doesn't document.`;

/** The values of an option in the order given, each once. */
export function collecting(
  parse: (text: string) => string,
): (text: string, previous?: string[]) => string[] {
  return (text, previous = []) => [...new Set([...previous, parse(text)])];
}

/**
 * Parses the path of a deployment. Like a domain, it may be what follows a variable that is not
 * set.
 */
function parseStackFile(text: string): string {
  if (text === "") throw new InvalidArgumentError("A path must not be empty.");
  if (text.startsWith("-") && text !== "-")
    throw new InvalidArgumentError(
      "--from-stack needs a file, and this looks like an option: pass a path, or - for standard input.",
    );

  return text;
}

/**
 * Parses an id or a name. Commander takes even the next option as a value of `--domain`.
 */
export function parseDomain(text: string): string {
  const domain = text.trim();
  if (domain === "") throw new InvalidArgumentError("An id or a name must not be empty.");
  if (domain.startsWith("-"))
    throw new InvalidArgumentError(
      "--domain needs an id or a name, and this looks like an option: check that the variable with the domains is set.",
    );

  return canonicalId(domain);
}

export function parseDays(text: string): number {
  // Plain decimals alone: `Number` would also take `1e2`.
  return scalarOf(DAYS, /^\d+(\.\d+)?$/.test(text) ? Number(text) : undefined);
}

/** In place of a date: changes are not read. */
export const NO_CHANGES = "none";

/** For a `DATE` or `SQL-TS`, or {@link NO_CHANGES}. */
export function parseSince(text: string): string {
  if (text === NO_CHANGES) return text;
  if (scalarOf(SINCE, text).getTime() > Date.now())
    throw new InvalidArgumentError(
      "It is in the future (in UTC): give a time from which changes are known.",
    );

  return text;
}

function scalarOf<T>({ parse, problem }: Scalar<T>, value: unknown): T {
  const result = parse(value);
  if (result === undefined) throw new InvalidArgumentError(`It ${problem}.`);

  return result;
}
