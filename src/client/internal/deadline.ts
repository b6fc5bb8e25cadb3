/**
 * The deadline of a whole call, and the caller's abort signal. undici leaves a queued or connecting
 * request pending after its signal has fired, so the call does not wait for undici: each phase
 * registers a listener that is called at once. Phases run one after the other, so one listener is
 * enough.
 */
import { defaultMaxListeners, getMaxListeners, setMaxListeners } from "node:events";

/** A restart of the call's deadline, until `end` restores the original one. */
export interface Lease {
  /** Time that the call had taken before. */
  readonly waitedMs: number;

  /** Gives it back: the time that the call had at its beginning goes on. */
  end(): void;
}

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

  /** Begins the whole time again, until the lease ends. */
  lend(): Lease {
    const waitedMs = this.elapsedMs;
    this.#endAt(performance.now() + this.milliseconds);

    return { waitedMs, end: () => this.#endAt(this.#startBy) };
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

  get remainingMs(): number {
    return Math.max(0, this.#expiresAt - performance.now());
  }

  /**
   * The listener of the current phase; replaces that of the previous one. Called at once if the
   * call has already ended: a signal may fire in the microtasks between two phases.
   */
  set onEnd(listener: (() => void) | undefined) {
    this.#listener = listener;
    if (this.ended) listener?.();
  }

  async sleep(milliseconds: number): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    await this.waitFor(
      new Promise((resolve) => {
        timer = setTimeout(resolve, Math.ceil(milliseconds));
      }),
    );

    clearTimeout(timer);
  }

  /** Waits for a result; undefined if the call ends first. */
  async waitFor<T>(result: Promise<T>): Promise<T | undefined> {
    const ending = new Promise<undefined>((resolve) => {
      this.onEnd = () => resolve(undefined);
    });

    try {
      return await Promise.race([result, ending]);
    } finally {
      this.onEnd = undefined;
    }
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
