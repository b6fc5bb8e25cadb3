/** Emits the events of a call to the caller's listener, redacted. Without a listener there is no observer and no cost. */

import { errorCode } from "../../common/errors";
import type { ClientEvent } from "../events";
import type { AttemptResult } from "./attempt";
import { headerText, REQUEST_ID, redactorOf } from "./failure";
import type { DescribedCall } from "./operation";

/** An event without the fields that all events of a call share. */
export type EventDetails = ClientEvent extends infer Event
  ? Event extends ClientEvent
    ? Omit<Event, "operation" | "method" | "path" | "attempt">
    : never
  : never;

export class Observer {
  readonly #listener: (event: ClientEvent) => void;
  readonly #call: DescribedCall;
  readonly #redact: (text: string) => string;

  constructor(listener: (event: ClientEvent) => void, call: DescribedCall) {
    this.#listener = listener;
    this.#call = call;
    this.#redact = redactorOf(call);
  }

  /** Emits how an attempt ended. */
  report(attempt: number, result: AttemptResult, durationMs: number): void {
    if (result.type === "answer") {
      const id = headerText(result.headers, REQUEST_ID, this.#redact);
      const date = headerText(result.headers, "date", this.#redact);
      this.emit(attempt, { type: "response", status: result.status, durationMs, requestId: id, date });
      return;
    }
    const sent = result.type === "oversized" ? "yes" : result.sent;
    const code = result.type === "failure" ? errorCode(result.error) : result.type;
    this.emit(attempt, { type: "failure", code, sent, durationMs });
  }

  emit(attempt: number, event: EventDetails): void {
    const { name, method, path } = this.#call.operation;
    try {
      this.#listener({ ...event, operation: name, method, path: this.#redact(path), attempt });
    } catch {
      // An error in the listener must not fail the call.
    }
  }
}
