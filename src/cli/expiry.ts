/** `pulumi-domain-monitoring expiry`: checks for pipelines that registrations last long enough. */

import { type Command, Option } from "commander";
import { oneLine } from "../common/redact";
import { type DomainExpiry, evaluateDomainExpiry } from "../rules/expiry";
import type { DomainRules } from "../rules/verdict";
import {
  type DomainsArguments,
  domainsCommand,
  parseDays,
  parseHours,
  RULES_OPTION,
  type RulesArguments,
  WARN_DAYS_OPTION,
} from "./options";
import { EXIT_FAILURE, EXIT_VERDICT, print, printUndetermined } from "./output";
import { bindRules, readRules } from "./rules-file";
import { forEachDomain, readSelection } from "./selection";
import { pad, toJson } from "./text";

interface ExpiryArguments extends DomainsArguments<"table" | "json">, RulesArguments {
  maximumAgeHours?: number;
  onUnknown: "error" | "warn";
}

/** Output of `--format json`. Within `version` 1, fields may be added but not renamed or removed. */
export interface ExpiryDocument {
  /** Version of this format. */
  version: 1;
  /** Time of the evaluation, ISO 8601 in UTC. */
  judgedAt: string;
  /** The rule for domains of which the file of rules says nothing else. */
  rule: AppliedRule;
  /** The exit code of the command. */
  exitCode: number;
  /** In the order given; with `--all`, by name. */
  domains: ExpiryEntry[];
  /** One line for each skipped channel of a stack, with the reason. */
  notes: string[];
}

/** A rule; null for what it does not ask. */
export interface AppliedRule {
  /** Days that registrations must last. */
  minimumDays: number;
  /** Fewer days of the registration than these are a warning. */
  warnDays: number | null;
  /** Days that certificates must last. */
  certificateDays: number | null;
  /** Maximum age of the last WHOIS check, in hours. */
  maximumAgeHours: number | null;
  /** Reaction to a date that is not known yet. */
  onUnknown: "error" | "warn";
}

/** One domain. All fields except `id`, `verdict` and `failure` are those of `DomainExpiry`. */
export interface ExpiryEntry {
  /** Id of the domain; the name as given, where it could not be looked up. */
  id: string;
  /** `warn`: near its bound, or accepted. `error`: could not be determined. */
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
  /** As in `DomainExpiry`. */
  severity: "none" | "warning" | "error" | null;
  /** As in `DomainExpiry`; null too if no days of it are required. */
  certificate: DomainExpiry["certificate"];
  /** Whether an exception of the file of rules is in effect. */
  overridden: boolean | null;
  /** The result in one line. */
  message: string;
  /** Reason why it could not be determined; null if it could. */
  failure: { kind: string; status: number | null } | null;
}

/** The subcommand. */
export function expiryCommand(): Command {
  return domainsCommand<ExpiryArguments>({
    name: "expiry",
    description: "check that domain registrations last long enough",
    options: [
      new Option(
        "--minimum-days <days>",
        "days that must be left, today not counted; required unless the file of rules has them",
      ).argParser(parseDays),
      WARN_DAYS_OPTION,
      new Option(
        "--certificate-days <days>",
        "days that certificates must last (default: they are not looked at)",
      ).argParser(parseDays),
      RULES_OPTION,
      new Option(
        "--maximum-age-hours <hours>",
        "how old the last WHOIS check may be (default: any age)",
      ).argParser(parseHours),
      new Option("--on-unknown <what>", "what to do while a date is not known yet")
        .choices(["error", "warn"])
        .default("error"),
    ],
    format: ["result"],
    help: `
Prints one line for each domain. Unless standard output is a terminal, what could not be determined is also said on
standard error. Exit codes:
  0  every registration, and certificate if asked for, lasts long enough; there may be warnings
  2  one is below the minimum, has expired, is invalid, was not checked in time, or has no expiry date
  1  anything else: one could not be determined (takes precedence over 2), or the arguments or settings are not valid`,
    examples: `
  npx pulumi-domain-monitoring expiry --domain 11111111-1111-4111-8111-111111111111 --minimum-days 30
  npx pulumi-domain-monitoring expiry --all --minimum-days 30
  npx pulumi-domain-monitoring expiry --all --minimum-days 14 --warn-days 30 --certificate-days 7
  pulumi stack export | npx pulumi-domain-monitoring expiry --from-stack - --minimum-days 30 --json`,
    run,
  });
}

