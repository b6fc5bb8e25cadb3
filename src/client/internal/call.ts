/**
 * Runs one call: a slot of the limiter, a request, and again as long as `retry.ts` says so.
 * `attempt.ts` sends the request, and `failure.ts` builds the error.
 */

import { errorCode } from "../../common/errors";
import { parseJson } from "../../common/text";
import { type DomainMonitoringError, MAY_HAVE_CHANGED, type Sent } from "../errors";
import { type ApiTokenFunction, resolveCallOptions, tokenProblem } from "../options";
import type { CallOptions } from "../types";
import { Attempt, type AttemptResult, type FailedResult } from "./attempt";
import { Deadline, type Lease } from "./deadline";
import {
  CHECK_ADDRESS,
  failure,
  httpFailure,
  isHtml,
  type MessageParts,
  rateLimitFailure,
  responseFailure,
  timeoutFailure,
  transportFailure,
  UnexpectedShape,
  type WaitingFor,
} from "./failure";
import type { Http } from "./http";
import { callSafely, emit, emitResult } from "./observer";
import { type DescribedCall, isRepeatable, type Operation } from "./operation";
import { type Answer, type Decision, decide, sentAfter } from "./retry";

/** The time before the next attempt, and whether the last request may be under way. */
interface Pause {
  delayMs: number;
  sent: Sent;
}

/** Makes a call. @throws DomainMonitoringError */
export async function send<T>(
  http: Http,
  options: CallOptions = {},
  asked: Operation<T>,
): Promise<T> {
  const operation = options.secrets ? withSecrets(asked, options.secrets) : asked;
  if (http.isClosed) {
    const parts: MessageParts = ["the client is closed: make a new one"];
    throw failure(http.describe(operation), "transport", parts, { sent: "no" });
  }

  return http.whileOpen(() => new Call(http, operation, options).run());
}

function withSecrets<T>(
  operation: Operation<T>,
  secrets: NonNullable<CallOptions["secrets"]>,
): Operation<T> {
  return { ...operation, secrets: [...(operation.secrets ?? []), ...secrets] };
}

class Call<T> {
  readonly #http: Http;
  readonly #operation: Operation<T>;
  readonly #deadline: Deadline;
  readonly #attemptTimeoutMs: number;
  readonly #maxRetries: number;

  /**
   * Starts the deadline. @throws DomainMonitoringError of kind `validation` for an invalid option
   */
  constructor(http: Http, operation: Operation<T>, options: CallOptions = {}) {
    const { timeoutMs, attemptTimeoutMs, maxRetries } = resolveCallOptions(options, http.settings);

    this.#http = http;
    this.#operation = operation;
    this.#attemptTimeoutMs = attemptTimeoutMs;
    this.#maxRetries = maxRetries;
    this.#deadline = new Deadline(timeoutMs, options.signal);
  }

