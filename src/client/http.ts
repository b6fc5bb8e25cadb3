/**
 * One call: from an operation to its parsed answer, with deadline, limiter, retries and errors.
 * What may be repeated is decided in `retry.ts`, what is on the wire in `attempt.ts`, what a failure is called in
 * `failure.ts`; this module puts them in order.
 */
import type { Dispatcher } from "undici";
import { Attempt, type AttemptResult } from "./attempt";
import { Deadline } from "./deadline";
import type { DomainMonitoringError, OperationName, Sent } from "./errors";
import type { ClientEvent } from "./events";
import {
  abortFailure,
  closedClientFailure,
  closedFailure,
  type FailedCall,
  httpFailure,
  requestId,
  responseFailure,
  timeoutFailure,
  transportFailure,
} from "./failure";
import { type Limiter, sharedLimiter } from "./limiter";
import { checkCallTimeout, type Settings } from "./options";
import { errorCode, redactor } from "./redact";
import { type Decision, decide, type Outcome } from "./retry";
import type { CallOptions } from "./types";

/** An operation of the interface, ready to send. */
export interface Operation<T> {
  name: OperationName;
  method: "GET" | "POST";
  /** Path with query, from `/api` on. */
  path: string;
  /** JSON text. */
  body?: string;
  /** Turns the parsed answer into the result; throws a ZodError where it has the wrong shape. */
  read: (answer: unknown) => T;
  /** What the caller must know when the write may have happened without an answer. */
  aftermath?: string;
  /** Finds the id of what was created in an answer that is unusable otherwise. */
  identify?: (answer: unknown) => string | undefined;
  /** Values of this operation that no text may show. */
  secrets?: readonly (string | null | undefined)[];
}

type Answer = Extract<AttemptResult, { type: "answer" }>;

/** What to wait for before the next attempt, and whether the last one may have been sent. */
interface Pause {
  delayMs: number;
  sent: Sent;
}

export class Http {
  readonly #settings: Settings;
  readonly #limiter: Limiter;
  readonly #releaseLimiter: () => void;
  readonly #readHeaders: string[];
  readonly #writeHeaders: string[];
  #dispatcher: Dispatcher | undefined;
  #callsUnderWay = 0;
  #onIdle: (() => void) | undefined;
  #closing: Promise<void> | undefined;

