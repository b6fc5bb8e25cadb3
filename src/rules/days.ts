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
 * @param date `DATE`, `SQL-TS` or `ISO-UTC`
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
