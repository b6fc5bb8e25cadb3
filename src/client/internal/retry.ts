/**
 * Decides whether to retry, and when. Pure.
 *
 * GET, PATCH and DELETE have the same effect once or twice, so they may be repeated. A POST creates
 * another channel each time, so it is repeated only if nothing was created: the service responded
 * with 429, or no byte of the request was written.
 */
import type { Sent } from "../errors";
import type { Method } from "./operation";

/**
 * Statuses below 500 after which a repeatable request is retried. 499 is nginx's for a client that
 * closed the connection.
 */
const TRANSIENT = new Set([408, 429, 499]);

/** Statuses from 500 on that are not retried: not implemented, HTTP version not supported. */
const PERMANENT = new Set([501, 505]);

/** A service that asks for more is asked again after a day. */
const LONGEST_REQUESTED_MS = 86_400_000;

const BASE_DELAY_MS = 250;
const MAXIMUM_DELAY_MS = 8_000;
const LIMIT_PAUSE_MS = 6_000;

export interface HttpResponse {
  status: number;
  headers: Headers;
  body: string;
}

/** Headers of a response, by lower-case name. */
export type Headers = Record<string, string | string[] | undefined>;

/** How an attempt ended. */
export type AttemptResult = ({ type: "response" } & HttpResponse) | FailedAttempt;

/** No response came, it cannot be read (`unusable`), or the attempt was ended from outside. */
export interface FailedAttempt {
  type: "failure" | "unusable" | "ended";
  sent: Sent;

  /** The reason that an event reports. */
  code?: string;

  /** Whether another attempt would end in the same way. @default false */
  permanent?: boolean;
  cause?: unknown;
}

/** Whether a second request changes nothing more than the first one. */
export function isRepeatable(method: Method): boolean {
  return method !== "POST";
}

/**
 * Whether a failed write was carried out: `maybe`, unless it was not sent, or was refused (`yes`: a
 * response came).
 */
export function sentAfter(method: Method, outcome: AttemptResult): Sent {
  if (outcome.type !== "response") return outcome.sent;

  const { status } = outcome;
  // A service may lack an experimental operation, and say so in this way.
  if (isRepeatable(method) && PERMANENT.has(status)) return "yes";

  return status < 400 || status >= 500 || isProxyTimeout(status) ? "maybe" : "yes";
}

/** Statuses that a proxy sends when it stops waiting for the service. */
export function isProxyTimeout(status: number): boolean {
  return status === 408 || status === 499;
}

export interface Situation {
  method: Method;
  outcome: AttemptResult;

  /** Requests made so far, this one included. */
  attempt: number;
  maxRetries: number;
  remainingMs: number;

  /**
   * System time in milliseconds since 1970, for responses that state a time but have no `Date`
   * header.
   */
  now: number;

  /** In [0, 1): the jitter. */
  random: number;
}

export interface Decision {
  /** Time until the next attempt; undefined if there is none. */
  delayMs?: number;

  /** Time that the service requested to wait, regardless of the decision. */
  retryAfterMs?: number;

  /** Whether there is no next attempt as the call would be over. */
  beyondDeadline?: boolean;
}

export function decide(situation: Situation): Decision {
  const { outcome, attempt, maxRetries, remainingMs, now, random } = situation;
  const retryAfterMs = outcome.type === "response" ? retryAfter(outcome, now) : undefined;
  if (!mayRepeat(situation) || attempt > maxRetries) return { retryAfterMs };

  // A delay requested by the service is used as it is, without jitter.
  const isLimit = outcome.type === "response" && outcome.status === 429;
  const pauseMs = isLimit ? limitPause(attempt, remainingMs, random) : backOff(attempt, random);
  const delayMs = retryAfterMs ?? pauseMs;
  if (delayMs >= remainingMs) return { retryAfterMs, beyondDeadline: true };

  return { delayMs, retryAfterMs };
}

function mayRepeat({ method, outcome }: Situation): boolean {
  if (outcome.type === "response") {
    return isRepeatable(method) ? isTransient(outcome.status) : outcome.status === 429;
  }

  if (outcome.permanent) return false;

  return isRepeatable(method) || outcome.sent === "no";
}

function isTransient(status: number): boolean {
  return status >= 500 ? !PERMANENT.has(status) : TRANSIENT.has(status);
}

/** Exponential with full jitter: between zero and the limit, so that many callers spread out. */
function backOff(attempt: number, random: number): number {
  return random * Math.min(BASE_DELAY_MS * 2 ** (attempt - 1), MAXIMUM_DELAY_MS);
}

/**
 * After a rate limit that names no time: three pauses of some 80 seconds together, because many
 * limits are for a minute, but at most half of what is left of the call, so that it is asked again
 * in time.
 */
function limitPause(attempt: number, remainingMs: number, random: number): number {
  const pauseMs = LIMIT_PAUSE_MS * 3 ** (attempt - 1);
  return Math.min(pauseMs, remainingMs / 2) * (1 - random / 10);
}

/**
 * The delay that the service requested, in milliseconds: `Retry-After`, else, for a 429,
 * `X-RateLimit-Reset` (on a 503 it describes a limit that was not reached). Undefined if there is
 * none, and for other statuses.
 */
export function retryAfter({ status, headers }: HttpResponse, now: number): number | undefined {
  if (status !== 429 && status !== 503) return undefined;

  const header = (name: string) => [headers[name]].flat()[0];
  // Prefer the service's clock: the local one may be wrong.
  const clock = httpDate(header("date")) ?? now;
  const given = header("retry-after");
  const date = httpDate(given);
  const stated = date === undefined ? delayOf(given, clock) : Math.max(0, date - clock);
  const reset = status === 429 ? delayOf(header("x-ratelimit-reset"), clock) : undefined;
  const delay = stated ?? reset;

  return delay === undefined ? undefined : Math.min(delay, LONGEST_REQUESTED_MS);
}

/**
 * Plain decimal seconds from now, or since 1970, as milliseconds from now: a delay of thirty years
 * must be the latter.
 */
function delayOf(value: string | undefined, clock: number): number | undefined {
  if (value === undefined || !/^\d{1,12}(\.\d{1,6})?$/.test(value.trim())) return undefined;

  const delay = Number(value) * 1000;
  const thirtyYears = 1e12;

  return delay < thirtyYears ? delay : Math.max(0, delay - clock);
}

/** An HTTP-date (RFC 9110, section 5.6.7), strictly, because `Date.parse` accepts far more. */
const HTTP_DATE = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;

function httpDate(value: string | undefined): number | undefined {
  if (value === undefined || !HTTP_DATE.test(value)) return undefined;

  const instant = Date.parse(value);

  return Number.isNaN(instant) ? undefined : instant;
}
