/**
 * Turns a failed call into the error that the caller sees. The first line says what happened, then
 * what to do. `refusal.ts` has the errors for statuses, `unusable.ts` those for other responses.
 */
import { isNativeError } from "node:util/types";
import { errorCode, type Redactor, sanitizeText, sentences } from "../../common/text";
import { DomainMonitoringError, type ErrorFacts, type ErrorKind, type Sent } from "../errors";
import { canonicalId, isId, isUuid } from "../rules";
import type { Deadline } from "./limits";
import type { DescribedCall } from "./operation";
import { type Headers, isRepeatable } from "./retry";
import { connectionAdvice } from "./unreached";

/** Maximum depth of the cause chain, which may be circular. */
const DEEPEST_CAUSE = 5;

export const CHECK_ADDRESS = "check that the base address is the service's own";

const MORE_TIME = "raise the timeout (timeoutMs, or the setting timeoutSeconds)";

export function transportFailure(
  call: DescribedCall,
  error: unknown,
  sent: Sent,
): DomainMonitoringError {
  const cause = sanitizeError(error, call.redact);
  const detail = errorCode(error) ?? cause.message;
  const parts: MessageParts =
    sent === "no"
      ? [`could not reach the service (${detail})`, connectionAdvice(error)]
      : [`the connection broke before the response was complete (${detail})`, "try again"];

  return failure(call, "transport", parts, { sent, cause });
}

/**
 * The step that a call awaited at its deadline: a slot among the requests in flight, a connection,
 * or a response.
 */
export type WaitingFor = "slot" | "connection" | "response";

const TIMEOUT_MESSAGES: Record<WaitingFor, (time: string) => MessageParts> = {
  slot: (time) => [
    `no free slot within ${time}, because other requests of this account were in flight: ${MORE_TIME} or the concurrency`,
  ],
  connection: (time) => [
    `no connection within ${time}: check the base address, the network, firewalls and the proxy settings`,
  ],
  response: (time) => [`no response within ${time}`, `try again, or ${MORE_TIME}`],
};

interface Wait {
  sent: Sent;

  /** @default the response, or the connection if nothing was sent */
  waitingFor?: WaitingFor;
  waitedMs: number;

  /**
   * Time that a create had waited before that, for its turn and as the service asked. @default 0
   */
  beforeMs?: number;
}

export function timeoutFailure(
  call: DescribedCall,
  { sent, waitingFor = sent === "no" ? "connection" : "response", waitedMs, beforeMs = 0 }: Wait,
): DomainMonitoringError {
  const before = beforeMs < 1000 ? "" : `, after ${inSeconds(beforeMs)} of waiting to be sent`;

  return failure(call, "timeout", TIMEOUT_MESSAGES[waitingFor](inSeconds(waitedMs) + before), {
    sent,
  });
}

/** Such as `0.4 s`, or `27 s`. */
function inSeconds(milliseconds: number): string {
  return `${Number((milliseconds / 1000).toFixed(milliseconds < 1000 ? 3 : 1))} s`;
}

/** A rate limit met by another call lasts longer than this call may wait. */
export function rateLimitFailure(
  call: DescribedCall,
  retryAfterMs: number,
  deadline: Deadline,
): DomainMonitoringError {
  const parts: MessageParts = [
    "the service has set a rate limit",
    undefined,
    waiting(retryAfterMs, deadline),
  ];

  return failure(call, "timeout", parts, { retryAfterMs: Math.ceil(retryAfterMs), sent: "no" });
}

/** The problem, what to do about it, and what else is known. */
export type MessageParts = readonly [
  problem: string,
  advice?: string,
  ...details: (string | undefined)[],
];

/**
 * Chooses the one advice. Of a create that may have been carried out it is the operation's hint,
 * whatever else applies: to try again would create another object.
 */
