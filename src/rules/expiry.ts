/**
 * Evaluates whether a domain's registration, and its certificate if the rule asks for it, last long enough. Pure: no Pulumi, no
 * clock.
 *
 * A day is a UTC day. The expiry day itself is day 0 and not yet expired. The dates are the strings that the service sent.
 */
import { DomainMonitoringError } from "../client/errors";
import { toInstant, toInstantWithOffset } from "../client/timestamps";
import type { Domain } from "../client/types";
import { oneLine } from "../common/redact";
import { count } from "../common/text";
import { FUNCTION_PREFIX } from "../names";
import { type CertificateExpiry, type CertificateReport, certificateReport } from "./certificate";
import { dateOfDay, dayNumber, daysUntil } from "./days";
import { checkExpiryRule, type ExpiryOverride, type ExpiryRule } from "./expiry-rule";

/** What a result calls for. */
export type Severity = "none" | "warning" | "error";

/** Result of evaluating a rule. */
export interface DomainExpiry {
  /** Domain name. */
  domain: string;
  /** `DATE` as served; null while it is unknown. */
  expiresAt: string | null;
  /**
   * State of the registration. `expiring`: fewer days are left than `minimumDays`, or than `warnDays`. `stale`: enough as far as
   * known, but the last check is too old. `unknown`: there is no expiry date.
   */
  status: "ok" | "expiring" | "expired" | "stale" | "unknown";
  /** What the rule makes of it: of registration and certificate the worse, with an override in effect at most a warning. */
  severity: Severity;
  /** `DATE` on which `minimumDays` are left: the last day that satisfies the rule. Null while the expiry is unknown. */
  actBy: string | null;
  /** Last WHOIS check, `ISO-UTC` as served; null before the first. */
  checkedAt: string | null;
  /** The certificate; null if the rule has no `certificateDays`. */
  certificate: CertificateExpiry | null;
  /** Whether an override is in effect. */
  overridden: boolean;
  /** The result in one line. */
  message: string;
}

/** The state of a registration or a certificate, and whether the rule allows it. */
interface State<Status = unknown> {
  status: Status;
  concern: "none" | "near" | "violation" | "unknown";
  /** In one line without the domain's name. */
  said: string;
}

const HOUR_MS = 3_600_000;

/** Two clocks differ by less, if both are right. */
const CLOCK_TOLERANCE_MS = 300_000;

/**
 * Evaluates a rule for a domain. Pure: the same domain, rule and `now` give the same result.
 * @throws DomainMonitoringError of kind `validation` with all problems of the rule, or if the domain lacks what the rule reads
 */
export function evaluateDomainExpiry(domain: Domain, rule: ExpiryRule & { now?: Date }): DomainExpiry {
  checkExpiryRule(rule);
  requireFields(domain, rule);
  const now = rule.now ?? new Date();
  const { registration, certificate, findings } = judgeExpiry(domain, rule, now);
  const severity = worst(findings);
  const overridden = severity !== "none" && isInEffect(rule.override, now);
  const said = findings.map(({ message }) => message).join("; ");
  const exception = severity === "none" ? "" : exceptionWords(rule.override, now);
  return {
    domain: domain.domain,
    expiresAt: domain.expiresAt,
    status: registration.status,
    severity: overridden ? "warning" : severity,
    actBy: registration.actBy,
    checkedAt: registration.checkedAt,
    certificate: certificate && {
      status: certificate.status,
      expiresAt: certificate.expiresAt,
      daysLeft: certificate.daysLeft,
    },
    overridden,
    message: messageLine(`${domain.domain} ${said}${exception}`),
  };
}

/** The mocks of a program's test may return a domain with few fields, or what they were given. */
function requireFields({ expiresAt, components }: Domain, { certificateDays }: ExpiryRule): void {
  const fields: [name: string, value: unknown][] = [
    ["expiresAt", expiresAt],
    ["components.whois.lastCheckedAt", components?.whois?.lastCheckedAt],
  ];
  if (certificateDays !== undefined) fields.push(["components.ssl", components?.ssl]);
  const missing = fields.find(([, value]) => value === undefined);
  if (missing === undefined) return;
  throw new DomainMonitoringError(
    "validation",
    `the domain has no ${missing[0]}, which the rule reads: mocks have to return it for ${FUNCTION_PREFIX}getDomain`,
  );
}

function worst(findings: readonly { severity: Severity }[]): Severity {
  const has = (severity: Severity) => findings.some((finding) => finding.severity === severity);
  if (has("error")) return "error";
  return has("warning") ? "warning" : "none";
}

/**
 * What a rule makes of registration and certificate, without its override. A certificate is read only if the rule asks for it:
 * a domain that a program's mocks return may be without one.
 */
export function judgeExpiry(domain: Domain, rule: ExpiryRule, now: Date) {
  const expires = domain.expiresAt === null ? undefined : toInstant(domain.expiresAt);
  const found = (about: "registration" | "certificate", { concern, said }: State) => ({
    about,
    severity: severityOf(concern, rule),
    message: said,
  });
  const state = registrationState(domain, expires, rule, now);
  const registration = {
    status: state.status,
    expiresAt: domain.expiresAt,
    daysLeft: expires ? dayNumber(expires) - dayNumber(now) : null,
    actBy: expires ? dateOfDay(dayNumber(expires) - rule.minimumDays) : null,
    checkedAt: domain.components.whois.lastCheckedAt,
    message: messageLine(`${domain.domain} ${state.said}`),
  };
  const findings = [found("registration", state)];
  if (rule.certificateDays === undefined) return { registration, certificate: null, findings };
  const certificate = certificateReport(domain.components.ssl, now, rule.certificateDays);
  findings.push(found("certificate", certificateState(certificate, rule.certificateDays)));
  return { registration, certificate, findings };
}

