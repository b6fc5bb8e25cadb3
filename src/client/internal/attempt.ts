/**
 * One request on the wire, and the proof of whether it was sent: undici calls `onRequestStart` just
 * before it writes the first byte. Without that call nothing was written, whatever the error is
 * (measured over twenty kinds of failure; codes mislead). An attempt resolves as soon as its call
 * ends, which undici's own signal does not do while a request is queued or connecting.
 */
import type { Dispatcher } from "undici";
import { errorCode } from "../../common/text";
import type { Sent } from "../errors";
import type { Operation } from "./operation";
import type { AttemptResult, Headers, HttpResponse } from "./retry";
import { isPermanent } from "./unreached";

export interface AttemptOptions {
  operation: Operation<unknown>;
  maxResponseBytes: number;
  onStart?: () => void;
}

/** The code of a response that is too large. */
export const OVERSIZED = "oversized";

/** undici's code of a request that it does not accept, and does not write. */
const REJECTED = "UND_ERR_INVALID_ARG";

export class Attempt implements Dispatcher.DispatchHandler {
  /** Whether the request may have begun to be written. */
  started = false;
  #requests = 0;
  #resolve: ((outcome: AttemptResult) => void) | undefined;
  #controller: Dispatcher.DispatchController | undefined;
  #status = 0;
  #headers: Headers = {};
  #bytes = 0;
  #chunks: Buffer[] = [];

  private constructor(private readonly options: AttemptOptions) {}

  /**
   * Makes an attempt, and the promise of how it ends. The attempt does not keep the promise: see
   * `#finish`.
   */
  static begin(options: AttemptOptions): { attempt: Attempt; ended: Promise<AttemptResult> } {
    const attempt = new Attempt(options);
    const ended = new Promise<AttemptResult>((resolve) => {
      attempt.#resolve = resolve;
    });

    return { attempt, ended };
  }

  /** Ends the attempt from outside. A request that is still queued is never written. */
  cancel(): void {
    this.#abort({
      type: "ended",
      code: "ended",
      sent: this.#sent,
    });
  }

  /**
   * Dispatchers of undici before 7 call this, and none of the methods below: the call would wait
   * until its deadline.
   */
  onConnect(): never {
    throw Object.assign(new Error("a dispatcher of undici before 7"), { code: REJECTED });
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    if (!this.#resolve) {
      controller.abort(new Error("the call has ended"));
      return;
    }

    // A dispatcher of the caller's may retry by itself.
    if (++this.#requests > 1 && this.options.operation.method !== "GET") {
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

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: Headers,
  ): void {
    // An interim response (1xx) does not end the wait.
    if (status < 200) return;
    this.#status = status;
    this.#headers = headers;
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (!this.#resolve) return;

    this.#bytes += chunk.length;
    if (this.#bytes <= this.options.maxResponseBytes) {
      this.#chunks.push(chunk);
      return;
    }

    this.#abort({
      type: "unusable",
      code: OVERSIZED,
      sent: "yes",
      permanent: true,
    });
  }

  onResponseEnd(): void {
    const [first] = this.#chunks;
    const body = first && this.#chunks.length === 1 ? first : Buffer.concat(this.#chunks);
    // JSON may begin with a byte order mark, which `JSON.parse` refuses.
    this.#finish(this.#responseOf(body.toString("utf8").replace(/^\ufeff/, "")));
  }

  #responseOf(body: string) {
    return {
      type: "response" as const,
      status: this.#status,
      headers: this.#headers,
      body,
    };
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: unknown): void {
    this.fail(error);
  }

  fail(cause: unknown): void {
    const code = errorCode(cause);
    // Before the request is sent, only a proxy can have responded.
    const isUnusable = this.started && isNotHttp(cause);

    this.#finish({
      type: isUnusable ? "unusable" : "failure",
      code,
      sent: code === REJECTED ? "no" : this.#sent,
      permanent: isUnusable || isPermanent(cause),
      cause,
    });
  }

  get #sent(): Sent {
    return this.started ? "maybe" : "no";
  }

  /** Ends the attempt before its response is complete. */
  #abort(outcome: AttemptResult): void {
    const controller = this.#controller;
    this.#finish(outcome);
    controller?.abort(new Error("the call has ended"));
  }

  /**
   * Releases everything. undici and timers keep finished attempts until a major garbage collection,
   * and each minor one copies a response that is still referenced: measured, that doubled the CPU
   * time.
   */
  #finish(outcome: AttemptResult): void {
    const resolve = this.#resolve;
    if (!resolve) return;

    // If the body is ignored, a status of success is the whole response, however the body ends,
    // unless it may be a page.
    const response = this.#responseOf("");
    const isDone =
      this.options.operation.ignoresBody && isSuccess(response) && !isHtml(response.headers);

    this.#resolve = undefined;
    this.#controller = undefined;
    this.#chunks = [];
    this.#headers = {};
    resolve(isDone ? response : outcome);
  }
}

export function isSuccess({ status }: HttpResponse): boolean {
  return status >= 200 && status < 300;
}

/** Whether the body is for browsers, probably from another server in front of the service. */
export function isHtml({ "content-type": type }: Headers): boolean {
  return /html/i.test(String(type));
}

function isNotHttp(error: unknown): boolean {
  // undici's parser error often comes without a code. An object even if the error is none.
  const { name, code }: { name?: unknown; code?: unknown } = Object(error);
  return name === "HTTPParserError" || code === "UND_ERR_HEADERS_OVERFLOW";
}
