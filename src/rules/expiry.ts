/**
 * Evaluates whether a domain's registration lasts long enough. Pure: no Pulumi, no clock.
 *
 * A day is a UTC day. The expiry day itself is day 0 and not yet expired. The dates are the strings that the service sent.
 */
import { DomainMonitoringError } from "../client/errors";
import { toInstant } from "../client/timestamps";
import type { Domain } from "../client/types";
import { count } from "../common/text";
import { dateOfDay, dayNumber, daysUntil } from "./days";

/** A rule for the expiry of a domain. */
export interface ExpiryRule {
  /** Days that must be left, 0 or more. */
  minimumDays: number;
  /** Maximum age of the last WHOIS check, in hours. @default any age */
  maximumAgeHours?: number;
  /** Reaction while there is no expiry date. @default "error" */
  onUnknown?: "error" | "warn";
  /** Reaction to a domain that expires too soon, has expired, or was not checked in time. @default "error" */
  mode?: "error" | "warn";
  /** Accepts a violation for a limited time, with a reason. */
  override?: ExpiryOverride;
}

/** An exception from a rule. */
export interface ExpiryOverride {
  /** `DATE`: the last day of the exception. */
  until: string;
  /** Reason for the exception; shown in the message. */
  reason: string;
}

/** Result of evaluating a rule. */
export interface DomainExpiry {
  /** Domain name. */
  domain: string;
  /** `DATE` as served; null while it is unknown. */
  expiresAt: string | null;
  /** `expiring`: fewer days are left than required. `stale`: enough as far as known, but the last check is too old. `unknown`: there is no expiry date. */
  status: "ok" | "expiring" | "expired" | "stale" | "unknown";
  /** `DATE` on which `minimumDays` are left: the last day that satisfies the rule. Null while the expiry is unknown. */
  actBy: string | null;
  /** Last WHOIS check, `ISO-UTC` as served; null before the first. */
  checkedAt: string | null;
  /** Whether an override is in effect. */
  overridden: boolean;
  /** The result in one line. */
  message: string;
}

const HOUR_MS = 3_600_000;

/**
 * Evaluates a rule for a domain. Pure: the same domain, rule and `now` give the same result.
 * @throws DomainMonitoringError of kind `validation` with all problems of the rule
 */
export function evaluateDomainExpiry(domain: Domain, rule: ExpiryRule & { now?: Date }): DomainExpiry {
  checkExpiryRule(rule);
  const now = rule.now ?? new Date();
  const checkedAt = domain.components.whois.lastCheckedAt;
  const expires = domain.expiresAt === null ? undefined : toInstant(domain.expiresAt);
  const actBy = expires ? dateOfDay(dayNumber(expires) - rule.minimumDays) : null;
  const { status, said } = judge(domain, expires, rule, now);
  const overridden =
    status !== "ok" && rule.override !== undefined && daysUntil(rule.override.until, now) >= 0;
  return {
    domain: domain.domain,
    expiresAt: domain.expiresAt,
    status,
    actBy,
    checkedAt,
    overridden,
    message: oneLine(`${domain.domain} ${said}${exception(rule, overridden, status)}`),
  };
}

/** Severity of a result according to the rule. */
export function expirySeverity(expiry: DomainExpiry, rule: ExpiryRule): "none" | "warning" | "error" {
  if (expiry.status === "ok") return "none";
  if (expiry.overridden) return "warning";
  // `onUnknown` covers a missing date, not one that cannot be parsed.
  const mode = (expiry.expiresAt === null ? rule.onUnknown : rule.mode) ?? "error";
  return mode === "error" ? "error" : "warning";
}

function judge(
  domain: Domain,
  expires: Date | undefined,
  rule: ExpiryRule,
  now: Date,
): { status: DomainExpiry["status"]; said: string } {
  if (!expires) {
    return {
      status: "unknown",
      said:
        domain.expiresAt === null
          ? "has no expiry date yet: wait for its first WHOIS check, or run it by hand"
          : "has an expiry date that is not valid: check the domain in the service",
    };
  }
  const days = dayNumber(expires) - dayNumber(now);
  const when = `on ${domain.expiresAt}`;
  if (days < 0)
    return { status: "expired", said: `expired ${when}, ${count(-days, "day")} ago: renew it now` };
  if (days < rule.minimumDays) {
    const left = days === 0 ? "today" : `in ${count(days, "day")}`;
    return {
      status: "expiring",
      said: `expires ${when}, ${left}, and ${count(rule.minimumDays, "day")} ${rule.minimumDays === 1 ? "is" : "are"} required: renew it`,
    };
  }
  const staleness = stale(domain.components.whois.lastCheckedAt, rule.maximumAgeHours, now);
  if (staleness) return { status: "stale", said: `expires ${when} as far as known, but ${staleness}` };
  return { status: "ok", said: `expires ${when}, in ${count(days, "day")}` };
}

