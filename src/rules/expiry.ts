/**
 * Evaluates whether a domain's registration, and its certificate if the rule asks for it, last long
 * enough. Pure: no Pulumi, no clock.
 *
 * A day is a UTC day. The expiry day itself is day 0 and not yet expired. The dates are the strings
 * that the service sent.
 */
import { DomainMonitoringError } from "../client/errors";
import type { Domain } from "../client/types";
import { count, oneLine } from "../common/text";
import { FUNCTION_PREFIX } from "../names";
import { type CertificateExpiry, judgeCertificate } from "./certificate";
import { dateOfDay, dayNumber, isUnreadable, servedDate } from "./days";
import {
  type Bound,
  boundWords,
  type Concern,
  checkExpiryRule,
  type ExpiryRule,
  exceptionWords,
  isInEffect,
  type Judged,
  leftWords,
  reactionTo,
  worst,
} from "./expiry-rule";

/** Result of evaluating a rule. */
export interface DomainExpiry {
  /** Domain name. */
  domain: string;

  /** The day on which the registration ends, `DATE` as served; null while it is unknown. */
  expiresAt: string | null;

  /**
   * State of the registration. `expiring`: fewer days are left than `minimumDays`, or than
   * `warnDays`. `stale`: enough as far as known, but the last check is too old. `unknown`: there is
   * no expiry date.
   */
  status: "ok" | "expiring" | "expired" | "stale" | "unknown";

  /** The worse verdict of registration and certificate; at most `warn` with an override in effect. */
  verdict: "pass" | "warn" | "fail";

  /**
   * The day, `DATE`, on which `minimumDays` are left: the last day that satisfies the rule. Null
   * while the expiry is unknown.
   */
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

/**
 * Evaluates a rule for a domain. Pure: the same domain, rule and `now` give the same result.
 * @throws DomainMonitoringError of kind `validation` with all problems of the rule, or if the
 * domain lacks what the rule reads
 */
export function evaluateDomainExpiry(
  domain: Domain,
  rule: ExpiryRule & { now?: Date | undefined },
): DomainExpiry {
  checkExpiryRule(rule);
  requireFields(domain, rule);
  const now = rule.now ?? new Date();
  const registration = judgeRegistration(domain, rule, now);
  const { expiresAt, status, actBy, checkedAt } = registration.state;
  // Read only if the rule asks for it: a domain that a program's mocks return may be without one.
  const { certificateDays: minimumDays, onUnknown, mode } = rule;
  const certificate =
    minimumDays === undefined
      ? undefined
      : judgeCertificate(domain.components.ssl, { minimumDays, onUnknown, mode }, now);

  const judged = certificate ? [registration, certificate] : [registration];
  const verdict = worst(judged);
  const overridden = verdict !== "pass" && isInEffect(rule.override, now);
  const texts = judged.map(({ state }) => state.text).join("; ");
  const exception = verdict === "pass" ? "" : exceptionWords(rule.override, now);

  return {
    domain: domain.domain,
    expiresAt,
    status,
    verdict: overridden ? "warn" : verdict,
    actBy,
    checkedAt,
    certificate: certificate ? certificateExpiry(certificate.state) : null,
    overridden,
    // Texts of the service, and reasons, may have line breaks.
    message: oneLine(`${domain.domain} ${texts}${exception}`, MAX_LENGTH),
  };
}

const MAX_LENGTH = 2000;

/** The part of a certificate's state that results show. */
function certificateExpiry({ status, expiresAt, daysLeft }: CertificateExpiry): CertificateExpiry {
  return { status, expiresAt, daysLeft };
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
    `the domain has no ${missing[0]}, and the rule needs it: return it from your mocks of ${FUNCTION_PREFIX}getDomain`,
  );
}

/** A rule for registrations. */
export type RegistrationRule = Bound & Pick<ExpiryRule, "warnDays" | "maximumAgeHours">;

/** State of a registration. */
export interface RegistrationState {
  /**
   * `expiring`: fewer days are left than required, or than the warning asks for. `stale`: enough as
   * far as known, or no date, but the last check is too old. `unknown`: there is no expiry date.
   */
  status: "ok" | "expiring" | "expired" | "stale" | "unknown";

  /** The day on which the registration ends, `DATE` as served; null while it is unknown. */
  expiresAt: string | null;

  /** UTC days until it expires; negative if it has expired. */
  daysLeft: number | null;

