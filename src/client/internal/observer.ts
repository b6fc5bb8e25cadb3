/**
 * Tells the caller's listener what happens in a call, redacted. Without a listener nothing of this
 * runs.
 */
import { sanitizeText } from "../../common/secrets";
import type { EventDetails } from "../options";
import { requestIdOf } from "./failure";
import type { DescribedCall } from "./operation";
import type { Outcome } from "./retry";

/** Calls a function of the caller's, whose failure, even a later one, must not fail the call. */
export function callSafely<T>(tell: (fact: T) => unknown, fact: T): void {
  try {
    const told = tell(fact);
    if (typeof told === "object") Promise.resolve(told).catch(() => undefined);
  } catch {
    // As above.
  }
}

export function emit(call: DescribedCall, event: EventDetails): void {
  if (!call.onEvent) return;

  const { name: operation, method } = call.operation;
  callSafely(call.onEvent, {
    ...event,
    operation,
    method,
    path: call.path,
    attempt: call.attempts,
  });
}

export function emitOutcome(call: DescribedCall, outcome: Outcome, startedAt: number): void {
  if (!call.onEvent) return;

  const durationMs = performance.now() - startedAt;
  if (outcome.type === "answer") {
    const { status, headers } = outcome;
    const requestId = requestIdOf(headers, call.redact);
    const date =
      typeof headers.date === "string" ? sanitizeText(headers.date, call.redact, 100) : undefined;

    emit(call, {
      type: "response",
      status,
      durationMs,
      requestId,
      date,
    });
  } else {
    const { code, sent } = outcome;
    emit(call, {
      type: "failure",
      code,
      sent,
      durationMs,
    });
  }
}