  constructor(settings: Settings, userAgent: string) {
    this.#settings = settings;
    const { limiter, release } = sharedLimiter(
      `${settings.origin}${settings.pathPrefix} ${settings.apiToken}`,
      settings.concurrency,
    );
    this.#limiter = limiter;
    this.#releaseLimiter = release;
    this.#dispatcher = settings.dispatcher;
    this.#readHeaders = [
      "authorization",
      `Bearer ${settings.apiToken}`,
      "accept",
      "application/json",
      "user-agent",
      userAgent,
    ];
    this.#writeHeaders = [...this.#readHeaders, "content-type", "application/json"];
  }

  /** Sends the operation and returns its result. @throws DomainMonitoringError */
  async send<T>(operation: Operation<T>, call: CallOptions = {}): Promise<T> {
    if (this.#closing) throw closedClientFailure(this.#describe(operation, 0));
    const timeoutMs = checkCallTimeout(call.timeoutMs) ?? this.#settings.timeoutMs;
    const deadline = new Deadline(timeoutMs, call.signal);
    this.#callsUnderWay++;
    try {
      for (let attempt = 1; ; attempt++) {
        await this.#enter(operation, deadline, attempt);
        let pause: Pause;
        try {
          const result = await this.#attempt(operation, deadline, attempt);
          if (result.type === "answer" && result.status >= 200 && result.status < 300) {
            return this.#read(operation, result, attempt);
          }
          pause = this.#judge(operation, deadline, attempt, result);
        } finally {
          // Only now: a 429 has to close the limiter before the place is passed on, or the next call runs into it.
          this.#limiter.leave();
        }
        await deadline.sleep(pause.delayMs);
        if (deadline.ended) throw this.#ended(this.#describe(operation, attempt), deadline, pause.sent);
      }
    } finally {
      deadline.clear();
      if (--this.#callsUnderWay === 0) this.#onIdle?.();
    }
  }

  /** Closes the connections after the calls under way; a dispatcher given by the caller stays open. */
  close(): Promise<void> {
    this.#closing ??= this.#shutDown();
    return this.#closing;
  }

  async #shutDown(): Promise<void> {
    if (this.#callsUnderWay > 0) {
      await new Promise<void>((resolve) => {
        this.#onIdle = resolve;
      });
    }
    this.#releaseLimiter();
    // Not `close`, which would wait for connections that a call has given up waiting for.
    if (this.#dispatcher !== this.#settings.dispatcher) await this.#dispatcher?.destroy();
  }

  async #enter<T>(operation: Operation<T>, deadline: Deadline, attempt: number): Promise<void> {
    const entering = this.#limiter.enter(deadline);
    const entry = typeof entering === "string" ? entering : await entering;
    if (entry === "entered" && !deadline.ended) return;
    if (entry === "entered") this.#limiter.leave();
    const failed = this.#describe(operation, attempt - 1);
    if (entry === "closed") throw closedFailure(failed, this.#limiter.closedForMs);
    throw this.#ended(failed, deadline, "no");
  }

  async #attempt<T>(operation: Operation<T>, deadline: Deadline, attempt: number): Promise<AttemptResult> {
    const { origin, pathPrefix, maxResponseBytes, attemptTimeoutMs } = this.#settings;
    const { method, body } = operation;
    const running = new Attempt(maxResponseBytes);
    deadline.onEnd = (end) => running.cancel(end);
    // A write that has been sent is waited for as long as the deadline allows: its answer is the only proof.
    const timer =
      attemptTimeoutMs < deadline.remainingMs
        ? setTimeout(() => {
            if (method === "GET" || !running.started) running.cancel("attemptTimeout");
          }, attemptTimeoutMs)
        : undefined;
    const startedAt = this.#settings.onEvent ? performance.now() : 0;
    this.#emit(operation, attempt, { type: "request" });
    try {
      this.#dispatcher ??= loadTransport().createDispatcher(origin);
      const headers = method === "GET" ? this.#readHeaders : this.#writeHeaders;
      this.#dispatcher.dispatch(
        { origin, path: pathPrefix + operation.path, method, headers, body },
        running,
      );
    } catch (error) {
      // A proxy variable that is no address, or a dispatcher of the caller's that refuses.
      running.fail(error);
    }
    const result = await running.result;
    clearTimeout(timer);
    deadline.onEnd = undefined;
    if (this.#settings.onEvent) this.#report(operation, attempt, result, performance.now() - startedAt);
    return result;
  }

  #read<T>(operation: Operation<T>, answer: Answer, attempt: number): T {
    const failed = () => this.#describe(operation, attempt);
    let parsed: unknown;
    try {
      parsed = JSON.parse(answer.body);
    } catch {
      throw responseFailure(
        failed(),
        `answered ${answer.status} with ${kindOfBody(answer)} instead of JSON`,
        { answer },
      );
    }
    try {
      return operation.read(parsed);
    } catch (error) {
      const problem = `answered ${answer.status} with JSON of another shape than the interface's`;
      const cause = shapeProblem(error);
      throw responseFailure(failed(), problem, { answer, cause, channelId: operation.identify?.(parsed) });
    }
  }

  /** How long to wait before the next attempt; throws when there is to be none. */
  #judge<T>(operation: Operation<T>, deadline: Deadline, attempt: number, result: AttemptResult): Pause {
    const failed = () => this.#describe(operation, attempt);
    if (result.type === "oversized") {
      const limit = this.#settings.maxResponseBytes;
      throw responseFailure(failed(), `the answer is larger than ${limit} bytes`);
    }
    if (result.type === "ended" && deadline.ended) throw this.#ended(failed(), deadline, result.sent);

    const outcome = toOutcome(result);
    const decision = decide({
      method: operation.method,
      outcome,
      attempt,
      maxRetries: this.#settings.maxRetries,
      remainingMs: deadline.remainingMs,
      now: Date.now(),
      random: Math.random(),
    });
    this.#observeRateLimit(operation, attempt, outcome, decision);
    if (decision.action === "stop") throw this.#failure(failed(), deadline, result, decision);

    const status = outcome.type === "answer" ? outcome.status : undefined;
    this.#emit(operation, attempt, { type: "retry", delayMs: decision.delayMs, status });
    return {
      // After a 429 the limiter holds everybody back, this call included.
      delayMs: decision.closeForAll ? 0 : decision.delayMs,
      sent: result.type === "answer" ? "no" : result.sent,
    };
  }

  #observeRateLimit<T>(operation: Operation<T>, attempt: number, outcome: Outcome, decision: Decision): void {
    if (outcome.type !== "answer" || outcome.status !== 429) return;
    const delayMs = decision.action === "retry" ? decision.delayMs : decision.retryAfterMs;
    if (delayMs === undefined) return;
    this.#limiter.close(delayMs);
    this.#emit(operation, attempt, { type: "rateLimit", delayMs });
  }

  #failure(
    failed: FailedCall,
    deadline: Deadline,
    result: Exclude<AttemptResult, { type: "oversized" }>,
    decision: Extract<Decision, { action: "stop" }>,
  ): DomainMonitoringError {
    if (result.type === "answer") {
      return httpFailure(failed, result, decision.retryAfterMs, decision.beyondDeadline ?? false);
    }
    if (result.type === "ended") {
      return timeoutFailure(
        failed,
        Math.min(this.#settings.attemptTimeoutMs, deadline.milliseconds),
        certainty(result.sent),
      );
    }
    if (isUnreadable(result)) {
      return responseFailure(failed, "answered with something that is no HTTP this client reads", {
        cause: result.error,
      });
    }
    return transportFailure(failed, result.error, certainty(result.sent));
  }

  #ended(failed: FailedCall, deadline: Deadline, sent: "no" | "maybe" | "yes"): DomainMonitoringError {
    if (deadline.ended === "aborted") return abortFailure(failed, certainty(sent));
    return timeoutFailure(failed, deadline.milliseconds, certainty(sent));
  }

  #describe<T>(operation: Operation<T>, attempts: number): FailedCall {
    const { name, method, path, aftermath, secrets = [] } = operation;
    return {
      operation: name,
      method,
      path,
      attempts,
      aftermath,
      secrets: [this.#settings.apiToken, ...secrets],
    };
  }

  #report<T>(operation: Operation<T>, attempt: number, result: AttemptResult, durationMs: number): void {
    if (result.type === "answer") {
      const id = requestId(result.headers, this.#redactor(operation));
      this.#emit(operation, attempt, { type: "response", status: result.status, durationMs, requestId: id });
      return;
    }
    const sent = result.type === "oversized" ? "yes" : result.sent;
    const code = result.type === "failure" ? errorCode(result.error) : result.type;
    this.#emit(operation, attempt, { type: "failure", code, sent, durationMs });
  }

  #redactor<T>(operation: Operation<T>): (text: string) => string {
    return redactor(this.#describe(operation, 0).secrets);
  }

  #emit<T>(operation: Operation<T>, attempt: number, event: EventDetails): void {
    const { onEvent } = this.#settings;
    if (!onEvent) return;
    try {
      onEvent({
        ...event,
        operation: operation.name,
        method: operation.method,
        path: this.#redactor(operation)(operation.path),
        attempt,
      });
    } catch {
      // An observer's failure is not the call's.
    }
  }
}

