/**
 * One request on the wire, and the proof of whether it was sent.
 *
 * undici calls `onRequestStart` just before it writes the first byte: where that did not happen, nothing was written,
 * whatever error came (measured over twenty kinds of failure; error codes alone mislead). The handler also bounds the
 * answer's size itself, so the bound holds on every path, and settles at once when the call ends, which undici's
 * own signal does not while a request is queued or connecting.
 */
import type { Dispatcher } from "undici";
import type { End } from "./deadline";
import type { Sent } from "./errors";
import type { Headers } from "./retry";

/** How an attempt ended. */
export type AttemptResult =
  | { type: "answer"; status: number; headers: Headers; body: string }
  | { type: "failure"; error: unknown; sent: Sent }
  | { type: "oversized" }
  | { type: "ended"; end: End | "attemptTimeout"; sent: Sent };

export class Attempt implements Dispatcher.DispatchHandler {
  readonly result: Promise<AttemptResult>;
  #settle!: (result: AttemptResult) => void;
  #settled = false;
  #controller: Dispatcher.DispatchController | undefined;
  #status = 0;
  #headers: Headers = {};
  #bytes = 0;
  readonly #chunks: Buffer[] = [];

  constructor(private readonly maxResponseBytes: number) {
    this.result = new Promise((resolve) => {
      this.#settle = resolve;
    });
  }

  /** Whether the request has begun to be written. */
  get started(): boolean {
    return this.#controller !== undefined;
  }

  /** Ends the attempt from outside. A request that is still queued will not be written when its turn comes. */
  cancel(end: End | "attemptTimeout"): void {
    this.#finish({ type: "ended", end, sent: this.#sent });
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    if (this.#settled) {
      controller.abort(new Error("the call has ended"));
      return;
    }
    this.#controller = controller;
  }

  onResponseStart(_controller: Dispatcher.DispatchController, status: number, headers: Headers): void {
    // An interim answer (1xx) is not the answer.
    if (status < 200) return;
    this.#status = status;
    this.#headers = headers;
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#bytes += chunk.length;
    if (this.#bytes > this.maxResponseBytes) this.#finish({ type: "oversized" });
    else this.#chunks.push(chunk);
  }

  onResponseEnd(): void {
    const [first] = this.#chunks;
    const body = first && this.#chunks.length === 1 ? first : Buffer.concat(this.#chunks);
    this.#finish({
      type: "answer",
      status: this.#status,
      headers: this.#headers,
      body: body.toString("utf8"),
    });
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: unknown): void {
    this.fail(error);
  }

  /** Ends the attempt with an error of the transport. */
  fail(error: unknown): void {
    this.#finish({ type: "failure", error, sent: this.#sent });
  }

  get #sent(): Sent {
    return this.started ? "maybe" : "no";
  }

  #finish(result: AttemptResult): void {
    if (this.#settled) return;
    this.#settled = true;
    this.#settle(result);
    // Nothing more is wanted from the connection; after a whole answer there is nothing to abort.
    if (result.type !== "answer" && result.type !== "failure")
      this.#controller?.abort(new Error("the call has ended"));
  }
}
