/**
 * Runs one call: deadline, limiter, attempts, retries and errors. `retry.ts` decides what is repeated, `attempt.ts` sends
 * the request, and `failure.ts` builds the error.
 */

import type { DomainMonitoringError } from "../errors";
import { resolveCallOptions } from "../options";
import type { CallOptions } from "../types";
import { Attempt, type AttemptResult, isUnreadable, kindOfBody, toOutcome } from "./attempt";
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
import type { DescribedCall, Operation } from "./operation";
import { type Answer, type Decision, decide, isRepeatable, maybeCarriedOut, type Unanswered } from "./retry";

const CHECK_ADDRESS = "check that the base address is the service's own";

/** The time before the next attempt, and whether the last request may be under way. */
interface Pause {
  delayMs: number;
  sent: Unanswered;
}

/** After a refusal nothing is under way. The limiter delays all calls, if that is needed. */
const AT_ONCE: Pause = { delayMs: 0, sent: "no" };

export class Call<T> {
  readonly #http: Http;
  readonly #operation: Operation<T>;
  readonly #deadline: Deadline;
  readonly #maxRetries: number;
  readonly #maxRateLimitWaitMs: number;
  #observer: Observer | undefined;
  /** Requests made so far. */
  #attempts = 0;
  /** Those of them that do not count, as the service refused them before anything else: 401 or 429. */
  #uncounted = 0;
  /** Tokens sent so far: answers may repeat them. */
  readonly #tokens = new Set<string>();
  /** Whether another token has been looked for after a 401. */
  #renewed = false;
  /** Whether a request of this update or delete may have been carried out, regardless of what became of the last one. */
  #maybeDone = false;

