/** The rule for the expiry of a domain, and its checks. */
import { DomainMonitoringError } from "../client/errors";
import { count } from "../common/text";
import { daysUntil } from "./days";
import { DATE, DAYS, HOURS, optional, problemsIn, REACTION, REASON, type Scalar } from "./scalars";

/** A rule for the expiry of a domain. */
export interface ExpiryRule {
  /** Days of the registration that must be left, 0 or more. */
  minimumDays: number;

  /**
   * Warns if fewer days of the registration are left than these, at least `minimumDays`. @default
   * no warning
   */
  warnDays?: number | undefined;

  /**
   * Days of the certificate that must be left, 0 or more. @default the certificate is not checked
   */
  certificateDays?: number | undefined;

  /** Maximum age of the last WHOIS check, in hours. @default any age */
  maximumAgeHours?: number | undefined;

  /**
   * Reaction while there is no expiry date, or the certificate is not monitored, not checked yet or
   * has a date that cannot be read.
   * @default "error"
   */
  onUnknown?: "error" | "warn" | undefined;

  /**
   * Reaction to a registration that expires too soon, has expired, or was not checked in time, and
   * to a certificate that expires too soon, has expired or is invalid.
   * @default "error"
   */
  mode?: "error" | "warn" | undefined;

  /** Accepts a violation for a limited time, with a reason. */
  override?: ExpiryOverride | undefined;
}

/** An exception from a rule. */
export interface ExpiryOverride {
  /** The last day of the exception, `DATE`. */
  until: string;

  /** Reason for the exception; shown in the message. */
  reason: string;
}

/**
 * Results, the best first. `fail`: a rule is violated, or something is not known where that is an
 * error. `unknown`: it could not be determined, because a call failed.
 */
export const VERDICTS = ["pass", "warn", "fail", "unknown"] as const;

/** One of {@link VERDICTS}. */
export type Verdict = (typeof VERDICTS)[number];

/** The part of a rule that registrations and certificates have in common. */
export type Bound = Pick<ExpiryRule, "minimumDays" | "onUnknown" | "mode">;

/** A state, and what a rule makes of it. */
export interface Judged<State> {
  state: State;
  verdict: Exclude<Verdict, "unknown">;
}

/** How much a state concerns a rule. `near`: it comes close to its bound. */
export type Concern = "none" | "near" | "violation" | "unknown";

/** The verdict of a rule. */
export function reactionTo(
  concern: Concern,
  { onUnknown, mode }: Bound,
): Judged<unknown>["verdict"] {
  if (concern === "none") return "pass";
  if (concern === "near") return "warn";

  const reaction = concern === "unknown" ? onUnknown : mode;

  return reaction === "warn" ? "warn" : "fail";
}

/** The worst verdict of these; `pass` without any. */
export function worst<Of extends Verdict>(judged: readonly { verdict: Of }[]): Of | "pass" {
  const rank = ({ verdict }: { verdict: Of }) => VERDICTS.indexOf(verdict);
  const [first] = judged.toSorted((a, b) => rank(b) - rank(a));

  return first?.verdict ?? "pass";
}

/** Such as `3 days left`. */
export function leftWords(days: number): string {
  return `${count(days, "day")} left`;
}

/** Such as `12 days left, 30 required: renew it`. */
export function boundWords(days: number, minimumDays: number, advice = "renew it"): string {
  return `${leftWords(days)}, ${minimumDays} required: ${advice}`;
}

/** Whether there is an exception that has not ended. */
export function isInEffect(exception: ExpiryOverride | undefined, now: Date): boolean {
  return exception !== undefined && daysUntil(exception.until, now) >= 0;
}

/** The end of a message about a violation. */
export function exceptionWords(exception: ExpiryOverride | undefined, now: Date): string {
  if (!exception) return "";
  const { until, reason } = exception;

  return ` (${isInEffect(exception, now) ? "" : "was "}accepted until ${until}: ${reason})`;
}

const EXCEPTION: Scalar<object> = {
  parse: (value) => (isObject(value) ? value : undefined),
  problem: "is not an exception: use { until, reason }",
};

const INSTANT: Scalar<Date> = {
  parse: (value) => (value instanceof Date && !Number.isNaN(value.getTime()) ? value : undefined),
  problem: "is not a valid date: use a Date",
};

const RULE: Record<keyof ExpiryRule | "now", Scalar<unknown>> = {
  minimumDays: DAYS,
  warnDays: optional(DAYS),
  certificateDays: optional(DAYS),
  maximumAgeHours: optional(HOURS),
  onUnknown: optional(REACTION),
  mode: optional(REACTION),
  override: optional(EXCEPTION),
  now: optional(INSTANT),
};

const OVERRIDE: Record<keyof ExpiryOverride, Scalar<unknown>> = { until: DATE, reason: REASON };

/** Checks a rule. @throws DomainMonitoringError of kind `validation` with all its problems */
export function checkExpiryRule(rule: unknown): asserts rule is ExpiryRule & { now?: Date } {
  const problems = expiryRuleProblems(rule);
  if (problems.length > 0)
    throw new DomainMonitoringError(
      "validation",
      `the expiry rule is not valid: ${problems.join("; ")}`,
    );
}

/** All problems of a rule. */
function expiryRuleProblems(rule: unknown): string[] {
  if (!isObject(rule)) return ["it is not an object: use one with minimumDays"];

  const { minimumDays, warnDays, override }: { [Name in keyof ExpiryRule]?: unknown } = rule;
  const minimum = DAYS.parse(minimumDays) ?? 0;
  const isLate = (DAYS.parse(warnDays) ?? minimum) < minimum;

  return [
    ...scalarProblems(rule, RULE),
    ...(isLate ? ["warnDays is below minimumDays: raise it"] : []),
    ...(isObject(override) ? scalarProblems(override, OVERRIDE) : []).map(
      (problem) => `override.${problem}`,
    ),
  ];
}

function scalarProblems(
  given: object,
  scalars: Readonly<Record<string, Scalar<unknown>>>,
): string[] {
  const unknown = Object.keys(given).filter((name) => !Object.hasOwn(scalars, name));
  return [
    ...problemsIn(given, scalars),
    ...unknown.map((name) => `${name} is not a property of a rule: remove it`),
  ];
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}
