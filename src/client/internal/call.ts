/**
 * Runs one call: a slot of the limiter, a request, and again as long as `retry.ts` says so.
 * `attempt.ts` sends the request, and `failure.ts` builds the error.
 */

import { type Quote, quoter, redactor, type Secrets } from "../../common/secrets";
import { parseJson, type Redactor } from "../../common/text";
import type { DomainMonitoringError, Sent } from "../errors";
import { type CallOptions, type EventDetails, resolveCallOptions } from "../options";
import { Attempt, isHtml, isSuccess } from "./attempt";
import {
  failure,
  type MessageParts,
  rateLimitFailure,
  timeoutFailure,
  transportFailure,
  type WaitingFor,
} from "./failure";
import type { Http } from "./http";
import { Deadline } from "./limits";
import { callSafely, emit, eventOf } from "./observer";
import type { DescribedCall, Operation } from "./operation";
import { httpFailure } from "./refusal";
import { type AttemptResult, type Decision, decide, type HttpResponse, sentAfter } from "./retry";
import { notJsonFailure, shapeFailure, UnexpectedShape, unusableFailure } from "./unusable";

/** Makes a call. @throws DomainMonitoringError */
export async function send<T>(
  http: Http,
  options: CallOptions = {},
  operation: Operation<T>,
): Promise<T> {
  return new Call(http, operation, options).run();
}

/** A request that the service has carried out, or the decision after a failed one. */
type Step = { response: HttpResponse } | { failed: AttemptResult; decision: Decision };

class Call<T> implements DescribedCall {
  attempts = 0;
  sent: Sent | undefined;
  readonly pathPrefix: string;
  readonly redact: Redactor;
  readonly #http: Http;
  readonly #secrets: Secrets;
  readonly #deadline: Deadline;
  readonly #attemptTimeoutMs: number;
  readonly #maxRetries: number;

  /** Time that a create had waited before it was sent, for its turn and as the service asked. */
  #beforeMs = 0;

  /** Kept, because every event has it. */
  #path: string | undefined;

  /**
   * Starts the deadline. @throws DomainMonitoringError of kind `validation` for an invalid option
   */
  constructor(
    http: Http,
    readonly operation: Operation<T>,
    options: CallOptions,
  ) {
    const { apiToken, pathPrefix } = http.settings;
    const { timeoutMs, attemptTimeoutMs, maxRetries } = resolveCallOptions(options, http.settings);
    const secrets = [...(operation.secrets ?? []), ...(options.secrets ?? [])];

    this.#http = http;
    this.pathPrefix = pathPrefix;
    this.#secrets = [apiToken, ...secrets];
    this.redact = secrets.length > 0 ? redactor(this.#secrets) : http.redact;
    this.#attemptTimeoutMs = attemptTimeoutMs;
    this.#maxRetries = maxRetries;
    this.#deadline = new Deadline(timeoutMs, options.signal);
  }

  get quote(): Quote {
    const { path, publicTexts = [] } = this.operation;
    return quoter(this.#secrets, [...path.split(/[/?]/), ...publicTexts], this.redact);
  }

  get path(): string {
    this.#path ??= this.redact(this.operation.path);
    return this.#path;
  }

  async run(): Promise<T> {
    this.#http.begin();
    try {
      if (this.#http.isClosed) throw failure(this, "transport", IS_CLOSED, { sent: "no" });

      for (;;) {
        const step = await this.#inSlot();
        if ("response" in step) return readResponse(this, step.response);

        await this.#pauseAfter(step.failed, step.decision);
      }
    } finally {
      this.#deadline.clear();
      this.#http.end();
    }
  }

  async #inSlot(): Promise<Step> {
    await this.#enter();
    try {
      const outcome = await this.#attempt();
      if (outcome.type === "response" && isSuccess(outcome)) return { response: outcome };

      const { method } = this.operation;
      if (method !== "GET" && sentAfter(method, outcome) === "maybe") this.sent = "maybe";

      const decision = this.#decide(outcome);
      // In the slot: the next call would otherwise run into the limit.
      if (outcome.type === "response" && outcome.status === 429) this.#holdBackOthers(decision);

      return { failed: outcome, decision };
    } finally {
      this.#http.limiter.leave();
    }
  }

  async #enter(): Promise<void> {
    const { limiter } = this.#http;
    const admission = await limiter.enter(this.#deadline);
    if (admission === "ended") throw this.#ended("no", "slot");
    if (admission === "closed") throw rateLimitFailure(this, limiter.closedForMs, this.#deadline);
  }

  /** Makes one request. @throws DomainMonitoringError if the call ends meanwhile */
  async #attempt(): Promise<AttemptResult> {
    const { operation } = this;
    const { maxResponseBytes, onEvent } = this.#http.settings;
    const deadline = this.#deadline;
    if (deadline.ended) throw this.#ended("no");

    const isCreate = operation.method === "POST";
    // A read may have been sent by an earlier attempt, so its time includes all attempts.
    if (isCreate) this.#beforeMs = deadline.elapsedMs;

    // Only its response says whether a create was carried out, so from its first byte on it has the
    // whole time again.
    const restart = () => {
      this.#beforeMs = deadline.elapsedMs;
      deadline.restart();
    };

    const onStart = isCreate ? restart : undefined;
    const { attempt, ended } = Attempt.begin({ operation, maxResponseBytes, onStart });
    const timer = this.#limit(attempt, isCreate);
    const startedAt = performance.now();

    this.attempts++;
    this.#emit({ type: "request" });
    // The listener may have ended the call.
    if (!deadline.ended) this.#http.dispatch(operation, attempt);
    const outcome = await ended;

    clearTimeout(timer);
    deadline.onEnd = undefined;
    if (onEvent) this.#emit(eventOf(outcome, performance.now() - startedAt, this));
    if (outcome.type === "ended" && deadline.ended) throw this.#ended(outcome.sent);

    return outcome;
  }

  #emit(event: EventDetails): void {
    const { onEvent } = this.#http.settings;
    if (onEvent) emit(onEvent, this, event);
  }

  /**
   * Cancels the attempt when the call ends. Its own time also cancels it, unless it is a create
   * that may have been sent.
   */
  #limit(attempt: Attempt, isCreate: boolean): NodeJS.Timeout | undefined {
    this.#deadline.onEnd = () => attempt.cancel();
    if (this.#attemptTimeoutMs >= this.#deadline.remainingMs) return undefined;

    return setTimeout(() => {
      if (!isCreate || !attempt.started) attempt.cancel();
    }, this.#attemptTimeoutMs);
  }

  #decide(outcome: AttemptResult): Decision {
    return decide({
      method: this.operation.method,
      outcome,
      attempt: this.attempts,
      maxRetries: this.#maxRetries,
      remainingMs: this.#deadline.toStartMs,
      now: Date.now(),
      random: Math.random(),
    });
  }

  /** Delays every call of the account, because the service has set a rate limit. */
  #holdBackOthers({ delayMs, retryAfterMs }: Decision): void {
    const { limiter, settings } = this.#http;
    const closedMs = delayMs ?? retryAfterMs;
    if (closedMs === undefined) return;

    limiter.close(closedMs);
    if (settings.onRateLimit) callSafely(settings.onRateLimit, closedMs);
    this.#emit({ type: "rateLimit", delayMs: closedMs });
  }

