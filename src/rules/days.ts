/** Days and dates. A day is a UTC day. `client/timestamps.ts` parses the service's dates. */
import { DomainMonitoringError } from "../client/errors";
import { toInstant } from "../client/timestamps";

export const DAY_MS = 86_400_000;

export function dayNumber(instant: Date): number {
  return Math.floor(instant.getTime() / DAY_MS);
}

/** The `DATE` of a day by its number. */
export function dateOfDay(day: number): string {
  return new Date(day * DAY_MS).toISOString().slice(0, 10);
}

/**
 * UTC days from the day of `now` to the day of `date`; 0 is today, negative is past.
 * @param date `DATE`, `SQL-TS` or a time of ISO 8601
 * @throws DomainMonitoringError of kind `validation` for anything else
 */
export function daysUntil(date: string, now: Date = new Date()): number {
  const instant = toInstant(date);
  if (!instant)
    throw new DomainMonitoringError(
      "validation",
      "the date is not valid: use one such as 2026-01-31",
    );

  return dayNumber(instant) - dayNumber(now);
}

/** A date of the service: missing, unreadable, or an instant. */
export interface ServedDate {
  /** As served; null where the service has none. */
  text: string | null;

  /** Undefined if it is missing or cannot be read. */
  instant: Date | undefined;
}

/** Nothing that a domain has can be older: the first ones were registered in it. */
const FIRST_YEAR = 1985;

/**
 * Reads a date of the service. A date before 1985, such as `1970-01-01` or `0000-00-00`, stands for
 * a missing one in databases.
 */
export function servedDate(text: string | null | undefined): ServedDate {
  const given = text?.trim() ?? "";
  const year = /^-?(\d{4,6})-/.exec(given)?.[1];
  const instant = toInstant(given);
  const isNone = Number(year ?? FIRST_YEAR) < FIRST_YEAR || given === "" || given === "0";

  return isNone ? { text: null, instant: undefined } : { text: given, instant };
}

/** Whether there is a date that cannot be read. */
export function isUnreadable({ text, instant }: ServedDate): boolean {
  return text !== null && instant === undefined;
}