function stale(checkedAt: string | null, maximumAgeHours: number | undefined, now: Date): string | undefined {
  if (maximumAgeHours === undefined) return undefined;
  const checked = checkedAt === null ? undefined : toInstant(checkedAt);
  if (!checked) return "its WHOIS data was never checked: run a check, or allow any age";
  const age = now.getTime() - checked.getTime();
  if (age <= maximumAgeHours * HOUR_MS) return undefined;
  // Rounded up: 24 hours and a minute are not 24 hours.
  const hours = Math.ceil(age / HOUR_MS);
  return `its last WHOIS check was ${count(hours, "hour")} ago and ${maximumAgeHours} are allowed: see why it is not checked`;
}

function exception(rule: ExpiryRule, overridden: boolean, status: DomainExpiry["status"]): string {
  if (!rule.override || status === "ok") return "";
  const { until, reason } = rule.override;
  return overridden ? ` (accepted until ${until}: ${reason})` : ` (was accepted until ${until}: ${reason})`;
}

const RULE_KEYS = ["minimumDays", "maximumAgeHours", "onUnknown", "mode", "override", "now"];

/** Checks a rule. @throws DomainMonitoringError of kind `validation` with all its problems */
export function checkExpiryRule(rule: unknown): asserts rule is ExpiryRule & { now?: Date } {
  const problems: string[] = [];
  if (typeof rule !== "object" || rule === null) throw invalid(["it must be an object with minimumDays"]);
  const given: { [Name in keyof ExpiryRule | "now"]?: unknown } = rule;
  const { minimumDays, maximumAgeHours, onUnknown, mode, override, now } = given;
  if (!isNumber(minimumDays) || minimumDays % 1 !== 0 || minimumDays < 0 || minimumDays > 36_500) {
    problems.push("minimumDays must be a whole number from 0 to 36500");
  }
  if (maximumAgeHours !== undefined && !(isNumber(maximumAgeHours) && maximumAgeHours > 0)) {
    problems.push("maximumAgeHours must be a number above 0");
  }
  for (const [name, value] of Object.entries({ onUnknown, mode })) {
    if (value !== undefined && value !== "error" && value !== "warn")
      problems.push(`${name} must be error or warn`);
  }
  if (override !== undefined) problems.push(...overrideProblems(override));
  if (now !== undefined && !(now instanceof Date && isNumber(now.getTime()))) {
    problems.push("now must be a date");
  }
  for (const key of Object.keys(rule)) {
    if (!RULE_KEYS.includes(key)) problems.push(`${key} is not a property of a rule: remove it`);
  }
  if (problems.length > 0) throw invalid(problems);
}

function isNumber(value: unknown): value is number {
  return Number.isFinite(value);
}

function overrideProblems(override: unknown): string[] {
  if (typeof override !== "object" || override === null)
    return ["override must be an object with until and reason"];
  const problems: string[] = [];
  const { until, reason }: { [Name in keyof ExpiryOverride]?: unknown } = override;
  const isDate =
    typeof until === "string" && /^\d{4}-\d{2}-\d{2}$/.test(until) && toInstant(until) !== undefined;
  if (!isDate) problems.push("override.until must be a date such as 2026-01-31");
  if (typeof reason !== "string" || reason.trim() === "") {
    problems.push("override.reason must say why");
  }
  for (const key of Object.keys(override)) {
    if (key !== "until" && key !== "reason")
      problems.push(`override.${key} is not a property of a rule: remove it`);
  }
  return problems;
}

/** The service's texts and the reason may contain line breaks. */
function oneLine(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}

function invalid(problems: string[]): DomainMonitoringError {
  return new DomainMonitoringError("validation", `the expiry rule is not valid: ${problems.join("; ")}`);
}