  async run(): Promise<T> {
    const { limiter } = this.#http;
    const { method } = this.#operation;
    let call = this.#http.describe(this.#operation);
    let token: string | undefined;
    try {
      for (;;) {
        await this.#enter(call);
        let pause: Pause;
        try {
          if (token === undefined) {
            // In the slot, as a token may expire while a call waits for its turn.
            token = await this.#askForToken(call);
            call = this.#http.describe(this.#operation, token);
          }

          // Nothing is awaited between this and the request.
          if (this.#deadline.ended) throw this.#ended(call, "no", "connection");

          call = { ...call, attempts: call.attempts + 1 };
          const result = await this.#attempt(call, token);
          if (result.type === "answer" && result.status >= 200 && result.status < 300)
            return readAnswer(this.#operation, result, call);

          if (result.type === "unusable")
            throw responseFailure(call, result.parts, { cause: result.cause });

          if (method !== "GET" && sentAfter(method, result) === "maybe")
            call = { ...call, sent: "maybe" };

          pause = this.#judge(call, result);
        } finally {
          // After `#judge`: a 429 must close the limiter before the slot is free, or the next call
          // runs into the limit.
          limiter.leave();
        }

        await this.#deadline.sleep(pause.delayMs);
        if (this.#deadline.ended) throw this.#ended(call, pause.sent, "answer");
      }
    } finally {
      this.#deadline.clear();
    }
  }

  async #enter(call: DescribedCall): Promise<void> {
    const { limiter } = this.#http;
    const entry = await limiter.enter(this.#deadline);
    if (entry === "ended") throw this.#ended(call, "no", "slot");
    if (entry === "closed") throw rateLimitFailure(call, limiter.closedForMs, this.#deadline);
  }

  async #askForToken(call: DescribedCall): Promise<string> {
    const { apiToken } = this.#http.settings;
    if (typeof apiToken === "string") return apiToken;

    const answer = await this.#deadline.waitFor(askForToken(apiToken));
    if (!answer) throw this.#ended(call, "no", "token");
    if ("problem" in answer) throw failure(call, "configuration", [answer.problem], { sent: "no" });

    return answer.token;
  }

  /** Makes one request. @throws DomainMonitoringError if the call ends meanwhile */
  async #attempt(call: DescribedCall, token: string): Promise<AttemptResult> {
    const { settings } = this.#http;
    const { operation } = call;
    const { maxResponseBytes, onEvent } = settings;
    const deadline = this.#deadline;
    const isCreate = !isRepeatable(operation.method);
    let lease: Lease | undefined;
    // Only its answer says whether a create was carried out, so from its first byte on it has the
    // whole time again.
    const onStart = () => {
      if (isCreate) lease = deadline.lend();
    };

    const elapsedMs = deadline.elapsedMs;
    const { attempt, ended } = Attempt.begin({ operation, maxResponseBytes, onStart });
    const limit = this.#limit(attempt, isCreate);
    const startedAt = performance.now();

    if (onEvent) emit(onEvent, call, { type: "request" });
    // The listener may have ended the call.
    if (!deadline.ended) this.#http.dispatch(operation, token, attempt);
    const result = await ended;

    limit.clear();
    lease?.end();
    if (result.type === "answer") this.#http.noteDate(result.headers.date);
    if (onEvent) emitResult(onEvent, call, result, performance.now() - startedAt);
    if (result.type === "ended" && deadline.ended) {
      const waitingFor = result.sent === "no" ? "connection" : "answer";
      // A read may have been sent by an earlier attempt, so report the time of all attempts.
      const beforeMs = isCreate ? (lease?.waitedMs ?? elapsedMs) : 0;

      throw this.#ended(call, result.sent, waitingFor, beforeMs);
    }

    return result;
  }

  /**
   * Cancels the attempt when the call ends. Its own time also cancels it, unless it is a create
   * that may have been sent.
   */
  #limit(attempt: Attempt, isCreate: boolean): { clear(): void } {
    const attemptTimeoutMs = this.#attemptTimeoutMs;
    const deadline = this.#deadline;

    deadline.onEnd = () => attempt.cancel();
    const giveUp = () => {
      if (!isCreate || !attempt.started) attempt.cancel();
    };

    const timer =
      attemptTimeoutMs < deadline.remainingMs ? setTimeout(giveUp, attemptTimeoutMs) : undefined;

    const clear = () => {
      clearTimeout(timer);
      deadline.onEnd = undefined;
    };

    return { clear };
  }

  /**
   * Returns how long to wait before the next attempt. @throws DomainMonitoringError if there is
   * none
   */
  #judge(call: DescribedCall, failed: FailedResult): Pause {
    const { limiter, settings } = this.#http;
    const { onEvent } = settings;
    const { method, hasOwnLimit = false } = call.operation;
    const status = failed.type === "answer" ? failed.status : undefined;
    const isOwnLimit = hasOwnLimit && status === 429;
    const decision = decide({
      method,
      outcome: failed,
      attempt: call.attempts,
      maxRetries: isOwnLimit ? 0 : this.#maxRetries,
      remainingMs: this.#deadline.remainingMs,
      now: Date.now(),
      random: Math.random(),
    });

    const { delayMs, retryAfterMs } = decision;
    const isRateLimit = status === 429 && !isOwnLimit;
    const closedMs = isRateLimit ? (delayMs ?? retryAfterMs) : undefined;

    if (closedMs !== undefined) {
      limiter.close(closedMs);
      if (settings.onRateLimit) callSafely(settings.onRateLimit, closedMs);
      if (onEvent) emit(onEvent, call, { type: "rateLimit", delayMs: closedMs });
    }

    if (delayMs === undefined) throw this.#failure(call, failed, decision);

    if (onEvent) emit(onEvent, call, { type: "retry", delayMs, status });

    // After a rate limit it is the limiter that delays all calls.
    return {
      delayMs: status === 429 ? 0 : delayMs,
      sent: failed.type === "answer" ? "no" : failed.sent,
    };
  }

