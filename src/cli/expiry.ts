/** `pulumi-domain-monitoring expiry`: checks for pipelines that registrations last long enough. */

import { type Command, Option } from "commander";
import { toJson } from "../common/text";
import type { CertificateExpiry, CertificateState } from "../rules/certificate";
import type { DomainRules } from "../rules/domain-rules";
import { exceptionOf } from "../rules/exceptions";
import { certificateExpiry, type RegistrationState } from "../rules/expiry";
import type { Verdict } from "../rules/expiry-rule";
import type { Finding } from "../rules/finding";
import type { Failure } from "./calls";
import { domainsCommand, parseDays, parseHours, RULES_OPTION, WARN_DAYS_OPTION } from "./options";
import { print, printUndetermined } from "./output";
import { type Asked, ask, type GivenReport } from "./report/asked";
import { judge, undeterminedParts } from "./report/judge";
import type { DomainReport, Report, ReportedFinding } from "./report/model";
import { read } from "./report/read";
import { countsLine } from "./report/texts";
import type { BoundRules } from "./rules/binding";
import { pad, printable } from "./text";

interface ExpiryArguments extends GivenReport {
  format: "table" | "json";
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
  failure: Omit<Failure, "message"> | null;
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
  const asked = onlyExpiry(await ask(given, { isCertificateJudged: false }));
  const { bound, rules } = asked;
  const isUnbounded = rules.registration !== null && rules.registration?.minimumDays === undefined;
  if (given.minimumDays === undefined && isUnbounded)
    throw new Error(
      "--minimum-days is missing: pass it, or set registration.minimumDays in the --rules file",
    );

  const report = judge(asked, await read(asked));
  const domains = report.domains.map((one) => entryOf(one, bound, asked.now));

  printUndetermined(undeterminedParts(report));
  if (given.format === "json") print(toJson(documentOf(report, domains, bound)));
  else print(...linesOf(report, printable(domains)));

  return report.exitCode;
}

/** Only registration and certificate are judged, as `report` judges them. */
function onlyExpiry(asked: Asked): Asked {
  const narrowed = (rules: DomainRules): DomainRules => ({
    ...rules,
    components: rules.components.filter((component) => component === "ssl" && rules.certificate),
    changes: undefined,
  });

  const { defaults, of } = asked.bound;
  const bound = { defaults: narrowed(defaults), of: (domain: string) => narrowed(of(domain)) };

  return { ...asked, bound, kinds: [], comparesChannels: false };
}

function documentOf(
  { generatedAt, exitCode, notes }: Report,
  domains: ExpiryEntry[],
  { defaults }: BoundRules,
): ExpiryDocument {
  return {
    version: 1,
    judgedAt: generatedAt,
    rule: appliedRule(defaults),
    exitCode,
    domains,
    notes,
  };
}

/** On a terminal the last lines are read, so what is wrong comes last, and the numbers of many. */
function linesOf({ notes, summary }: Report, domains: readonly ExpiryEntry[]): string[] {
  const rank = ({ verdict }: ExpiryEntry) => ORDER.indexOf(verdict);
  const ordered = domains.toSorted((a, b) => rank(a) - rank(b));

  return [
    ...notes.map((note) => `note: ${note}`),
    ...ordered.map(line),
    ...(domains.length > 1 ? [countsLine(summary)] : []),
  ];
}

const ORDER: readonly Verdict[] = ["pass", "warn", "unknown", "fail"];

/** A domain of the report, as its registration and certificate. */
function entryOf(report: DomainReport, rules: BoundRules, now: Date): ExpiryEntry {
  const { id, verdict, domain, registration, certificate, findings } = report;
  const { status = null, expiresAt = null, actBy = null, checkedAt = null } = registration ?? {};
  const entry = { id, verdict, domain, status, expiresAt, actBy, checkedAt };
  if (domain === null || !registration || !certificate)
    return { ...entry, certificate: null, overridden: null, ...reasonIn(findings) };

  const own = rules.of(domain);

  return {
    ...entry,
    certificate: own.certificate ? certificateExpiry(certificate) : null,
    overridden: findings.some((found) => exceptionOf(found, own.accept, now)),
    message: `${domain} ${textsOf({ registration, certificate, findings }, own).join("; ")}`,
    failure: null,
  };
}

/** Why a domain is missing or could not be determined: its only finding. */
function reasonIn([found]: readonly ReportedFinding[]): Pick<ExpiryEntry, "message" | "failure"> {
  if (!found?.failure) return { message: found?.text ?? "", failure: null };
  const { message, ...failure } = found.failure;

  return { message, failure };
}

interface Judged extends Pick<DomainReport, "findings"> {
  registration: RegistrationState;
  certificate: CertificateState;
}

/** Registration and certificate, also where nothing is wrong, then the other findings. */
function textsOf({ registration, certificate, findings }: Judged, rules: DomainRules): string[] {
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

function line({ id, status, verdict, message }: ExpiryEntry): string {
  const text = status === null ? `${id}: ${message}` : message;
  return `${pad(verdict, "unknown".length)}  ${text}`;
}
