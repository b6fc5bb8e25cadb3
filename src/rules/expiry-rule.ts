/** The rule for the expiry of a domain, and its checks. */
import { DomainMonitoringError } from "../client/errors";
import { isDate } from "../client/timestamps";

/** A rule for the expiry of a domain. */
export interface ExpiryRule {
  /** Days of the registration that must be left, 0 or more. */
  minimumDays: number;
  /** Fewer days of the registration than these are a warning; at least `minimumDays`. @default no warning */
  warnDays?: number;
  /** Days of the certificate that must be left, 0 or more. @default the certificate is not looked at */
  certificateDays?: number;
  /** Maximum age of the last WHOIS check, in hours. @default any age */
  maximumAgeHours?: number;
  /**
   * Reaction while there is no expiry date, or the certificate is not monitored, not checked yet or has a date that cannot be read.
   * @default "error"
   */
  onUnknown?: "error" | "warn";
  /**
   * Reaction to a registration that expires too soon, has expired, or was not checked in time, and to a certificate that
   * expires too soon, has expired or is invalid.
   * @default "error"
   */
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

const RULE_KEYS = [
  "minimumDays",
  "warnDays",
  "certificateDays",
  "maximumAgeHours",
  "onUnknown",
  "mode",
  "override",
  "now",
];

/** Checks a rule. @throws DomainMonitoringError of kind `validation` with all its problems */
export function checkExpiryRule(rule: unknown): asserts rule is ExpiryRule & { now?: Date } {
  const problems: string[] = [];
  if (typeof rule !== "object" || rule === null) throw invalid(["it must be an object with minimumDays"]);
  const given: { [Name in keyof ExpiryRule | "now"]?: unknown } = rule;
  const { minimumDays, warnDays, certificateDays, maximumAgeHours, onUnknown, mode, override, now } = given;
  problems.push(...daysProblems({ minimumDays, warnDays, certificateDays }));
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

function daysProblems({
  minimumDays,
  ...optional
}: Record<"minimumDays" | "warnDays" | "certificateDays", unknown>) {
  const given = Object.entries(optional).filter(([, days]) => days !== undefined);
  const problems = [["minimumDays", minimumDays] as const, ...given]
    .filter(([, days]) => !isDays(days))
    .map(([name]) => `${name} must be a whole number from 0 to 36500`);
  const { warnDays } = optional;
  if (isDays(minimumDays) && isDays(warnDays) && warnDays < minimumDays)
    problems.push("warnDays must be at least minimumDays");
  return problems;
}

function isDays(value: unknown): value is number {
  return isNumber(value) && value % 1 === 0 && value >= 0 && value <= 36_500;
}

function isNumber(value: unknown): value is number {
  return Number.isFinite(value);
}

function overrideProblems(override: unknown): string[] {
  if (typeof override !== "object" || override === null)
    return ["override must be an object with until and reason"];
  const problems: string[] = [];
  const { until, reason }: { [Name in keyof ExpiryOverride]?: unknown } = override;
  if (typeof until !== "string" || !isDate(until))
    problems.push("override.until must be a date such as 2026-01-31");
  if (typeof reason !== "string" || reason.trim() === "") {
    problems.push("override.reason must say why");
  }
  for (const key of Object.keys(override)) {
    if (key !== "until" && key !== "reason")
      problems.push(`override.${key} is not a property of a rule: remove it`);
  }
  return problems;
}

function invalid(problems: string[]): DomainMonitoringError {
  return new DomainMonitoringError("validation", `the expiry rule is not valid: ${problems.join("; ")}`);
}
