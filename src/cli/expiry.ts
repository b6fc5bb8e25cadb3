/** `domain-monitoring expiry`: checks for pipelines that registrations last long enough. */
import { type Command, Option } from "commander";
import { type DomainExpiry, type ExpiryRule, evaluateDomainExpiry, expirySeverity } from "../rules/expiry";
import type { Failure } from "./calls";
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
  parseHours,
} from "./options";
import { EXIT_FAILURE, EXIT_VERDICT, print, withExitCode } from "./process";
import { forEachDomain, readSelection, readTarget } from "./selection";
import { pad, plain, toJson } from "./text";
import { printUndetermined } from "./undetermined";

interface ExpiryArguments extends DomainSelection, FormatArguments<"table" | "json"> {
  minimumDays: number;
  maximumAgeHours?: number;
  onUnknown: "error" | "warn";
  baseUrl?: string;
}

/** Output of `--format json`. Within `version` 1, fields may be added but not renamed or removed. */
export interface ExpiryDocument {
  /** Version of this format. */
  version: 1;
  /** Time of the evaluation, ISO 8601 in UTC. */
  judgedAt: string;
  /** The rule that was applied. */
  rule: { minimumDays: number; maximumAgeHours: number | null; onUnknown: "error" | "warn" };
  /** The exit code of the command. */
  exitCode: number;
  /** In the order given; with `--all`, by name. */
  domains: ExpiryEntry[];
  /** One line for each skipped channel of a stack, with the reason. */
  notes: string[];
}

/** One domain. All fields except `id`, `verdict` and `failure` are those of `DomainExpiry`. */
export interface ExpiryEntry {
  /** Id of the domain; the name as given, where it could not be looked up. */
  id: string;
  /** `warn`: accepted although its expiry is unknown. `error`: could not be determined. */
  verdict: "pass" | "warn" | "fail" | "error";
  /** Domain name; null if it could not be determined, like the fields below. */
  domain: string | null;
  /** As in `DomainExpiry`. */
  status: DomainExpiry["status"] | null;
  /** `DATE` as served. */
  expiresAt: string | null;
  /** `DATE` on which the required days are left. */
  actBy: string | null;
  /** Last WHOIS check, as served. */
  checkedAt: string | null;
  /** The result in one line. */
  message: string;
  /** Reason why it could not be determined; null if it could. */
  failure: { kind: string; status: number | null } | null;
}

/** The subcommand. */
export function expiryCommand(): Command {
  return domainsCommand("expiry")
    .description("check that domain registrations last long enough")
    .requiredOption("--minimum-days <days>", "days that must be left, today not counted", parseDays)
    .option(
      "--maximum-age-hours <hours>",
      "how old the last WHOIS check may be (default: any age)",
      parseHours,
    )
    .addOption(
      new Option("--on-unknown <what>", "what to do while a domain has no expiry date")
        .choices(["error", "warn"])
        .default("error"),
    )
    .addOption(BASE_URL_OPTION)
    .addOption(formatOption("result"))
    .addOption(JSON_OPTION)
    .addHelpText(
      "after",
      `
Prints one line for each domain. Unless standard output is a terminal, what could not be determined is also said on
standard error. Exit codes:
  0  every registration lasts long enough
  2  one is below the minimum, has expired, was not checked in time, or has no expiry date
  1  anything else: one could not be determined (takes precedence over 2), or the arguments or settings are not valid
${PATIENT_HELP}

Examples:
  domain-monitoring expiry --domain 11111111-1111-4111-8111-111111111111 --minimum-days 30
  domain-monitoring expiry --all --minimum-days 30
  pulumi stack export | domain-monitoring expiry --from-stack - --minimum-days 30 --json`,
    )
    .action(withExitCode(run));
}

async function run(given: ExpiryArguments): Promise<number> {
  const { minimumDays, maximumAgeHours, onUnknown } = given;
  const rule: ExpiryRule = { minimumDays, maximumAgeHours, onUnknown };
  const selection = await readSelection(given);
  const answers = await forEachDomain(selection, given.baseUrl, async (target, account) => ({
    id: target.id,
    ...(await readTarget(target, account)),
  }));
  const now = new Date();
  const domains = answers.map(
    ({ id, value, failure }): ExpiryEntry =>
      failure ? undetermined(id, failure) : judged(id, evaluateDomainExpiry(value, { ...rule, now }), rule),
  );
  const { notes } = selection;
  const exitCode = exitCodeOf(domains);
  const document: ExpiryDocument = {
    version: 1,
    judgedAt: now.toISOString(),
    rule: { minimumDays, maximumAgeHours: maximumAgeHours ?? null, onUnknown },
    exitCode,
    domains,
    notes,
  };
  printUndetermined(
    answers.flatMap(({ id, failure }) => (failure ? [{ id, failure }] : [])),
    undefined,
  );
  if (formatOf(given) === "json") print(toJson(document));
  else print(...domains.map(line), ...notes.map((note) => `note: ${note}`));
  return exitCode;
}

function judged(id: string, expiry: DomainExpiry, rule: ExpiryRule): ExpiryEntry {
  const { domain, status, expiresAt, actBy, checkedAt, message } = expiry;
  const verdict = ({ none: "pass", warning: "warn", error: "fail" } as const)[expirySeverity(expiry, rule)];
  return { id, verdict, domain, status, expiresAt, actBy, checkedAt, message, failure: null };
}

function undetermined(id: string, { kind, status, message }: Failure): ExpiryEntry {
  const nothing = { domain: null, status: null, expiresAt: null, actBy: null, checkedAt: null };
  return { id, verdict: "error", ...nothing, message, failure: { kind, status } };
}

/** A failure takes precedence: a verdict on some domains must not read as one on all. */
function exitCodeOf(domains: ExpiryEntry[]): number {
  if (domains.some(({ verdict }) => verdict === "error")) return EXIT_FAILURE;
  return domains.some(({ verdict }) => verdict === "fail") ? EXIT_VERDICT : 0;
}

function line({ id, verdict, status, message }: ExpiryEntry): string {
  const text = plain(verdict === "error" ? `${id}: ${message}` : message, 500);
  return `${pad(status ?? "error", 8)}  ${text}${verdict === "warn" ? " (accepted by --on-unknown warn)" : ""}`;
}
