/** The scalars of rules: one table for programs, rules files and command lines. */
import { isDate, toGivenInstant } from "../client/timestamps";

/** One kind of value. */
export interface Scalar<T> {
  /** The value; undefined for anything else. */
  parse: (value: unknown) => T | undefined;

  /** The problem of any other value, and the fix. It follows the name of the value. */
  problem: string;

  /** Whether a property may be left out. */
  isOptional?: boolean;
}

export function optional<T>(scalar: Scalar<T>): Scalar<T | undefined> {
  return { ...scalar, isOptional: true };
}

/** The problems of these properties of an object, each by its name. */
export function problemsIn(
  given: object,
  scalars: Readonly<Record<string, Scalar<unknown>>>,
): string[] {
  const wrong = Object.entries(scalars).filter(([name, { parse, isOptional }]) => {
    const value: unknown = Reflect.get(given, name);
    const isLeftOut = isOptional && value === undefined;

    return !isLeftOut && parse(value) === undefined;
  });

  return wrong.map(([name, { problem }]) => `${name} ${problem}`);
}

/** Reaction to a violation, or to what is not known. */
export type Reaction = "error" | "warn";

/** Most days that a rule may ask for. */
export const MAX_DAYS = 36_500;

export const DAYS: Scalar<number> = {
  parse: (value) =>
    isNumber(value) && value % 1 === 0 && value >= 0 && value <= MAX_DAYS ? value : undefined,
  problem: "is not a whole number from 0 to 36500: use one such as 30",
};

export const HOURS: Scalar<number> = {
  parse: (value) => (isNumber(value) && value > 0 ? value : undefined),
  problem: "is not a number above 0: use one such as 48",
};

export const REACTION: Scalar<Reaction> = {
  parse: (value) => (value === "error" || value === "warn" ? value : undefined),
  problem: "is not a valid reaction: use error or warn",
};

export const DATE: Scalar<string> = {
  parse: (value) => (typeof value === "string" && isDate(value) ? value : undefined),
  problem: "is not a valid date: use one such as 2026-01-31",
};

/** The first moment of what is asked for: `DATE` or `SQL-TS`. */
export const SINCE: Scalar<Date> = {
  parse: (value) => (typeof value === "string" ? toGivenInstant(value) : undefined),
  problem: 'is not a valid date: use one such as 2026-01-31 or "2026-01-31 08:30:00", taken as UTC',
};

export const REASON: Scalar<string> = {
  parse: (value) => (typeof value === "string" ? value.trim() || undefined : undefined),
  problem: "is not a reason: write one in quotes",
};

function isNumber(value: unknown): value is number {
  return Number.isFinite(value);
}