type EventDetails = ClientEvent extends infer Event
  ? Event extends ClientEvent
    ? Omit<Event, "operation" | "method" | "path" | "attempt">
    : never
  : never;

function loadTransport(): typeof import("./transport") {
  return require("./transport");
}

function toOutcome(result: Exclude<AttemptResult, { type: "oversized" }>): Outcome {
  if (result.type === "answer") return result;
  const permanent = result.type === "failure" && (isUnreadable(result) || isPermanent(result.error));
  return { type: "failure", sent: result.sent, permanent };
}

function certainty(sent: "no" | "maybe" | "yes"): "no" | "maybe" {
  return sent === "no" ? "no" : "maybe";
}

/** An answer that came but that no further attempt would make readable. */
function isUnreadable({ error, sent }: Extract<AttemptResult, { type: "failure" }>): boolean {
  // Before the request was sent, it is a proxy that talks nonsense.
  if (sent === "no") return false;
  // undici's parser error often comes without a code.
  const name = typeof error === "object" && error !== null && "name" in error ? error.name : undefined;
  return name === "HTTPParserError" || errorCode(error) === "UND_ERR_HEADERS_OVERFLOW";
}

/** Certificates, addresses and arguments do not mend themselves. */
function isPermanent(error: unknown): boolean {
  const code = errorCode(error) ?? "";
  return /^(ERR_TLS_CERT|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_|ERR_INVALID_URL|UND_ERR_INVALID_ARG|UND_ERR_CLOSED|UND_ERR_DESTROYED)/.test(
    code,
  );
}

function kindOfBody(answer: Answer): string {
  if (answer.body === "") return "an empty body";
  const type = answer.headers["content-type"];
  return typeof type === "string" && /html/i.test(type) ? "an HTML page" : "text";
}

/** The paths and expectations of a ZodError, which hold no values. */
function shapeProblem(error: unknown): Error {
  const issues =
    error instanceof Error && "issues" in error && Array.isArray(error.issues) ? error.issues : [];
  const lines = issues.slice(0, 5).map((issue) => `${issue.path.join(".")}: ${issue.message}`);
  return new Error(lines.join("; ") || "the answer could not be read");
}