async function run(given: ExpiryArguments): Promise<number> {
  const { warnDays, certificateDays, maximumAgeHours, onUnknown } = given;
  const rules = await readRules(given.rules, new Date());
  const minimumDays = given.minimumDays ?? rules.registration?.minimumDays;
  if (minimumDays === undefined)
    throw new Error(
      "no number of days is required: give --minimum-days, or registration.minimumDays in the file of --rules",
    );
  const bounds = { minimumDays: given.minimumDays, warnDays, certificateDays, maximumAgeHours };
  const rulesFor = bindRules(rules, bounds, { minimumDays });
  const selection = { ...(await readSelection(given)), named: Object.keys(rules.domains) };
  const answers = await forEachDomain(selection, given.baseUrl, async (id, domain) => ({ id, ...domain }));
  const now = new Date();
  const domains = answers.map(({ id, value, failure }): ExpiryEntry => {
    if (failure) {
      const { kind, status, message } = failure;
      return { id, verdict: "error", ...UNKNOWN, message, failure: { kind, status } };
    }
    const { expiry: rule, accept: override } = rulesFor(value.domain);
    const expiry = evaluateDomainExpiry(value, { ...rule, onUnknown, override, now });
    return { id, verdict: VERDICTS[expiry.severity], ...expiry, failure: null };
  });
  printUndetermined(answers);
  const { notes } = selection;
  const exitCode = exitCodeOf(domains);
  if (given.format === "json") {
    const rule = appliedRule(rulesFor("").expiry, onUnknown);
    const document: ExpiryDocument = {
      version: 1,
      judgedAt: now.toISOString(),
      rule,
      exitCode,
      domains,
      notes,
    };
    print(toJson(document));
  } else print(...domains.map(line), ...notes.map((note) => `note: ${note}`));
  return exitCode;
}

function appliedRule(rule: DomainRules["expiry"], onUnknown: AppliedRule["onUnknown"]): AppliedRule {
  const { minimumDays, warnDays = null, certificateDays = null, maximumAgeHours = null } = rule;
  return { minimumDays, warnDays, certificateDays, maximumAgeHours, onUnknown };
}

const VERDICTS = { none: "pass", warning: "warn", error: "fail" } as const;

const UNKNOWN = {
  domain: null,
  status: null,
  expiresAt: null,
  actBy: null,
  checkedAt: null,
  severity: null,
  certificate: null,
  overridden: null,
};

/** A failure takes precedence: a verdict on some domains must not read as one on all. */
function exitCodeOf(domains: ExpiryEntry[]): number {
  if (domains.some(({ verdict }) => verdict === "error")) return EXIT_FAILURE;
  return domains.some(({ verdict }) => verdict === "fail") ? EXIT_VERDICT : 0;
}

function line(entry: ExpiryEntry): string {
  const { id, verdict, status, certificate, message } = entry;
  if (verdict === "error") return `${pad(verdict, 8)}  ${oneLine(`${id}: ${message}`, 500)}`;
  // Where the registration is fine, it is the certificate that is not.
  const state = verdict !== "pass" && status === "ok" ? certificate?.status : status;
  return `${pad(state ?? "", 8)}  ${oneLine(message, 500)}${warningWords(entry)}`;
}

/** Why a domain passes whose dates are not known; of other warnings the message says it. */
function warningWords({ verdict, status, certificate, overridden }: ExpiryEntry): string {
  const isUnknown =
    status === "unknown" || /^(unmonitored|unknown|unreadable)$/.test(certificate?.status ?? "");
  return verdict === "warn" && !overridden && isUnknown ? " (accepted by --on-unknown warn)" : "";
}