  /** Starts the deadline. @throws DomainMonitoringError of kind `validation` for an invalid option */
  constructor(http: Http, operation: Operation<T>, options: CallOptions = {}) {
    const { timeoutMs, maxRetries, maxRateLimitWaitMs } = resolveCallOptions(options, http.settings);
    this.#http = http;
    this.#operation = operation;
    this.#maxRetries = maxRetries;
    this.#maxRateLimitWaitMs = operation.method === "GET" ? maxRateLimitWaitMs : 0;
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
          // In the slot, as the other calls of this account wait for the same token.
          const token = await this.#token();
          const result = await this.#attempt(token);
          if (result.type === "answer" && result.status >= 200 && result.status < 300)
            return this.#read(result);
          pause = (await this.#renew(result, token)) ? AT_ONCE : this.#judge(result);
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
      attempts: this.#attempts,
      tokens: [...this.#http.apiToken.known, ...this.#tokens],
      maybeDone: this.#maybeDone,
    };
  }

  /** The token to send. @param refused a token that the service has refused */
  async #token(refused?: string): Promise<string> {
    const answer = await this.#http.apiToken.get(this.#deadline, refused);
    if (!answer) throw this.#ended("no", "token");
    if ("problem" in answer) throw tokenFailure(this.#describe(), answer.problem);
    return answer.token;
  }

  /**
   * After a 401, whether there is another token, with which the call is sent again: once, regardless of `maxRetries`. A
   * create too: every request needs a valid token (interface.md, section 5), and 401 says that this one was not carried
   * out for lack of it (RFC 9110, section 15.5.2).
   */
  async #renew(result: AttemptResult, refused: string): Promise<boolean> {
    if (result.type !== "answer" || result.status !== 401) return false;
    if (this.#renewed || !this.#http.apiToken.isRenewable) return false;
    this.#renewed = true;
    if ((await this.#token(refused)) === refused) return false;
    this.#uncounted++;
    this.#observer?.emit(this.#attempts, { type: "retry", delayMs: 0, status: 401 });
    return true;
  }

  async #enter(): Promise<void> {
    const { limiter } = this.#http;
    const entering = limiter.enter(this.#deadline);
    const entry = typeof entering === "string" ? entering : await entering;
    if (entry === "entered" && !this.#deadline.ended) return;
    if (entry === "entered") limiter.leave();
    if (entry !== "closed") throw this.#ended("no", "slot");
    if (this.#awaits(limiter.closedForMs)) return this.#enter();
    throw rateLimitFailure(this.#describe(), limiter.closedForMs, this.#deadline.milliseconds);
  }

  async #attempt(token: string): Promise<AttemptResult> {
    const { maxResponseBytes, attemptTimeoutMs, onEvent } = this.#http.settings;
    const deadline = this.#deadline;
    const { attempt: running, result: ended } = Attempt.start(maxResponseBytes, this.#operation.ignoresBody);
    deadline.onEnd = (end) => running.cancel(end);
    // The call may have ended since it got its slot: then nothing is sent.
    if (deadline.ended) return ended;
    // A create that has been sent is given the whole deadline: only its answer proves what happened.
    const giveUp = () => {
      if (isRepeatable(this.#operation.method) || !running.started) running.cancel("attemptTimeout");
    };
    const timer = attemptTimeoutMs < deadline.remainingMs ? setTimeout(giveUp, attemptTimeoutMs) : undefined;
    if (!this.#tokens.has(token)) {
      this.#tokens.add(token);
      this.#observer = onEvent && new Observer(onEvent, this.#describe());
    }
    const startedAt = this.#observer ? performance.now() : 0;
    this.#attempts++;
    this.#observer?.emit(this.#attempts, { type: "request" });
    this.#http.dispatch(this.#operation, token, running);
    const result = await ended;
    clearTimeout(timer);
    deadline.onEnd = undefined;
    this.#observer?.report(this.#attempts, result, performance.now() - startedAt);
    if (result.type === "answer" && result.status !== 429) this.#http.limiter.answered();
    return result;
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
    const outcome = toOutcome(result);
    this.#maybeDone ||= method !== "GET" && isRepeatable(method) && maybeCarriedOut(outcome);
    const decision = decide({
      method,
      outcome,
      attempt: this.#attempts - this.#uncounted,
      maxRetries: this.#maxRetries,
      remainingMs: this.#deadline.remainingMs,
      now: Date.now(),
      random: Math.random(),
    });
    const { delayMs, retryAfterMs } = decision;
    const status = result.type === "answer" ? result.status : undefined;
    if (status === 429) this.#closeForAll(delayMs ?? retryAfterMs);
    if (status === 429 && this.#awaits(retryAfterMs)) {
      this.#uncounted++;
      this.#observer?.emit(this.#attempts, { type: "retry", delayMs: retryAfterMs ?? 0, status });
      return AT_ONCE;
    }
    if (delayMs === undefined) throw this.#failure(result, decision);

    this.#observer?.emit(this.#attempts, { type: "retry", delayMs, status });
    if (status === 429) return AT_ONCE;
    return { delayMs, sent: result.type === "answer" ? "no" : result.sent };
  }

  /** Whether this read waits for a rate limit, on which its deadline begins again when the limit ends. */
  #awaits(delayMs = 0): boolean {
    const longest = this.#maxRateLimitWaitMs;
    if (delayMs <= 0 || delayMs >= longest || this.#http.limiter.limitedForMs >= longest) return false;
    this.#deadline.restart(delayMs);
    return true;
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
      const allowedMs = beyondDeadline ? this.#deadline.milliseconds : undefined;
      return httpFailure(failed, result, retryAfterMs, allowedMs);
    }
    if (result.type === "ended") {
      const allowed = Math.min(this.#http.settings.attemptTimeoutMs, this.#deadline.milliseconds);
      return timeoutFailure(failed, allowed, result.sent, result.sent === "no" ? "connection" : "answer");
    }
    if (isUnreadable(result)) {
      const problem = `answered with something other than HTTP: ${CHECK_ADDRESS}`;
      return responseFailure(failed, problem, { cause: result.error });
    }
    return transportFailure(failed, result.error, result.sent);
  }

  #ended(sent: Unanswered, waitingFor: WaitingFor): DomainMonitoringError {
    const failed = this.#describe();
    if (this.#deadline.ended === "aborted") return abortFailure(failed, sent);
    return timeoutFailure(failed, this.#deadline.milliseconds, sent, waitingFor);
  }
}
