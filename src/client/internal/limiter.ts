/**
 * Limits the requests in flight, and delays them all after a 429.
 *
 * All clients of one account in a process share a limiter, so that a rate limit met by one call
 * holds back the others.
 */
import { MAX_TIMER_MS } from "../options";
import type { Deadline } from "./deadline";

/**
 * Result of waiting for a slot: taken, the call ended first, or the rate limit lasts longer than
 * the call may wait.
 */
export type Entry = "entered" | "ended" | "closed";

interface Waiter {
  deadline: Deadline;
  settle: (entry: Entry) => void;
}

export class Limiter {
  #inFlight = 0;
  #openAt = 0;
  #wake: NodeJS.Timeout | undefined;
  readonly #waiting = new Set<Waiter>();

  constructor(public limit: number) {}

  get closedForMs(): number {
    return Math.max(0, this.#openAt - performance.now());
  }

  /** Whether a further request would wait for others. */
  get isBusy(): boolean {
    return this.#inFlight + this.#waiting.size >= this.limit;
  }

  /** Takes a slot, or says why not. Synchronous if there is nothing to wait for. */
  enter(deadline: Deadline): Entry | Promise<Entry> {
    if (deadline.ended) return "ended";

    const closedForMs = this.closedForMs;
    if (closedForMs > 0 && closedForMs >= deadline.remainingMs) return "closed";
    if (this.#inFlight < this.limit && this.#waiting.size === 0 && closedForMs === 0) {
      this.#inFlight++;
      return "entered";
    }

    return new Promise<Entry>((resolve) => {
      const waiter: Waiter = { deadline, settle: resolve };
      this.#waiting.add(waiter);
      deadline.onEnd = () => {
        this.#waiting.delete(waiter);
        resolve("ended");
        this.#admit();
      };

      this.#admit();
    });
  }

  leave(): void {
    this.#inFlight--;
    this.#admit();
  }

  /**
   * Delays all requests; waiters that cannot wait that long are rejected at once. Never shortens an
   * earlier delay.
   */
  close(milliseconds: number): void {
    this.#openAt = Math.max(this.#openAt, performance.now() + milliseconds);
    for (const waiter of this.#waiting) {
      if (this.closedForMs >= waiter.deadline.remainingMs) this.#settle(waiter, "closed");
    }
  }

  #admit(): void {
    clearTimeout(this.#wake);
    for (const waiter of this.#waiting) {
      if (this.#inFlight >= this.limit) return;

      const closedForMs = this.closedForMs;
      if (closedForMs > 0) {
        // A longer wait is split.
        this.#wake = setTimeout(
          () => this.#admit(),
          Math.min(Math.ceil(closedForMs), MAX_TIMER_MS),
        );

        return;
      }

      this.#inFlight++;
      this.#settle(waiter, "entered");
    }
  }

  #settle(waiter: Waiter, entry: Entry): void {
    this.#waiting.delete(waiter);
    waiter.deadline.onEnd = undefined;
    waiter.settle(entry);
  }
}

const limiters = new Set<{
  address: string;
  apiToken: unknown;
  limiter: Limiter;
  limits: number[];
}>();

/**
 * The limiter of an account: an address, with its token or the function that returns it. Clients
 * with different limits share the smallest. Call `release` once, when the client closes.
 */
export function sharedLimiter(address: string, apiToken: unknown, limit: number) {
  const shared = [...limiters].find(
    (other) => other.address === address && other.apiToken === apiToken,
  );

  const entry = shared ?? {
    address,
    apiToken,
    limiter: new Limiter(limit),
    limits: [],
  };

  limiters.add(entry);
  entry.limits.push(limit);
  entry.limiter.limit = Math.min(...entry.limits);

  return {
    limiter: entry.limiter,
    release: () => {
      entry.limits.splice(entry.limits.indexOf(limit), 1);
      if (entry.limits.length === 0) limiters.delete(entry);
      else entry.limiter.limit = Math.min(...entry.limits);
    },
  };
}
