/**
 * Turns a failed call into the error that the caller sees. The first line says what happened, then
 * what to do; the service's own message is shortened and redacted.
 */
import { isNativeError } from "node:util/types";
import { errorCode } from "../../common/errors";
import { isId, isUuid } from "../../common/ids";
import { type Redactor, sanitizeText } from "../../common/secrets";
import { count, parseJson, sentences } from "../../common/text";
import { DomainMonitoringError, type ErrorFacts, type ErrorKind, type Sent } from "../errors";
import type { Deadline } from "./deadline";
import { type DescribedCall, isRepeatable } from "./operation";
import { type Answer, type Headers, isProxyTimeout } from "./retry";
import { connectionAdvice } from "./unreached";

/** Maximum depth of the cause chain, which may be circular. */
const DEEPEST_CAUSE = 5;

export const CHECK_ADDRESS = "check that the base address is the service's own";

const MORE_TIME = "raise the timeout (timeoutMs, as a setting timeoutSeconds)";

/**
 * Thrown by an operation's `read` for JSON of the wrong shape. Its message names fields, never
 * values.
 */
export class UnexpectedShape extends Error {
  /**
   * @param foreign whether the answer has none of the expected fields, so that it is probably not
   * the service's
   */
  constructor(
    message: string,
    readonly foreign: boolean,
  ) {
    super(message);
  }
}

/**
 * The service answered with an error status. @param deadline of the call, if `retryAfterMs` exceeds
 * it
 */
export function httpFailure(
  call: DescribedCall,
  answer: Answer,
  retryAfterMs: number | undefined,
  deadline?: Deadline,
): DomainMonitoringError {
  const { redact } = call;
  const body = readErrorBody(answer.body, call);
  const fields = Object.entries(body.fieldErrors ?? {});
  const texts = fields.map(([field, lines]) => `${field}: ${lines.join(" ")}`);
  const quoted = texts.length > 0 ? sanitizeText(texts.join("; "), redact, 600) : body.message;
  const [problem, advice] = meaning(answer, call);
  const quotation = quoted ? `The service says: ${quoted}` : undefined;

  return failure(call, "http", [problem, advice, quotation, waiting(retryAfterMs, deadline)], {
    status: answer.status,
    fieldErrors: body.fieldErrors,
    requestId: requestIdOf(answer.headers, redact),
    retryAfterMs,
    sent: "yes",
  });
}

/** The answer does not match the interface. The message contains no values. */
export function responseFailure(
  call: DescribedCall,
  [problem, advice]: MessageParts,
  known: { answer?: Answer; cause?: unknown; channelId?: string } = {},
): DomainMonitoringError {
  const { answer, cause } = known;
  const { redact } = call;
  const channelId = usableId(known.channelId, redact);
  const created = known.channelId && createdWith(channelId);

  return failure(call, "response", [problem, advice, created], {
    status: answer?.status,
    requestId: answer && requestIdOf(answer.headers, redact),
    channelId,
    sent: channelId === undefined && call.operation.method !== "GET" ? "maybe" : "yes",
    cause: cause === undefined ? undefined : sanitizeError(cause, redact),
  });
}

function createdWith(id: string | undefined): string {
  return id === undefined
    ? "The channel was created with an id that cannot be recorded"
    : `The channel was created with the id ${id}`;
}

/**
 * Drops what cannot be recorded or contains a secret. A UUID has none, even if a short secret
 * occurs in it.
 */
export function usableId(id: string | undefined, redact: Redactor): string | undefined {
  if (!isId(id)) return undefined;
  return isUuid(id) || redact(id) === id ? id : undefined;
}

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
      : [`the connection broke before the answer was complete (${detail})`, "try again"];

  return failure(call, "transport", parts, { sent, cause });
}

/**
 * The step that a call awaited at its deadline: a slot among the requests in flight, the token, a
 * connection, or an answer.
 */
export type WaitingFor = "slot" | "token" | "connection" | "answer";

const TIMEOUT_MESSAGES: Record<WaitingFor, (time: string) => MessageParts> = {
  slot: (time) => [
    `no free slot within ${time}, as other requests of this account were in flight: ${MORE_TIME} or the concurrency`,
  ],
  token: (time) => [
    `the function apiToken returned no token within ${time}: see what it waits for`,
  ],
  connection: (time) => [
    `no connection within ${time}: check the base address, the network, firewalls and the proxy settings`,
  ],
  answer: (time) => [`no answer within ${time}`, `try again, or ${MORE_TIME}`],
};

interface Wait {
  sent: Sent;
  waitingFor: WaitingFor;
  waitedMs: number;

