/** How the service writes points in time (interface.md, section 2). */

/** Lengths of time in milliseconds. */
export const SECOND = 1000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

const UNITS = [
  ["year", 365 * DAY],
  ["month", 30 * DAY],
  ["week", 7 * DAY],
  ["day", DAY],
  ["hour", HOUR],
  ["minute", MINUTE],
] as const;

const SQL_TIMESTAMP = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/;

const relative = new Intl.RelativeTimeFormat("en", { numeric: "always" });

/** `ISO-UTC`: microseconds, of which JavaScript knows the first three digits, and a trailing Z. */
export function isoUtc(time: Date): string {
  return `${time.toISOString().slice(0, 23)}000Z`;
}

/** `SQL-TS`, in UTC. */
export function sqlTimestamp(time: Date): string {
  return time.toISOString().slice(0, 19).replace("T", " ");
}

/** `DATE`, in UTC. */
export function dateOnly(time: Date): string {
  return time.toISOString().slice(0, 10);
}

/** The `ISO-UTC` form of a `SQL-TS` text. */
export function sqlToIsoUtc(timestamp: string): string {
  return `${timestamp.replace(" ", "T")}.000000Z`;
}

/** Relative text such as `3 days ago` for a `SQL-TS`; other text, which a seed may hold, is given a vague answer. */
export function relativeText(timestamp: string, now: Date): string {
  // Asked before parsing: Date.parse makes something of almost any text.
  if (!SQL_TIMESTAMP.test(timestamp)) return "some time ago";
  const then = Date.parse(sqlToIsoUtc(timestamp));
  if (Number.isNaN(then)) return "some time ago";
  const difference = then - now.getTime();
  const unit = UNITS.find(([, length]) => Math.abs(difference) >= length);
  // A negative zero is "0 seconds ago", a positive one would be "in 0 seconds".
  if (unit === undefined) return relative.format(Math.trunc(difference / SECOND) || -0, "second");
  return relative.format(Math.trunc(difference / unit[1]), unit[0]);
}
