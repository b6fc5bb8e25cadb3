/**
 * Parses the service's dates (interface.md, section 2). Everywhere else they stay strings, so that
 * nothing is lost. `SQL-TS` has no time zone; it is taken as UTC, like the others.
 */
import { SQL_TS } from "./rules";

const ISO_UTC = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{1,9})?Z$/;
const DATE = /^\d{4}-\d{2}-\d{2}$/;

const ISO_LOCAL =
  /^(\d{4}-\d{2}-\d{2})[Tt ](\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?)(?:[Zz]|([+-])([01]\d|2[0-3]):?([0-5]\d))?$/;

/**
 * The instant of an `ISO-UTC`, `SQL-TS` or `DATE` string; a `DATE` is its midnight in UTC.
 * Microseconds are cut to milliseconds. Undefined for anything else, and for days that do not
 * exist.
 */
export function toInstant(text: string): Date | undefined {
  const sql = SQL_TS.exec(text);
  if (sql) return existing(`${sql[1]}T${sql[2]}Z`);
  if (ISO_UTC.test(text)) return existing(text);

  return DATE.test(text) ? existing(`${text}T00:00:00Z`) : undefined;
}

/**
 * The instant of a `DATE` or `SQL-TS`, the formats of dates that people give. Undefined for
 * anything else.
 */
export function toGivenInstant(text: string): Date | undefined {
  return DATE.test(text) || SQL_TS.test(text) ? toInstant(text) : undefined;
}

/** Whether a text is a `DATE`, of a day that exists. */
export function isDate(text: string): boolean {
  return DATE.test(text) && toInstant(text) !== undefined;
}

/**
 * The instant of a date whose format the interface does not specify, as for those of a certificate:
 * the formats of `toInstant`, and ISO 8601 with an offset such as `+02:00` or without a zone (taken
 * as UTC). Undefined for anything else.
 */
export function toInstantWithOffset(text: string): Date | undefined {
  const [, day, time, sign, hours, minutes] = ISO_LOCAL.exec(text) ?? [];
  if (day === undefined) return toInstant(text);

  // The day must exist in local time, regardless of the day in UTC.
  const local = existing(`${day}T${time}Z`);
  if (!local || sign === undefined) return local;

  const offsetMs = (Number(hours) * 60 + Number(minutes)) * 60_000;

  return new Date(local.getTime() - (sign === "+" ? offsetMs : -offsetMs));
}

/** `Date` turns 30 February into 2 March; undefined for a day that does not exist. */
function existing(iso: string): Date | undefined {
  const instant = new Date(iso);
  if (Number.isNaN(instant.getTime())) return undefined;

  return instant.toISOString().slice(0, 10) === iso.slice(0, 10) ? instant : undefined;
}
