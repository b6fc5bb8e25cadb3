/** How many requests a window of time has left. Windows begin at multiples of their length, by the emulator's clock. */
import { SECOND } from "./times";
import type { RateLimit } from "./types";

/** What the limit says to one request. */
export interface Allowance {
  readonly allowed: boolean;
  readonly limit: number;
  /** Requests left in this window. */
  readonly remaining: number;
  /** Whole seconds until the next window. */
  readonly retryAfter: number;
  /** When the next window begins, in seconds since 1970. */
  readonly resetAt: number;
}

/** Counts the requests of one emulator. */
export class RateLimiter {
  readonly #limit: RateLimit;
  #window = Number.NaN;
  #taken = 0;

  constructor(limit: RateLimit) {
    this.#limit = limit;
  }

  /** Counts a request. Those above the limit are not counted: asking too often does not put off the end of the window. */
  take(now: Date): Allowance {
    const { requests, perSeconds } = this.#limit;
    const seconds = now.getTime() / SECOND;
    const window = Math.floor(seconds / perSeconds);
    if (window !== this.#window) {
      this.#window = window;
      this.#taken = 0;
    }
    const allowed = this.#taken < requests;
    if (allowed) this.#taken += 1;
    const resetAt = (window + 1) * perSeconds;
    return {
      allowed,
      limit: requests,
      remaining: requests - this.#taken,
      retryAfter: Math.ceil(resetAt - seconds),
      resetAt,
    };
  }

  reset(): void {
    this.#window = Number.NaN;
  }
}