  /**
   * Time that a create had waited before that, for its turn and as the service asked. @default 0
   */
  beforeMs?: number;
}

export function timeoutFailure(
  call: DescribedCall,
  { sent, waitingFor, waitedMs, beforeMs = 0 }: Wait,
): DomainMonitoringError {
  const before = beforeMs < 1000 ? "" : `, after ${seconds(beforeMs)} of waiting to be sent`;

  return failure(call, "timeout", TIMEOUT_MESSAGES[waitingFor](seconds(waitedMs) + before), {
    sent,
  });
}

/** Such as `0.4 s`, or `27 s`. */
function seconds(milliseconds: number): string {
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
  const { operation, attempts, redact } = call;
  const { name, method, uncertaintyHint } = operation;
  const path = redact(operation.path);
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

function meaning(answer: Answer, call: DescribedCall): MessageParts {
  const { status, headers } = answer;
  const answered = `answered ${status}`;
  if (status === 403 && isHtml(headers))
    return [
      `${answered} with an HTML page, as a firewall or a proxy in front of the service does`,
      "have it let this machine through",
    ];

  if (status === 404 && /\/api$/i.test(call.pathPrefix))
    return [
      `${answered}, not found: the base address ends in /api, which is added to it: leave it out there`,
    ];

  const own = call.operation.meanings?.[status];
  if (own !== undefined) return [`${answered}, ${own}`];
  if (status >= 300 && status < 400)
    return [`${answered}, a redirect, and redirects are not followed`, "check the base address"];

  if (status >= 500) {
    const attempts = count(call.attempts, "attempt");
    return [`${answered}, a failure on the service's side, after ${attempts}`, "try again later"];
  }

  if (isProxyTimeout(status))
    return [`${answered}, which a proxy sends when it stops waiting for the service`, "try again"];

  return [
    `${answered}, ${CLIENT_ERRORS[status] ?? "the request was refused: check the arguments"}`,
  ];
}

/** These statuses say that nothing was done. */
const CLIENT_ERRORS: Record<number, string> = {
  401: "the API token was not accepted: check that it is current and belongs to this base address",
  402: "the account's subscription does not cover this: check the subscription",
  403: "the API token lacks a permission: use a token with the required scope",
  404: "not found: check the domain's id, the base address and whose token it is",
  422: "the values were refused: correct them",
  429: "too many requests: lower the concurrency or try again later",
};

/** Whether the body is for browsers, as that of another server in front of the service. */
export function isHtml({ "content-type": type }: Headers): boolean {
  return /html/i.test(String(type));
}

function waiting(
  retryAfterMs: number | undefined,
  deadline: Deadline | undefined,
): string | undefined {
  if (retryAfterMs === undefined) return undefined;

  const asks = `It asks to wait ${Math.ceil(retryAfterMs / 1000)} s`;
  if (!deadline) return asks;

  const { milliseconds, remainingMs } = deadline;
  const isNew = milliseconds - remainingMs < 1000;
  const left = isNew
    ? seconds(milliseconds)
    : `${seconds(remainingMs)} left of the ${seconds(milliseconds)}`;

  return `${asks}, longer than the ${left} that this call may take: ${MORE_TIME}, or run again later`;
}

/** The id that the service has for a request, unless it is none or has a secret. */
export function requestIdOf(headers: Headers, redact: Redactor): string | undefined {
  const id = headers["x-request-id"];
  return isId(id) && redact(id) === id ? id : undefined;
}

/** `message` and `errors` of the service's JSON, if present. Nothing else of a body is repeated. */
function readErrorBody(
  body: string,
  { operation, quote }: DescribedCall,
): { message?: string; fieldErrors?: Record<string, string[]> } {
  // An object even if the body is null or no JSON.
  const { message, errors }: { message?: unknown; errors?: unknown } = Object(parseJson(body));
  const fields = typeof errors === "object" ? Object.entries(errors ?? {}) : [];
  const fieldErrors = new Map<string, string[]>();
  // The names that were sent are not secret, even if a destination is such a word.
  const sent = Object.keys(Object(parseJson(operation.body ?? "")));

  for (const [field, texts] of fields.slice(0, 20)) {
    const lines = [texts].flat().filter((text) => typeof text === "string");
    const quoted = lines.slice(0, 5).map((line) => quote(line));
    const name = sent.includes(field.replace(/\.\d{1,3}$/, "")) ? field : quote(field, 60);
    fieldErrors.set(name, [...(fieldErrors.get(name) ?? []), ...quoted]);
  }

  return {
    message: typeof message === "string" ? quote(message) : undefined,
    fieldErrors: fieldErrors.size > 0 ? Object.fromEntries(fieldErrors) : undefined,
  };
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
