/**
 * Runs one call: deadline, limiter, attempts, retries and errors. `retry.ts` decides what is repeated, `attempt.ts` sends
 * the request, and `failure.ts` builds the error.
 */

import type { DomainMonitoringError, Sent } from "../errors";
import { resolveCallOptions } from "../options";
import type { CallOptions } from "../types";
import { Attempt, type AttemptResult, asFailed, isUnreadable, kindOfBody } from "./attempt";
import { Deadline } from "./deadline";
import {
  abortFailure,
  httpFailure,
  rateLimitFailure,
  responseFailure,
  timeoutFailure,
  tokenFailure,
  transportFailure,
  UnexpectedShape,
  type WaitingFor,
} from "./failure";
import type { Http } from "./http";
import { Observer } from "./observer";
import { type DescribedCall, isRepeatable, type Operation } from "./operation";
import { type Answer, type Decision, decide, sentAfter } from "./retry";
import { askForToken } from "./token";

const CHECK_ADDRESS = "check that the base address is the service's own";

/** The time before the next attempt, and whether the last request may be under way. */
interface Pause {
  delayMs: number;
  sent: Sent;
}

/** After a refusal nothing is under way. The limiter delays all calls, if that is needed. */
const AT_ONCE: Pause = { delayMs: 0, sent: "no" };

export class Call<T> {
  readonly #http: Http;
  readonly #operation: Operation<T>;
  readonly #deadline: Deadline;
  readonly #maxRetries: number;
  #observer: Observer | undefined;
  /** Requests made so far. */
  #attempts = 0;
  /** The token of all its requests; undefined until the first one. */
  #token: string | undefined;
  /** `maybe` once a request of this write may have been carried out, regardless of what becomes of later ones. */
  #sent: Sent | undefined;
  /** Time from the beginning of the call to its last request. */
  #sentAfterMs = 0;

  /** Starts the deadline. @throws DomainMonitoringError of kind `validation` for an invalid option */
  constructor(http: Http, operation: Operation<T>, options: CallOptions = {}) {
    const { timeoutMs, maxRetries } = resolveCallOptions(options, http.settings);
    this.#http = http;
    this.#operation = operation;
    this.#maxRetries = maxRetries;
    this.#deadline = new Deadline(timeoutMs, options.signal);
  }

  /** Makes the call. @throws DomainMonitoringError */
  async run(): Promise<T> {
    const { limiter } = this.#http;
    try {
      for (;;) {
        await this.#enter();
        let pause: Pause;
        try {
          // In the slot, as a token may expire while a call waits for its turn.
          this.#token ??= await this.#askForToken();
          const result = await this.#attempt(this.#token);
          if (result.type === "answer" && result.status >= 200 && result.status < 300)
            return this.#read(result);
          pause = this.#judge(result);
        } finally {
          // After `#judge`: a 429 must close the limiter before the slot is free, or the next call runs into the limit.
          limiter.leave();
        }
        await this.#deadline.sleep(pause.delayMs);
        if (this.#deadline.ended) throw this.#ended(pause.sent, "answer");
      }
    } finally {
      this.#deadline.clear();
    }
  }

  #describe(): DescribedCall {
    return {
      operation: this.#operation,
      pathPrefix: this.#http.settings.pathPrefix,
      attempts: this.#attempts,
      redact: this.#http.redactorOf(this.#operation, this.#token),
      sent: this.#sent,
    };
  }

  async #askForToken(): Promise<string> {
    const { apiToken } = this.#http.settings;
    if (typeof apiToken === "string") return apiToken;
    const answer = await this.#deadline.waitFor(askForToken(apiToken));
    if (!answer) throw this.#ended("no", "token");
    if ("problem" in answer) throw tokenFailure(this.#describe(), answer.problem);
    return answer.token;
  }

  async #enter(): Promise<void> {
    const { limiter } = this.#http;
    const entering = limiter.enter(this.#deadline);
    const entry = typeof entering === "string" ? entering : await entering;
    if (entry === "entered" && !this.#deadline.ended) return;
    if (entry === "entered") limiter.leave();
    if (entry !== "closed") throw this.#ended("no", "slot");
    throw rateLimitFailure(this.#describe(), limiter.closedForMs, this.#deadline);
  }

  async #attempt(token: string): Promise<AttemptResult> {
    const { maxResponseBytes, attemptTimeoutMs, onEvent } = this.#http.settings;
    const deadline = this.#deadline;
    const { method, ignoresBody } = this.#operation;
    const isCreate = !isRepeatable(method);
    const { attempt: running, result: ended } = Attempt.start({
      maxResponseBytes,
      ignoresBody,
      isWrite: method !== "GET",
      // Only its answer says whether a create was carried out, so it is waited for regardless of what came before.
      onStart: isCreate ? () => this.#startAgain() : undefined,
    });
    deadline.onEnd = (end) => running.cancel(end);
    // The call may have ended since it got its slot: then nothing is sent.
    if (deadline.ended) return ended;
    const giveUp = () => {
      if (!isCreate || !running.started) running.cancel("attemptTimeout");
    };
    const timer = attemptTimeoutMs < deadline.remainingMs ? setTimeout(giveUp, attemptTimeoutMs) : undefined;
    this.#observer ??= onEvent && new Observer(onEvent, this.#describe());
    const startedAt = this.#observer ? performance.now() : 0;
    this.#attempts++;
    this.#sentAfterMs = this.#deadline.elapsedMs;
    this.#observer?.emit(this.#attempts, { type: "request" });
    this.#http.dispatch(this.#operation, token, running);
    const result = await ended;
    clearTimeout(timer);
    deadline.onEnd = undefined;
    if (isCreate) deadline.resume();
    if (result.type === "answer" && typeof result.headers.date === "string")
      this.#http.lastDate = { date: result.headers.date, at: Date.now() };
    this.#observer?.report(this.#attempts, result, performance.now() - startedAt);
    return result;
  }

  /** Gives a create that is being written a whole timeout for its answer. */
  #startAgain(): void {
    this.#sentAfterMs = this.#deadline.elapsedMs;
    this.#deadline.restart();
  }