export function failure(
  call: DescribedCall,
  kind: Exclude<ErrorKind, "validation">,
  [problem, advice, ...details]: MessageParts,
  facts: ErrorFacts,
): DomainMonitoringError {
  const { attempts, path, redact } = call;
  const { name, method, uncertaintyHint } = call.operation;
  const sent = call.sent ?? facts.sent;
  const hint = sent === "maybe" ? uncertaintyHint : undefined;
  const isUnclearCreate = hint !== undefined && !isRepeatable(method);
  const first = advice === undefined || isUnclearCreate ? problem : `${problem}: ${advice}`;
  const text = sentences([first, ...details, hint].filter((part) => part !== undefined));

  // A label may repeat the destination or contain a line break, so the whole message is sanitized.
  return new DomainMonitoringError(kind, sanitizeText(`${method} ${path}: ${text}`, redact, 4000), {
    operation: name,
    method,
    path,
    attempts,
    ...facts,
    sent,
  });
}

/** The wait that the service asks for. @param deadline of the call, if that is longer */
export function waiting(
  retryAfterMs: number | undefined,
  deadline: Deadline | undefined,
): string | undefined {
  if (retryAfterMs === undefined) return undefined;

  const asks = `It asks to wait ${Math.ceil(retryAfterMs / 1000)} s`;
  if (!deadline) return asks;

  const { milliseconds, toStartMs } = deadline;
  const isNew = milliseconds - toStartMs < 1000;
  const left = isNew
    ? inSeconds(milliseconds)
    : `${inSeconds(toStartMs)} left of the ${inSeconds(milliseconds)}`;

  return `${asks}, longer than the ${left} that this call may take: ${MORE_TIME}, or run again later`;
}

/** The id that the service has for a request. */
export function requestIdOf(headers: Headers, redact: Redactor): string | undefined {
  return usableId(headers["x-request-id"], redact);
}

/**
 * Drops what cannot be recorded or contains a secret. A UUID has none, even if a short secret
 * occurs in it.
 */
export function usableId(id: unknown, redact: Redactor): string | undefined {
  if (!isId(id)) return undefined;
  return isUuid(id) || redact(id) === id ? canonicalId(id) : undefined;
}

/** A plain copy of an error for use as `cause`: only name, code and redacted message. */
export function sanitizeError(error: unknown, redact: Redactor, depth = 1): Error {
  // In a `vm` context, such as a test runner's, Node's errors are not `instanceof Error`.
  const isError = error instanceof Error || isNativeError(error);
  const copy = new Error(sanitizeText(isError ? error.message : String(error), redact));

  if (isError && error.name !== "Error") copy.name = error.name;
  // The stack of a copy is meaningless and long.
  copy.stack = String(copy);
  if (!isError) return copy;

  const code = errorCode(error);

  if (code !== undefined) Object.defineProperty(copy, "code", { value: code, enumerable: true });
  if (error.cause !== undefined && depth < DEEPEST_CAUSE) {
    copy.cause = sanitizeError(error.cause, redact, depth + 1);
  }

  return copy;
}

// Meanings of statuses for experimental operations.

const NO_OPERATION = "the service does not have this operation: use the service's own settings";

const MAY_LACK_IT = "A service without this operation gives the same response";

/** For an operation on channels. */
export const CHANNEL_ADVICE: Readonly<Record<number, string>> = {
  403: "the API token lacks a permission, or the channel is protected: use a token with the required scope",
  404: `not found: check the ids of domain and channel and the base address. ${MAY_LACK_IT}`,
  405: NO_OPERATION,
};

/** For an operation on one domain. */
export const DOMAIN_ADVICE: Readonly<Record<number, string>> = {
  404: `not found: check the domain's id, the base address and whose token it is. ${MAY_LACK_IT}`,
  405: NO_OPERATION,
};

/** The way without the list. It is not known where a service shows ids. */
const BY_ID =
  "give the domain's id, a UUID: the service's own pages may show it in their address or in the domain's settings";

const NO_LIST = "the service has no list of domains here (an experimental operation)";

/** For a response that does not seem to be the list of domains. */
export const NO_DOMAIN_LIST = `${NO_LIST}: check the base address, or ${BY_ID}`;

/** For the list of domains. */
export const DOMAIN_LIST_ADVICE: Readonly<Record<number, string>> = {
  302: `a redirect, as to a login page: ${NO_DOMAIN_LIST}`,
  403: `the API token may not list domains: use a token with the required scope, or ${BY_ID}`,
  404: NO_DOMAIN_LIST,
  405: `${NO_LIST}: ${BY_ID}`,
};
