/**
 * Parses the service's dates (interface.md, section 2). Everywhere else they stay strings, so that
 * nothing is lost. `SQL-TS` has no time zone; it is taken as UTC, like the others.
 */

/** The form of most dates. */
const SQL_TS = /^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}$/;

/** The form of a `DATE`. */
const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** Of every date with a time: its day, its time, and of an offset the sign, hours and minutes. */
const TIME =
  /^(\d{4}-\d{2}-\d{2})[Tt ](\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?)(?:[Zz]|([+-])([01]\d|2[0-3]):?([0-5]\d))?$/;

/** The text if it is an `SQL-TS`; empty for every other form. */
export function sqlTsOrEmpty(text: string): string {
  return SQL_TS.test(text) ? text : "";
}

/**
 * The instant of a `DATE`, an `SQL-TS`, or a time of ISO 8601 in UTC, with an offset such as
 * `+02:00`, or without a zone, which is taken as UTC; a `DATE` is its midnight in UTC. Microseconds
 * are cut to milliseconds. Undefined for anything else, and for days that do not exist.
 */
export function toInstant(text: string): Date | undefined {
  const found = TIME.exec(DAY.test(text) ? `${text} 00:00:00` : text);
  if (!found) return undefined;

  const [, day, time, sign, hours, minutes] = found;
  // The day must exist in local time, regardless of the day in UTC.
  const local = realInstant(`${day}T${time}Z`);
  if (!local || sign === undefined) return local;

  const offsetMs = (Number(hours) * 60 + Number(minutes)) * 60_000;

  return new Date(local.getTime() - (sign === "+" ? offsetMs : -offsetMs));
}

/**
 * The instant of a `DATE` or `SQL-TS`, the formats of dates that people give. Undefined for
 * anything else.
 */
export function toGivenInstant(text: string): Date | undefined {
  return DAY.test(text) || SQL_TS.test(text) ? toInstant(text) : undefined;
}

/** Whether a text is a `DATE`, of a day that exists. */
export function isDate(text: string): boolean {
  return DAY.test(text) && toInstant(text) !== undefined;
}

/** `Date` turns 30 February into 2 March; undefined for a day that does not exist. */
function realInstant(iso: string): Date | undefined {
  const instant = new Date(iso);
  if (Number.isNaN(instant.getTime())) return undefined;

  return instant.toISOString().slice(0, 10) === iso.slice(0, 10) ? instant : undefined;
}
