/**
 * One request on the wire, and the proof of whether it was sent.
 *
 * undici calls `onRequestStart` just before it writes the first byte: without that call nothing was written, regardless of
 * the error (measured over twenty kinds of failure; error codes alone are misleading). The handler also limits the size of the
 * answer, and resolves at once when the call ends, which undici's own signal does not while a request is queued or
 * connecting.
 */

import type { Dispatcher } from "undici";
import { errorCode } from "../../common/errors";
import type { Sent } from "../errors";
import type { End } from "./deadline";
import type { Answer, FailedAttempt, Headers } from "./retry";
import { isPermanent } from "./unreached";

/** Result of an attempt. */
export type AttemptResult =
  | ({ type: "answer" } & Answer)
  | { type: "failure"; error: unknown; sent: Sent }
  | { type: "oversized" }
  | { type: "ended"; end: End | "attemptTimeout"; sent: Sent };

/** What an attempt depends on. */
export interface AttemptOptions {
  maxResponseBytes: number;
  /** Any success status will do, however the body ends. */
  ignoresBody?: boolean;
  /** Whether to abort a second request by a dispatcher that retries by itself, as this one writes. */
  isWrite: boolean;
  /** Called when the request is about to be written. */
  onStart?: () => void;
}

export class Attempt implements Dispatcher.DispatchHandler {
  /** Whether the request may have begun to be written. */
  started = false;
  #requests = 0;
  #resolve: ((result: AttemptResult) => void) | undefined;
  #controller: Dispatcher.DispatchController | undefined;
  #status = 0;
  #headers: Headers = {};
  #bytes = 0;
  #chunks: Buffer[] = [];

  private constructor(
    private readonly options: AttemptOptions,
    resolve: (result: AttemptResult) => void,
  ) {
    this.#resolve = resolve;
  }

  /** Returns the result separately: the attempt must not keep a reference to it, see `#finish`. */
  static start(options: AttemptOptions): { attempt: Attempt; result: Promise<AttemptResult> } {
    let attempt!: Attempt;
    const result = new Promise<AttemptResult>((resolve) => {
      attempt = new Attempt(options, resolve);
    });
    return { attempt, result };
  }

  /** Ends the attempt from outside. A request that is still queued is never written. */
  cancel(end: End | "attemptTimeout"): void {
    this.#finish({ type: "ended", end, sent: this.#sent });
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    if (!this.#resolve) {
      controller.abort(new Error("the call has ended"));
      return;
    }
    if (++this.#requests > 1 && this.options.isWrite) {
      controller.abort(new Error("the dispatcher repeats a request that writes"));
      return;
    }
    this.#controller = controller;
    this.start();
  }

  /** From here on the request may be written. */
  start(): void {
    if (this.started) return;
    this.started = true;
    this.options.onStart?.();
  }

  onResponseStart(_controller: Dispatcher.DispatchController, status: number, headers: Headers): void {
    // An interim answer (1xx) is not the answer.
    if (status < 200) return;
    this.#status = status;
    this.#headers = headers;
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (!this.#resolve) return;
    this.#bytes += chunk.length;
    if (this.#bytes > this.options.maxResponseBytes) this.#finish({ type: "oversized" });
    else this.#chunks.push(chunk);
  }

  onResponseEnd(): void {
    const [first] = this.#chunks;
    const body = first && this.#chunks.length === 1 ? first : Buffer.concat(this.#chunks);
    this.#finish({
      type: "answer",
      status: this.#status,
      headers: this.#headers,
      // JSON may begin with a byte order mark, which `JSON.parse` refuses.
      body: body.toString("utf8").replace(/^\ufeff/, ""),
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

  /**
   * Releases everything. undici and timers keep finished attempts until a major garbage collection, and each minor one
   * copies an answer that is still referenced: measured, that doubled the CPU time.
   */
  #finish(result: AttemptResult): void {
    const resolve = this.#resolve;
    if (!resolve) return;
    const controller = this.#controller;
    // If the body is ignored, a status of success is the whole answer, however the body ends.
    const isDone = this.options.ignoresBody && this.#status >= 200 && this.#status < 300;
    const outcome: AttemptResult = isDone
      ? { type: "answer", status: this.#status, headers: this.#headers, body: "" }
      : result;
    this.#resolve = undefined;
    this.#controller = undefined;
    this.#chunks = [];
    this.#headers = {};
    resolve(outcome);
    // After a complete answer there is nothing to abort.
    if (result.type !== "answer" && result.type !== "failure")
      controller?.abort(new Error("the call has ended"));
  }
}

/** Converts the result for the retry decision. */
export function asFailed(result: Exclude<AttemptResult, { type: "oversized" }>): FailedAttempt {
  if (result.type === "answer") return result;
  const permanent = result.type === "failure" && (isUnreadable(result) || isPermanent(result.error));
  return { type: "failure", sent: result.sent, permanent };
}

/** Whether the answer was not valid HTTP, so that a retry would not help. */
export function isUnreadable({ error, sent }: Extract<AttemptResult, { type: "failure" }>): boolean {
  // Before the request is sent, only a proxy can have answered.
  if (sent === "no") return false;
  // undici's parser error often comes without a code.
  const name = typeof error === "object" && error !== null && "name" in error ? error.name : undefined;
  return name === "HTTPParserError" || errorCode(error) === "UND_ERR_HEADERS_OVERFLOW";
}

/** Describes a body that is not JSON without showing it. */
export function kindOfBody({ body, headers }: Answer): string {
  if (body === "") return "an empty body";
  const type = headers["content-type"];
  return typeof type === "string" && /html/i.test(type) ? "an HTML page" : "text";
}