function severityOf(concern: State["concern"], rule: ExpiryRule): Severity {
  if (concern === "none") return "none";
  if (concern === "near") return "warning";
  const reaction = concern === "unknown" ? rule.onUnknown : rule.mode;
  return reaction === "warn" ? "warning" : "error";
}

function registrationState(
  { expiresAt, components }: Domain,
  expires: Date | undefined,
  { minimumDays, warnDays, maximumAgeHours }: ExpiryRule,
  now: Date,
): State<DomainExpiry["status"]> {
  if (expiresAt === null)
    return state(
      "unknown",
      "unknown",
      "has no expiry date yet: wait for its first WHOIS check, or run it by hand",
    );
  const violation = (status: DomainExpiry["status"], said: string) => state(status, "violation", said);
  // `onUnknown` does not cover a date that cannot be parsed.
  if (!expires)
    return violation(
      "unknown",
      `has an expiry date that is not valid (${expiresAt}): check the domain in the service`,
    );
  const when = `on ${expiresAt}`;
  const days = dayNumber(expires) - dayNumber(now);
  if (days < 0) return violation("expired", `expired ${when}, ${count(-days, "day")} ago: renew it now`);
  const left = `expires ${when}, ${inDays(days)}`;
  if (days < minimumDays) return violation("expiring", `${left}, and ${required(minimumDays)}`);
  const staleness = stale("WHOIS", components.whois.lastCheckedAt, maximumAgeHours, now);
  if (staleness) return violation("stale", `expires ${when} as far as known, but ${staleness}`);
  if (warnDays === undefined || days >= warnDays) return state("ok", "none", left);
  const said = `${left}, fewer than the ${count(warnDays, "day")} of the warning: renew it soon`;
  return state("expiring", "near", said);
}

function state<Status>(status: Status, concern: State["concern"], said: string): State<Status> {
  return { status, concern, said };
}

function certificateState(
  { status, expiresAt, daysLeft, unreadable }: CertificateReport,
  certificateDays: number,
): State<CertificateExpiry["status"]> {
  const its = (concern: State["concern"], said: string) => state(status, concern, `its certificate ${said}`);
  const when = `on ${expiresAt}`;
  const left = `expires ${when}, ${inDays(daysLeft ?? 0)}`;
  const dates = unreadable.map(({ field, value }) => `${field} ${value}`).join(", ");
  switch (status) {
    case "unmonitored":
      return its("unknown", "is not monitored: switch its checks on in the service");
    case "unknown":
      return its("unknown", "was not checked yet: wait for its first check");
    case "unreadable":
      return its("unknown", `has a date that cannot be read (${dates}): look at the domain in the service`);
    case "invalid":
      return its("violation", "was found invalid by its last check: see why, and replace it");
    case "expired":
      return its("violation", `expired ${when}: renew it now`);
    case "expiring":
      return its("violation", `${left}, and ${required(certificateDays)}`);
    case "ok":
      return its("none", left);
  }
}

/** Such as `today` or `in 3 days`. */
export function inDays(days: number): string {
  return days === 0 ? "today" : `in ${count(days, "day")}`;
}

function required(days: number): string {
  return `${count(days, "day")} ${days === 1 ? "is" : "are"} required: renew it`;
}

/** Why the last check of a component proves nothing any more; undefined if it is new enough, or may be of any age. */
export function stale(
  component: string,
  checkedAt: string | null,
  maximumAgeHours: number | undefined,
  now: Date,
): string | undefined {
  if (maximumAgeHours === undefined) return undefined;
  if (checkedAt === null) return `its ${component} data was never checked: run a check, or allow any age`;
  const checked = toInstantWithOffset(checkedAt);
  if (!checked)
    return `its last ${component} check has a date that cannot be read (${checkedAt}): look at the domain in the service`;
  const age = now.getTime() - checked.getTime();
  if (age < -CLOCK_TOLERANCE_MS)
    return `its last ${component} check is in the future: compare the clocks of this computer and of the service`;
  if (age <= maximumAgeHours * HOUR_MS) return undefined;
  // Rounded up: 24 hours and a minute are not 24 hours.
  const hours = Math.ceil(age / HOUR_MS);
  return `its last ${component} check was ${count(hours, "hour")} ago and ${maximumAgeHours} are allowed: see why it is not checked`;
}

/** Whether there is an exception that has not ended. */
export function isInEffect(exception: ExpiryOverride | undefined, now: Date): boolean {
  return exception !== undefined && daysUntil(exception.until, now) >= 0;
}

/** What a message about a violation ends with. */
export function exceptionWords(exception: ExpiryOverride | undefined, now: Date): string {
  if (!exception) return "";
  const { until, reason } = exception;
  return ` (${isInEffect(exception, now) ? "" : "was "}accepted until ${until}: ${reason})`;
}

/** A message on one line, although the service's texts and the reason may contain line breaks. */
export function messageLine(text: string): string {
  return oneLine(text, 2000);
}
