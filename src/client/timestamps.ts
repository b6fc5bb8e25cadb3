/**
 * The service's dates as instants (interface.md, section 2). They stay strings everywhere else: a string cannot lose
 * what it said. `SQL-TS` names no zone; it is taken as UTC, like the others.
 */

const SQL_TS = /^(\d{4}-\d{2}-\d{2}) (\d{2}:\d{2}:\d{2})$/;
const ISO_UTC = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{1,9})?Z$/;
const DATE = /^\d{4}-\d{2}-\d{2}$/;
const ISO_LOCAL =
  /^(\d{4}-\d{2}-\d{2})[Tt ](\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?)(?:[Zz]|([+-])([01]\d|2[0-3]):?([0-5]\d))?$/;

/**
 * The instant of an `ISO-UTC`, `SQL-TS` or `DATE` string; a `DATE` is its midnight in UTC.
 * Microseconds are cut to milliseconds. Undefined for anything else, and for days that do not exist.
 */
export function toInstant(text: string): Date | undefined {
  const sql = SQL_TS.exec(text);
  if (sql) return existing(`${sql[1]}T${sql[2]}Z`);
  if (ISO_UTC.test(text)) return existing(text);
  return DATE.test(text) ? existing(`${text}T00:00:00Z`) : undefined;
}

/**
 * The instant of a date whose format the interface leaves open, as it does for those of a certificate: what `toInstant`
 * takes, and ISO 8601 with an offset such as `+02:00` or without a zone, which is taken as UTC. Undefined for anything else.
 */
export function toInstantWithOffset(text: string): Date | undefined {
  const [, day, time, sign, hours, minutes] = ISO_LOCAL.exec(text) ?? [];
  if (day === undefined) return toInstant(text);
  // The local day has to exist, whatever day it is in UTC.
  const local = existing(`${day}T${time}Z`);
  if (!local || sign === undefined) return local;
  const offsetMs = (Number(hours) * 60 + Number(minutes)) * 60_000;
  return new Date(local.getTime() - (sign === "+" ? offsetMs : -offsetMs));
}

/** `Date` takes 30 February for 2 March; a date that does not come back as it went in is none. */
function existing(iso: string): Date | undefined {
  const instant = new Date(iso);
  if (Number.isNaN(instant.getTime())) return undefined;
  return instant.toISOString().slice(0, 10) === iso.slice(0, 10) ? instant : undefined;
}
