/**
 * Tells the caller's listener what happens in a call, redacted. Without a listener nothing of this
 * runs.
 */
import { sanitizeText } from "../../common/secrets";
import type { ClientEvent, EventDetails } from "../options";
import type { AttemptResult } from "./attempt";

import type { DescribedCall } from "./operation";
import { requestIdOf } from "./refusal";

type Listener = (event: ClientEvent) => void;

/** Calls a function of the caller's, whose failure, even a later one, must not fail the call. */
export function callSafely<T>(tell: (fact: T) => unknown, fact: T): void {
  try {
    const told = tell(fact);
    if (typeof told === "object") Promise.resolve(told).catch(() => undefined);
  } catch {
    // As above.
  }
}

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

export function emitResult(
  listener: Listener,
  call: DescribedCall,
  result: AttemptResult,
  durationMs: number,
): void {
  if (result.type === "answer") {
    const { status, headers } = result;
    const requestId = requestIdOf(headers, call.redact);
    const date =
      typeof headers.date === "string" ? sanitizeText(headers.date, call.redact, 100) : undefined;

    emit(listener, call, {
      type: "response",
      status,
      durationMs,
      requestId,
      date,
    });
  } else {
    const { code, sent } = result;
    emit(listener, call, {
      type: "failure",
      code,
      sent,
      durationMs,
    });
  }
}
