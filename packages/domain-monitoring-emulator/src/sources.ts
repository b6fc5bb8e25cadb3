/**
 * Where times and ids come from, and the formats in which the service writes times (interface.md,
 * section 2).
 */
import { createHash, randomBytes } from "node:crypto";
import { toInstant } from "./interface";
import type { Duration } from "./types";

/** The sources of times and ids of one emulator. */
export interface Sources {
  readonly clock: Clock;
  readonly ids: Ids;
}

/** In milliseconds, as the other lengths of time. */
export const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const UNITS = [
  ["year", 365 * DAY],
  ["month", 30 * DAY],
  ["week", 7 * DAY],
  ["day", DAY],
  ["hour", HOUR],
  ["minute", MINUTE],
] as const;

const relative = new Intl.RelativeTimeFormat("en", { numeric: "always" });

/** `ISO-UTC`: with microseconds, of which a Date holds the first three digits, and a trailing Z. */
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

/** The time so many days later. */
export function daysAfter(time: Date, days: number): Date {
  return new Date(time.getTime() + days * DAY);
}

/**
 * Relative text such as `3 days ago` for a timestamp; `some time ago` for any other text that a
 * seed holds.
 */
export function relativeText(timestamp: string, now: Date): string {
  const then = toInstant(timestamp);
  if (then === undefined) return "some time ago";

  const difference = then.getTime() - now.getTime();
  const unit = UNITS.find(([, length]) => Math.abs(difference) >= length);
  // A negative zero is "0 seconds ago", a positive one would be "in 0 seconds".
  if (unit === undefined) return relative.format(Math.trunc(difference / SECOND) || -0, "second");

  return relative.format(Math.trunc(difference / unit[1]), unit[0]);
}

/** The last second with a year of four digits, which the interface's formats need. */
const END_OF_TIME = Date.UTC(9999, 11, 31, 23, 59, 59);

/** The clock of one emulator: the system's, or one that stands still. Either can be advanced. */
export class Clock {
  readonly #fixed: number | undefined;
  #ahead = 0;

  /** @param fixed the time at which it stands still; without it, the system's clock */
  constructor(fixed?: Date) {
    this.#fixed = fixed?.getTime();
  }

  now(): Date {
    return new Date((this.#fixed ?? Date.now()) + this.#ahead);
  }

  /** @throws RangeError for a duration that is not positive or that leads beyond the year 9999 */
  advance({ days = 0, hours = 0, minutes = 0, seconds = 0 }: Duration): void {
    const length = days * DAY + hours * HOUR + minutes * MINUTE + seconds * SECOND;
    if (!(length > 0))
      throw new RangeError(
        "the clock only goes forward: use days, hours, minutes or seconds above 0",
      );

    if (this.now().getTime() + length > END_OF_TIME)
      throw new RangeError("the clock ends with the year 9999: use a shorter time");

    this.#ahead += length;
  }

  /** Back to the time at which it started, or to the system's clock. */
  reset(): void {
    this.#ahead = 0;
  }
}

/**
 * Each kind of id has its own counter, so that the ids of channels do not depend on other requests.
 */
type IdKind = "domain" | "change" | "changeIdentifier" | "channel" | "request";

/** The ids of one emulator: random bytes, or with a seed always the same ones. */
export class Ids {
  readonly #seed: number | undefined;

  /** Number of ids issued by kind, from which the next ones follow. */
  issued: Readonly<Partial<Record<IdKind, number>>> = {};

  constructor(seed?: number) {
    this.#seed = seed;
  }

  /** A UUID of version 4. */
  uuid(kind: IdKind): string {
    const bytes = this.#next(kind).subarray(0, 16);
    bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x40, 6);
    bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);

    return bytes.toString("hex").replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
  }

  /** Eight hexadecimal digits. */
  token(kind: IdKind): string {
    return this.#next(kind).toString("hex", 0, 4);
  }

  #next(kind: IdKind): Buffer {
    const index = this.issued[kind] ?? 0;
    this.issued = { ...this.issued, [kind]: index + 1 };
    if (this.#seed === undefined) return randomBytes(16);

    return createHash("sha256").update(`${this.#seed}/${kind}/${index}`).digest();
  }
}
