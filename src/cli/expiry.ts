/** `pulumi-domain-monitoring expiry`: checks for pipelines that registrations last long enough. */

import { type Command, Option } from "commander";
import type { Domain } from "../client/types";
import { oneLine } from "../common/secrets";
import type { CertificateExpiry } from "../rules/certificate";
import { certificateExpiry, type RegistrationState } from "../rules/expiry";
import { isInEffect, type Verdict, worst } from "../rules/expiry-rule";
import type { Finding } from "../rules/finding";
import { type DomainJudgement, type DomainRules, judgeDomain } from "../rules/judge";
import { type Failure, MISSING, type Outcome } from "./calls";
import {
  checkBounds,
  type DomainsArguments,
  domainsCommand,
  parseDays,
  parseHours,
  RULES_OPTION,
  type RulesArguments,
  WARN_DAYS_OPTION,
} from "./options";
import { exitCodeOf, print, printUndetermined } from "./output";
import { type BoundRules, bindRules, readRules } from "./rules-file";
import { forEachDomain, readSelection } from "./selection";
import { pad, toJson } from "./text";

interface ExpiryArguments extends DomainsArguments<"table" | "json">, RulesArguments {
  maximumAgeHours?: number;
  onUnknown?: "error" | "warn";
}

/**
 * Output of `--format json`. Within `version` 1, fields may be added but not renamed or removed.
 */
export interface ExpiryDocument {
  /** Version of this format. */
  version: 1;

  /** Time of the evaluation, ISO 8601 in UTC. */
  judgedAt: string;

  /** The rule for domains of which the rules file says nothing else. */
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
  /** Days that registrations must last; null: they are not judged. */
  minimumDays: number | null;

  /** Fewer days of the registration than these are a warning. */
  warnDays: number | null;

  /** Days that certificates must last. */
  certificateDays: number | null;

  /** Maximum age of the last WHOIS check, in hours. */
  maximumAgeHours: number | null;

  /** Reaction to a date that is not known yet. */
  onUnknown: "error" | "warn";
}

/** One domain. */
export interface ExpiryEntry {
  /** Id of the domain; the name as given, where it could not be looked up. */
  id: string;

  /** `warn`: near its bound, or accepted. `unknown`: it could not be determined. */
  verdict: Verdict;

  /** Domain name; null if it could not be determined, like the fields below. */
  domain: string | null;

  /** As in `DomainExpiry`. */
  status: RegistrationState["status"] | null;

  /** `DATE` as served. */
  expiresAt: string | null;

  /** `DATE` on which the required days are left; null too if none are required. */
  actBy: string | null;

  /** Last WHOIS check, as served. */
  checkedAt: string | null;

  /** As in `DomainExpiry`; null too if no days of it are required. */
  certificate: CertificateExpiry | null;

  /** Whether an exception of the rules file is in effect. */
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
        "days that must be left, today not counted; required unless the rules file has them",
      ).argParser(parseDays),
      WARN_DAYS_OPTION,
      new Option(
        "--certificate-days <days>",
        "days that certificates must last (default: not checked)",
      ).argParser(parseDays),
      RULES_OPTION,
      new Option(
        "--maximum-age-hours <hours>",
        "how old the last WHOIS check may be (default: any age)",
      ).argParser(parseHours),
      new Option(
        "--on-unknown <what>",
        "what to do while a date is not known (default: error)",
      ).choices(["error", "warn"]),
    ],
    result: "result",
    help: `
Prints one line for each domain. When output is piped, problems are also printed to standard error. Exit codes:
  0  every registration, and certificate if asked for, lasts long enough, and nothing breaks the rules file
  2  a registration or certificate ends too soon, has ended, is invalid or unknown, or was not checked recently; or
     with a rules file: another registrar or issuer, a required check that is off, a domain that the account lacks
  1  a domain could not be checked (takes precedence over 2), or the arguments or settings are not valid`,
    examples: `
  npx pulumi-domain-monitoring expiry --domain 11111111-1111-4111-8111-111111111111 --minimum-days 30
  npx pulumi-domain-monitoring expiry --all --minimum-days 30
  npx pulumi-domain-monitoring expiry --all --minimum-days 14 --warn-days 30 --certificate-days 7
  pulumi stack export | npx pulumi-domain-monitoring expiry --from-stack - --minimum-days 30 --json`,
    run,
  });
}