  #failure(
    call: DescribedCall,
    failed: FailedResult,
    { retryAfterMs, beyondDeadline }: Decision,
  ): DomainMonitoringError {
    if (failed.type === "answer")
      return httpFailure(call, failed, retryAfterMs, beyondDeadline ? this.#deadline : undefined);

    const { sent } = failed;
    if (failed.type === "failure") return transportFailure(call, failed.error, sent);

    const waitedMs = Math.min(this.#attemptTimeoutMs, this.#deadline.milliseconds);

    return timeoutFailure(call, {
      waitedMs,
      sent,
      waitingFor: sent === "no" ? "connection" : "answer",
    });
  }

  /** @param beforeMs time that passed before what the call waited for */
  #ended(
    call: DescribedCall,
    sent: Sent,
    waitingFor: WaitingFor,
    beforeMs = 0,
  ): DomainMonitoringError {
    if (this.#deadline.ended === "aborted")
      return failure(call, "aborted", ["ended by the caller"], { sent });

    const { milliseconds } = this.#deadline;
    const waitedMs = sent === "maybe" ? milliseconds : milliseconds - beforeMs;

    return timeoutFailure(call, { waitedMs, beforeMs, sent, waitingFor });
  }
}

/** Codes of Node and undici. Any other text of the caller's error may be a secret. */
const HARMLESS_CODE = /^(E[A-Z]+|(UND_)?ERR_[A-Z_]+)$/;

/** Asks the caller's function, such as for a vault's current token. */
async function askForToken(
  ask: ApiTokenFunction,
): Promise<{ token: string } | { problem: string }> {
  let token: unknown;
  try {
    token = await ask();
  } catch (error) {
    const code = errorCode(error) ?? "";
    const named = HARMLESS_CODE.test(code) ? ` (${code})` : "";

    // Its message and its cause are hidden: they may name a token, or the vault's own secret.
    return { problem: `the function apiToken failed${named}: catch its error there to see why` };
  }

  const problem = tokenProblem(token);

  return problem === undefined
    ? { token: String(token) }
    : { problem: `the function apiToken returned no usable token: ${problem}` };
}

function readAnswer<T>(operation: Operation<T>, answer: Answer, call: DescribedCall): T {
  const { method, read, identify, ignoresBody, ifForeign = CHECK_ADDRESS } = operation;
  const { status, body, headers } = answer;
  const parsed = parseJson(body);
  const answered = `answered ${status} with`;
  if (parsed === undefined && body !== "" && isHtml(headers))
    // For a write without a status: that of a page does not prove that the service has done it.
    throw responseFailure(call, [`${answered} an HTML page instead of JSON`, ifForeign], {
      answer: method === "GET" ? answer : undefined,
    });

  if (ignoresBody) return read(undefined, call);

  const coding = headers["content-encoding"] ?? "identity";
  if (coding !== "identity") {
    const named = call.quote(String(coding), 40);
    const problem = `${answered} the content coding ${named}, which was not asked for`;

    throw responseFailure(call, [problem, SWITCH_IT_OFF], { answer });
  }

  if (parsed === undefined) {
    const what = body === "" ? "an empty body" : "text";
    throw responseFailure(call, [`${answered} ${what} instead of JSON`, ifForeign], { answer });
  }

  try {
    return read(parsed, call);
  } catch (error) {
    if (!(error instanceof UnexpectedShape)) throw error;
    const parts: MessageParts = [
      `${answered} JSON of an unexpected shape (${error.message})`,
      error.foreign ? ifForeign : MAY_HAVE_CHANGED,
    ];

    throw responseFailure(call, parts, {
      answer,
      cause: error,
      channelId: identify?.(parsed),
    });
  }
}

const SWITCH_IT_OFF = "switch it off in the service, or in a proxy in front of it";