  /** Waits until the next attempt. @throws DomainMonitoringError if there is none */
  async #pauseAfter(failed: AttemptResult, decision: Decision): Promise<void> {
    const { delayMs } = decision;
    if (delayMs === undefined) throw this.#failure(failed, decision);

    const status = failed.type === "response" ? failed.status : undefined;
    this.#emit({ type: "retry", delayMs, status });

    // After a rate limit it is the limiter that delays all calls.
    await this.#deadline.sleep(status === 429 ? 0 : delayMs);
    if (this.#deadline.ended)
      throw this.#ended(failed.type === "response" ? "no" : failed.sent, "response");
  }

  #failure(failed: AttemptResult, { retryAfterMs, beyondDeadline }: Decision) {
    if (failed.type === "response")
      return httpFailure(this, failed, retryAfterMs, beyondDeadline ? this.#deadline : undefined);

    const { type, cause, sent } = failed;
    if (type === "failure") return transportFailure(this, cause, sent);
    if (type === "unusable")
      return unusableFailure(this, failed, this.#http.settings.maxResponseBytes);

    const waitedMs = Math.min(this.#attemptTimeoutMs, this.#deadline.milliseconds);

    return timeoutFailure(this, { waitedMs, sent });
  }

  /** The error of a call that has ended while it waited. */
  #ended(sent: Sent, waitingFor?: WaitingFor): DomainMonitoringError {
    if (this.#deadline.ended === "aborted")
      return failure(this, "aborted", ["ended by the caller"], { sent });

    const { milliseconds } = this.#deadline;
    const beforeMs = waitingFor === "slot" ? 0 : this.#beforeMs;
    const waitedMs = sent === "maybe" ? milliseconds : milliseconds - beforeMs;

    return timeoutFailure(this, { waitedMs, beforeMs, sent, waitingFor });
  }
}

const IS_CLOSED: MessageParts = ["the client is closed: make a new one"];

function readResponse<T>(call: Call<T>, response: HttpResponse): T {
  const { read, ignoresBody } = call.operation;
  const parsed = parseJson(response.body);
  const isPage = parsed === undefined && response.body !== "" && isHtml(response.headers);
  if (ignoresBody && !isPage) return read(undefined, call);

  if (parsed === undefined) throw notJsonFailure(call, response, isPage);

  try {
    return read(parsed, call);
  } catch (error) {
    throw error instanceof UnexpectedShape ? shapeFailure(call, response, parsed, error) : error;
  }
}
