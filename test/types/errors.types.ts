/**
 * After a check of an error's kind, the compiler knows its properties. `tsc --noEmit` is the test,
 * as in the other files.
 */
import { DomainMonitoringError } from "../../src";
import type { DomainMonitoringFailure, OperationName, Sent } from "../../src/client";

export function theKindSaysWhichFactsAreKnown(error: unknown): unknown {
  // @ts-expect-error nothing is known of any other error
  if (!DomainMonitoringError.isInstance(error)) return error.message;

  const named: { message: string; name: "DomainMonitoringError" } = error;
  // @ts-expect-error without its kind the status may be missing
  const early: number = error.status;
  if (error.kind === "http") {
    const call: { operation: OperationName; method: string; path: string } = error;
    const facts: { status: number; attempts: number; sent: "yes" | "maybe" } = error;
    // @ts-expect-error not every answer says how long to wait
    const retryAfterMs: number = error.retryAfterMs;

    return [call, facts, retryAfterMs];
  }

  if (error.kind === "timeout" || error.kind === "transport" || error.kind === "aborted") {
    const sent: "no" | "maybe" = error.sent;
    // @ts-expect-error there was no answer
    const status: number = error.status;
    return [sent, status];
  }

  if (error.kind === "response") {
    const facts: { operation: OperationName; sent?: Sent } = error;
    // @ts-expect-error a list over several answers has no status
    const status: number = error.status;
    return [facts, status];
  }

  // @ts-expect-error an argument that is refused may belong to no operation
  const operation: OperationName = error.operation;

  return [named, early, operation];
}

export function aSwitchOverTheKindsIsExhaustive(error: DomainMonitoringFailure): string {
  switch (error.kind) {
    case "http":
      return `status ${error.status}`;
    case "transport":
    case "timeout":
    case "aborted":
      return `sent: ${error.sent}`;
    case "response":
      return error.operation;
    case "configuration":
    case "validation":
      return error.message;
    default:
      return error satisfies never;
  }
}

export function theClassIsWhatItWas(error: unknown, failure: DomainMonitoringFailure): unknown {
  const made: DomainMonitoringError = new DomainMonitoringError("http", "got 404", { status: 404 });
  const asBefore: DomainMonitoringError = failure;
  class Own extends DomainMonitoringError {}
  // @ts-expect-error there is no such kind
  new DomainMonitoringError("network", "x");
  // @ts-expect-error there is no such fact
  new DomainMonitoringError("http", "x", { code: 404 });
  if (error instanceof DomainMonitoringError) {
    const status: number | undefined = error.status;
    // @ts-expect-error facts are not to be written
    error.status = 5;
    return status;
  }

  return [made, asBefore, Own];
}
