/**
 * The errors for statuses that are not a success: what they mean, and what the service says about
 * them, shortened and redacted.
 */

import { count, parseJson, parseUrl, sanitizeText } from "../../common/text";
import { type DomainMonitoringError, FOREIGN } from "../errors";
import { isHtml } from "./attempt";
import { failure, type MessageParts, requestIdOf, waiting } from "./failure";
import type { Deadline } from "./limits";
import type { DescribedCall } from "./operation";
import { type HttpResponse, isProxyTimeout } from "./retry";

/**
 * The service responded with an error status. @param deadline of the call, if `retryAfterMs`
 * exceeds it
 */
export function httpFailure(
  call: DescribedCall,
  response: HttpResponse,
  retryAfterMs: number | undefined,
  deadline?: Deadline,
): DomainMonitoringError {
  const { redact } = call;
  const body = readErrorBody(response.body, call);
  const fields = Object.entries(body.fieldErrors ?? {});
  const texts = fields.map(([field, lines]) => `${field}: ${lines.join(" ")}`);
  const quoted = texts.length > 0 ? sanitizeText(texts.join("; "), redact, 600) : body.reason;
  const [problem, advice] = meaning(response, call);
  const quotation = quoted ? `The service says: ${quoted}` : undefined;

  const details = [leadingTo(response), quotation, waiting(retryAfterMs, deadline)];

  const error = failure(call, "http", [problem, advice, ...details], {
    status: response.status,
    fieldErrors: body.fieldErrors,
    requestId: requestIdOf(response.headers, redact),
    retryAfterMs,
    sent: "yes",
  });

  if (isForeign(response)) FOREIGN.add(error);

  return error;
}

/** A service has no HTML page for a missing permission. */
function isForeign({ status, headers }: HttpResponse): boolean {
  return status === 403 && isHtml(headers);
}

/** Where a redirect leads. Its path may have a secret. */
function leadingTo({ status, headers }: HttpResponse): string | undefined {
  const url = status >= 300 && status < 400 ? parseUrl(String(headers.location)) : undefined;
  return url && `It leads to ${url.protocol}//${url.host}`;
}

function meaning(response: HttpResponse, call: DescribedCall): MessageParts {
  const { status } = response;
  const got = `got ${status}`;
  if (isForeign(response))
    return [
      `${got} with an HTML page, as a firewall or a proxy in front of the service does`,
      "have it let this machine through",
    ];

  if (status === 404 && /\/api$/i.test(call.pathPrefix))
    return [
      `${got}, not found: the base address ends in /api, which is added to it: leave it out there`,
    ];

  const own = call.operation.meanings?.[status];
  if (own !== undefined) return [`${got}, ${own}`];
  if (status >= 300 && status < 400)
    return [`${got}, a redirect, and redirects are not followed`, "check the base address"];

  if (status >= 500) {
    const attempts = count(call.attempts, "attempt");
    return [`${got}, a failure on the service's side, after ${attempts}`, "try again later"];
  }

  if (isProxyTimeout(status))
    return [`${got}, which a proxy sends when it stops waiting for the service`, "try again"];

  return [`${got}, ${CLIENT_ERRORS[status] ?? "the request was refused: check the arguments"}`];
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

/** Reasons and fields of the service's JSON, if present. Nothing else of a body is repeated. */
function readErrorBody(
  body: string,
  { operation, quote }: DescribedCall,
): { reason?: string; fieldErrors?: Record<string, string[]> } {
  const parsed = parseJson(body);
  const { errors } = membersOf(parsed);
  const fields = Array.isArray(errors) ? [] : Object.entries(membersOf(errors));
  const fieldErrors = new Map<string, string[]>();
  // The names that were sent are not secret, even if a destination is such a word.
  const sent = Object.keys(membersOf(parseJson(operation.body ?? "")));

  for (const [field, texts] of fields.slice(0, 20)) {
    const lines = [texts].flat().filter(isText);
    const quoted = lines.slice(0, 5).map((line) => quote(line));
    const name = sent.includes(field.replace(/\.\d{1,3}$/, "")) ? field : quote(field, 60);
    fieldErrors.set(name, [...(fieldErrors.get(name) ?? []), ...quoted]);
  }

  const reason = reasonOf(parsed);

  return {
    reason: reason === undefined ? undefined : quote(reason),
    fieldErrors: fieldErrors.size > 0 ? Object.fromEntries(fieldErrors) : undefined,
  };
}

/**
 * The reason in a body, where services put it: `message`, `detail` (RFC 9457), `error`, a string or
 * an object, or `errors`, a list of strings or objects (JSON:API).
 */
function reasonOf(body: unknown): string | undefined {
  const { message, detail, error, errors } = membersOf(body);
  const ofError = membersOf(error);
  const listed = Array.isArray(errors) ? errors.slice(0, 5).map(reasonOfEntry) : [];
  const places = [message, detail, error, ofError.message, ofError.detail];

  return places.find(isText) ?? (listed.filter(isText).join(" ") || undefined);
}

function reasonOfEntry(entry: unknown): unknown {
  const { detail, title, message } = membersOf(entry);
  return [entry, detail, title, message].find(isText);
}

function isText(value: unknown): value is string {
  return typeof value === "string" && value.trim() !== "";
}

/** The members of an object; none of any other value. */
function membersOf(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null ? { ...value } : {};
}
