/**
 * Tells the caller's listener what happens in a call, redacted. Without a listener nothing of this
 * runs.
 */
import { sanitizeText } from "../../common/text";
import type { ClientEvent, EventDetails } from "../options";
import { requestIdOf } from "./failure";
import type { DescribedCall } from "./operation";
import type { AttemptResult } from "./retry";

/** Calls a function of the caller's, whose failure, even a later one, must not fail the call. */
export function callSafely<T>(tell: (fact: T) => unknown, fact: T): void {
  try {
    const told = tell(fact);
    if (typeof told === "object") Promise.resolve(told).catch(() => undefined);
  } catch {
    // As above.
  }
}

type Listener = (event: ClientEvent) => void;

export function emit(listener: Listener, call: DescribedCall, event: EventDetails): void {
  const { name: operation, method } = call.operation;
  callSafely(listener, {
    ...event,
    operation,
    method,
    path: call.path,
    attempt: call.attempts,
  });
}

/** The event of an attempt that has ended. */
export function eventOf(
  outcome: AttemptResult,
  durationMs: number,
  { redact }: DescribedCall,
): EventDetails {
  if (outcome.type !== "response") {
    const { code, sent } = outcome;
    return { type: "failure", code, sent, durationMs };
  }

  const { status, headers } = outcome;
  const requestId = requestIdOf(headers, redact);
  const date =
    typeof headers.date === "string" ? sanitizeText(headers.date, redact, 100) : undefined;

  return { type: "response", status, durationMs, requestId, date };
}