  #read(answer: Answer): T {
    const { read, identify, ignoresBody, ifForeign = CHECK_ADDRESS } = this.#operation;
    if (ignoresBody) return read(undefined);
    let parsed: unknown;
    try {
      parsed = JSON.parse(answer.body);
    } catch {
      const problem = `answered ${answer.status} with ${kindOfBody(answer)} instead of JSON: ${ifForeign}`;
      throw responseFailure(this.#describe(), problem, { answer });
    }
    try {
      return read(parsed);
    } catch (error) {
      if (!(error instanceof UnexpectedShape)) throw error;
      const advice = error.foreign
        ? ifForeign
        : "the service may have changed: update this package, or report it";
      const problem = `answered ${answer.status} with JSON of an unexpected shape (${error.message}): ${advice}`;
      throw responseFailure(this.#describe(), problem, {
        answer,
        cause: error,
        channelId: identify?.(parsed),
      });
    }
  }

  /** Returns how long to wait before the next attempt; throws if there is none. */
  #judge(result: AttemptResult): Pause {
    const { maxResponseBytes } = this.#http.settings;
    if (result.type === "oversized") {
      const problem = `the answer is larger than ${maxResponseBytes} bytes: ${CHECK_ADDRESS}, or raise maxResponseBytes`;
      throw responseFailure(this.#describe(), problem);
    }
    if (result.type === "ended" && this.#deadline.ended) {
      throw this.#ended(result.sent, result.sent === "no" ? "connection" : "answer");
    }

    const { method } = this.#operation;
    const outcome = asFailed(result);
    if (method !== "GET" && sentAfter(method, outcome) === "maybe") this.#sent = "maybe";
    const decision = decide({
      method,
      outcome,
      attempt: this.#attempts,
      maxRetries: this.#maxRetries,
      remainingMs: this.#deadline.remainingMs,
      now: Date.now(),
      random: Math.random(),
    });
    const { delayMs, retryAfterMs } = decision;
    const status = result.type === "answer" ? result.status : undefined;
    if (status === 429) this.#closeForAll(delayMs ?? retryAfterMs);
    if (delayMs === undefined) throw this.#failure(result, decision);

    this.#observer?.emit(this.#attempts, { type: "retry", delayMs, status });
    if (status === 429) return AT_ONCE;
    return { delayMs, sent: result.type === "answer" ? "no" : result.sent };
  }

  #closeForAll(delayMs: number | undefined): void {
    if (delayMs === undefined) return;
    this.#http.limiter.close(delayMs);
    this.#observer?.emit(this.#attempts, { type: "rateLimit", delayMs });
  }

  #failure(
    result: Exclude<AttemptResult, { type: "oversized" }>,
    { retryAfterMs, beyondDeadline }: Decision,
  ): DomainMonitoringError {
    const failed = this.#describe();
    if (result.type === "answer") {
      return httpFailure(failed, result, retryAfterMs, beyondDeadline ? this.#deadline : undefined);
    }
    if (result.type === "ended") {
      const allowed = Math.min(this.#http.settings.attemptTimeoutMs, this.#deadline.milliseconds);
      const waitingFor = result.sent === "no" ? "connection" : "answer";
      return timeoutFailure(failed, { waitedMs: allowed, sent: result.sent, waitingFor });
    }
    if (isUnreadable(result)) {
      const problem = `answered with something other than HTTP: ${CHECK_ADDRESS}`;
      return responseFailure(failed, problem, { cause: result.error });
    }
    return transportFailure(failed, result.error, result.sent);
  }

  #ended(sent: Sent, waitingFor: WaitingFor): DomainMonitoringError {
    const failed = this.#describe();
    if (this.#deadline.ended === "aborted") return abortFailure(failed, sent);
    const { milliseconds } = this.#deadline;
    // A read may have been sent before: its time is that of all attempts.
    const beforeMs = isRepeatable(this.#operation.method) || waitingFor === "slot" ? 0 : this.#sentAfterMs;
    const waitedMs = sent === "maybe" ? milliseconds : milliseconds - beforeMs;
    return timeoutFailure(failed, { waitedMs, beforeMs, sent, waitingFor });
  }
}
