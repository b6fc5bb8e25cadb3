/** What time it is in the emulator: the system's time, or one that stands still. Either can be put forward. */
import { DAY, HOUR, MINUTE, SECOND } from "./times";
import type { Duration } from "./types";

/** The last instant that JavaScript has, and still with a year of four digits. */
const END_OF_TIME = Date.UTC(9999, 11, 31, 23, 59, 59);

/** The clock of one emulator. */
export class Clock {
  readonly #fixed: number | undefined;
  #ahead = 0;

  /** @param fixed the time at which it stands still; without it the system's clock goes on */
  constructor(fixed?: Date) {
    this.#fixed = fixed?.getTime();
  }

  now(): Date {
    return new Date((this.#fixed ?? Date.now()) + this.#ahead);
  }

  /** @throws RangeError where time would stand still, go back, or leave the calendar */
  advance({ days = 0, hours = 0, minutes = 0, seconds = 0 }: Duration): void {
    const length = days * DAY + hours * HOUR + minutes * MINUTE + seconds * SECOND;
    if (!(length > 0))
      throw new RangeError("a clock only goes forward: give days, hours, minutes or seconds above 0");
    if (this.now().getTime() + length > END_OF_TIME)
      throw new RangeError("the clock would leave the year 9999");
    this.#ahead += length;
  }

  /** Back to the time at which it started, or to the system's. */
  reset(): void {
    this.#ahead = 0;
  }
}