  /** `DATE` on which the required days are left; null if it is not known or none are required. */
  actBy: string | null;

  /** Last WHOIS check, as served. */
  checkedAt: string | null;

  /** In one line, without the domain's name. */
  text: string;
}

type Status = RegistrationState["status"];

/** Judges a registration. @param rule null: it is not judged */
export function judgeRegistration(
  domain: Domain,
  rule: RegistrationRule | null,
  now: Date,
): Judged<RegistrationState> {
  const { text: expiresAt, instant: expires } = servedDate(domain.expiresAt);
  const daysLeft = expires ? dayNumber(expires) - dayNumber(now) : null;
  const actBy = expires && rule ? dateOfDay(dayNumber(expires) - rule.minimumDays) : null;
  const { text: checkedAt } = servedDate(domain.components.whois.lastCheckedAt);
  const dates = { expiresAt, daysLeft, actBy, checkedAt };
  const { status, concern, text } = stateOf(dates, rule ?? { minimumDays: 0 }, now);

  return { state: { status, ...dates, text }, verdict: rule ? reactionTo(concern, rule) : "pass" };
}

function stateOf(
  { expiresAt, daysLeft, checkedAt }: Omit<RegistrationState, "status" | "text">,
  { minimumDays, warnDays = minimumDays, maximumAgeHours, onUnknown }: RegistrationRule,
  now: Date,
) {
  const state = (status: Status, concern: Concern, text: string) => ({ status, concern, text });
  const staleness = stale("WHOIS", checkedAt, maximumAgeHours, now);

  if (expiresAt === null) {
    if (checkedAt !== null && staleness !== undefined)
      return state("stale", "violation", `has no expiry date, and ${staleness}`);

    return state("unknown", "unknown", `has no expiry date${missingWords(checkedAt, onUnknown)}`);
  }

  // `onUnknown` does not cover a date that cannot be parsed.
  if (daysLeft === null) {
    const advice = "check the domain in the service";
    const text = `has an expiry date that is not valid (${expiresAt}): ${advice}`;
    return state("unknown", "violation", text);
  }

  const expires = `expires on ${expiresAt}`;
  if (daysLeft < 0) {
    const ago = count(-daysLeft, "day");
    return state("expired", "violation", `expired on ${expiresAt}, ${ago} ago: renew it now`);
  }

  if (daysLeft < minimumDays)
    return state("expiring", "violation", `${expires}, ${boundWords(daysLeft, minimumDays)}`);

  if (staleness !== undefined)
    return state("stale", "violation", `${expires} as far as known, but ${staleness}`);

  const left = `${expires}, ${leftWords(daysLeft)}`;
  if (daysLeft >= warnDays) return state("ok", "none", left);

  return state("expiring", "near", `${left}, with a warning below ${warnDays}: renew it soon`);
}

/** A domain that was checked is not told to wait. */
function missingWords(checkedAt: string | null, onUnknown: Bound["onUnknown"]): string {
  if (checkedAt === null) return " yet: wait for its first WHOIS check, or run it by hand";

  const advice =
    onUnknown === "warn"
      ? "its registry may publish none"
      : "if its registry publishes none, set onUnknown to warn";

  return `, although WHOIS was checked: ${advice}`;
}

const HOUR_MS = 3_600_000;

/** Two clocks differ by less, if both are right. */
const CLOCK_TOLERANCE_MS = 300_000;

/**
 * Why the last check of a component proves nothing any more; undefined if it is new enough, or may
 * be of any age.
 */
export function stale(
  component: string,
  checkedAt: string | null,
  maximumAgeHours: number | undefined,
  now: Date,
): string | undefined {
  if (maximumAgeHours === undefined) return undefined;

  const date = servedDate(checkedAt);
  const checked = date.instant;
  if (isUnreadable(date))
    return `its last ${component} check has a date that cannot be read (${checkedAt}): look at the domain in the service`;

  if (!checked) return `its ${component} data was never checked: run a check, or allow any age`;

  const age = now.getTime() - checked.getTime();
  if (age < -CLOCK_TOLERANCE_MS)
    return `its last ${component} check is in the future: compare the clocks of this computer and of the service`;

  if (age <= maximumAgeHours * HOUR_MS) return undefined;

  // Rounded up: 24 hours and a minute are not 24 hours.
  const hours = Math.ceil(age / HOUR_MS);

  return `its last ${component} check was ${count(hours, "hour")} ago and ${maximumAgeHours} are allowed: see why it is not checked`;
}