async function run(given: ExpiryArguments): Promise<number> {
  checkBounds(given);
  const rules = await readRules(given.rules, new Date());
  const isUnbounded = rules.registration !== null && rules.registration?.minimumDays === undefined;
  if (given.minimumDays === undefined && isUnbounded)
    throw new Error(
      "--minimum-days is missing: pass it, or set registration.minimumDays in the --rules file",
    );

  const bound = bindRules(rules, given, false);
  const selection = { ...(await readSelection(given)), named: Object.keys(rules.domains) };
  const answers = await forEachDomain(selection, given.baseUrl, async (id, domain) => ({
    id,
    domain,
  }));

  const now = new Date();
  const domains = answers.map(({ id, domain }) => entryOf(id, domain, bound, now));

  printUndetermined(answers.map(({ id, domain: { failure } }) => ({ id, failure })));
  const { notes } = selection;
  const exitCode = exitCodeOf(domains);

  if (given.format === "json") {
    const rule = appliedRule(bound.defaults);
    const judgedAt = now.toISOString();
    const document: ExpiryDocument = {
      version: 1,
      judgedAt,
      rule,
      exitCode,
      domains,
      notes,
    };

    print(toJson(document));
  } else print(...domains.map(line), ...notes.map((note) => `note: ${note}`));

  return exitCode;
}

/** Judges registration and certificate as `report` does, and nothing else. */
function entryOf(id: string, known: Outcome<Domain>, rules: BoundRules, now: Date): ExpiryEntry {
  if (known.failure) return entryWithout(id, known.failure);

  const { domain } = known.value;
  const own = rules.of(domain);
  const components = own.components.filter((component) => component === "ssl" && own.certificate);
  const judged = judgeDomain(
    known.value,
    [],
    {
      ...own,
      components,
      changes: undefined,
    },
    now,
  );

  const { registration, certificate, findings } = judged;
  const isAccepted = ({ about }: Finding) =>
    own.accept.some((exception) => exception.about === about && isInEffect(exception, now));

  return {
    id,
    verdict: worst(findings),
    domain,
    status: registration.status,
    expiresAt: registration.expiresAt,
    actBy: registration.actBy,
    checkedAt: registration.checkedAt,
    certificate: own.certificate ? certificateExpiry(certificate) : null,
    overridden: findings.some(isAccepted),
    message: `${domain} ${textsOf(judged, own).join("; ")}`,
    failure: null,
  };
}

/** An entry of a domain that is missing or could not be determined. */
function entryWithout(id: string, { kind, status, message }: Failure): ExpiryEntry {
  const isMissing = kind === MISSING;

  return {
    id,
    verdict: isMissing ? "fail" : "unknown",
    ...UNKNOWN,
    domain: isMissing ? id : null,
    message,
    failure: isMissing ? null : { kind, status },
  };
}

/** Registration and certificate, also where nothing is wrong, then the other findings. */
function textsOf(
  { registration, certificate, findings }: DomainJudgement,
  rules: DomainRules,
): string[] {
  const isOfExpiry = ({ kind, about }: Finding) => kind === about;
  const ofExpiry = new Map(findings.filter(isOfExpiry).map(({ kind, text }) => [kind, text]));
  const ofRegistration = rules.registration
    ? registration.text
    : "has a registration that is not judged";

  return [
    ofExpiry.get("registration") ?? ofRegistration,
    ...(rules.certificate ? [ofExpiry.get("certificate") ?? certificate.text] : []),
    ...findings.filter((finding) => !isOfExpiry(finding)).map(({ text }) => text),
  ];
}

function appliedRule({ registration, certificate }: DomainRules): AppliedRule {
  return {
    minimumDays: registration?.minimumDays ?? null,
    warnDays: registration?.warnDays ?? null,
    certificateDays: certificate?.minimumDays ?? null,
    maximumAgeHours: registration?.maximumAgeHours ?? null,
    onUnknown: registration?.onUnknown ?? "error",
  };
}

const UNKNOWN = {
  domain: null,
  status: null,
  expiresAt: null,
  actBy: null,
  checkedAt: null,
  certificate: null,
  overridden: null,
};

function line({ id, status, verdict, message }: ExpiryEntry): string {
  const text = status === null ? `${id}: ${message}` : message;
  return `${pad(verdict, "unknown".length)}  ${oneLine(text, 500)}`;
}
