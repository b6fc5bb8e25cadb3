/**
 * The two limits of a call: its time, and the requests that may be in flight at once.
 *
 * undici leaves a queued or connecting request pending after its signal has fired, so a call does
 * not wait for undici: each phase registers a listener with the deadline, which is called at once.
 * Phases run one after the other, so one listener is enough.
 *
 * All clients of one account in a process share a limiter, so that a rate limit met by one call
 * holds back the others.
 */
import { defaultMaxListeners, getMaxListeners, setMaxListeners } from "node:events";
import type { CheckedAccount } from "../options";

/** The deadline of a whole call, and the caller's abort signal. */
export class Deadline {
  ended: "timeout" | "aborted" | undefined;
  readonly #startBy: number;
  #expiresAt = 0;
  #timer: NodeJS.Timeout | undefined;
  readonly #signal: AbortSignal | undefined;
  readonly #onAbort = () => this.#end("aborted");
  #listener: (() => void) | undefined;

  /** @param milliseconds from now, on the monotonic clock: moving the wall clock changes nothing */
  constructor(
    readonly milliseconds: number,
    signal?: AbortSignal,
  ) {
    this.#startBy = performance.now() + milliseconds;
    this.#endAt(this.#startBy);
    this.#signal = signal;
    if (signal?.aborted) this.#end("aborted");
    else if (signal) {
      allowManyListeners(signal);
      signal.addEventListener("abort", this.#onAbort, { once: true });
    }
  }

  /** Begins the whole time again. The time in which a request may begin stays as it is. */
  restart(): void {
    this.#endAt(performance.now() + this.milliseconds);
  }

  /** Has no effect once the call has ended. */
  #endAt(time: number): void {
    if (this.ended) return;

    this.#expiresAt = time;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#end("timeout"), this.remainingMs);
  }

  get elapsedMs(): number {
    return this.milliseconds - (this.#startBy - performance.now());
  }

  /** Time in which a request may begin. */
  get toStartMs(): number {
    return Math.max(0, this.#startBy - performance.now());
  }

  get remainingMs(): number {
    return Math.max(0, this.#expiresAt - performance.now());
  }

  /**
   * The listener of the current phase; replaces the previous phase's. Called at once if the call
   * has already ended: a signal may fire in the microtasks between two phases.
   */
  set onEnd(listener: (() => void) | undefined) {
    this.#listener = listener;
    if (this.ended) listener?.();
  }

  /** Waits; not so long if the call ends first. */
  async sleep(milliseconds: number): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    await new Promise<void>((resolve) => {
      timer = setTimeout(resolve, Math.ceil(milliseconds));
      this.onEnd = resolve;
    });

    clearTimeout(timer);
    this.onEnd = undefined;
  }

  clear(): void {
    clearTimeout(this.#timer);
    this.#signal?.removeEventListener("abort", this.#onAbort);
    this.#listener = undefined;
  }

  #end(end: "timeout" | "aborted"): void {
    if (this.ended) return;
    this.ended = end;
    this.#listener?.();
  }
}

/** One signal may be used for many calls at once, which Node would report as a leak. */
function allowManyListeners(signal: AbortSignal): void {
  try {
    if (getMaxListeners(signal) === defaultMaxListeners)
      setMaxListeners(Number.POSITIVE_INFINITY, signal);
  } catch {
    // Not a native signal, or one with an unlimited number of listeners, which Node 20 cannot read.
  }
}

/**
 * Result of waiting for a slot: taken, the call ended first, or the rate limit lasts longer than
 * the call may wait.
 */
export type Admission = "entered" | "ended" | "closed";

interface Waiter {
  deadline: Deadline;
  settle: (admission: Admission) => void;
}

/** Limits the requests in flight, and delays them all after a 429. */
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
  enter(deadline: Deadline): Admission | Promise<Admission> {
    if (deadline.ended) return "ended";

    const closedForMs = this.closedForMs;
    if (closedForMs > 0 && closedForMs >= deadline.toStartMs) return "closed";
    if (this.#inFlight < this.limit && this.#waiting.size === 0 && closedForMs === 0) {
      this.#inFlight++;
      return "entered";
    }

    return new Promise<Admission>((resolve) => {
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
      if (this.closedForMs >= waiter.deadline.toStartMs) this.#settle(waiter, "closed");
    }
  }

  #admit(): void {
    clearTimeout(this.#wake);
    for (const waiter of this.#waiting) {
      if (this.#inFlight >= this.limit) return;

      const closedForMs = this.closedForMs;
      if (closedForMs > 0) {
        this.#wake = setTimeout(() => this.#admit(), Math.ceil(closedForMs));
        return;
      }

      this.#inFlight++;
      this.#settle(waiter, "entered");
    }
  }

  #settle(waiter: Waiter, admission: Admission): void {
    this.#waiting.delete(waiter);
    waiter.deadline.onEnd = undefined;
    waiter.settle(admission);
  }
}

const limiters = new Map<string, { limiter: Limiter; limits: number[] }>();

/**
 * The limiter of an account. Clients with different limits share the smallest. Call `release` once,
 * when the client closes.
 */
export function sharedLimiter({ origin, pathPrefix, apiToken }: CheckedAccount, limit: number) {
  const key = JSON.stringify([origin + pathPrefix, apiToken]);
  const entry = limiters.get(key) ?? { limiter: new Limiter(limit), limits: [] };

  limiters.set(key, entry);
  entry.limits.push(limit);
  entry.limiter.limit = Math.min(...entry.limits);

  return {
    limiter: entry.limiter,
    release: () => {
      entry.limits.splice(entry.limits.indexOf(limit), 1);
      if (entry.limits.length === 0) limiters.delete(key);
      else entry.limiter.limit = Math.min(...entry.limits);
    },
  };
}
