/** Emits the events of a call to the caller's listener, redacted. Without a listener there is no observer and no cost. */

import { errorCode } from "../../common/errors";
import type { ClientEvent } from "../events";
import type { AttemptResult } from "./attempt";
import { headerText, REQUEST_ID } from "./failure";
import type { DescribedCall } from "./operation";

/** An event without the fields that all events of a call share. */
export type EventDetails = ClientEvent extends infer Event
  ? Event extends ClientEvent
    ? Omit<Event, "operation" | "method" | "path" | "attempt">
    : never
  : never;

export class Observer {
  readonly #listener: (event: ClientEvent) => void;
  readonly #redact: (text: string) => string;
  readonly #call: Pick<ClientEvent, "operation" | "method" | "path">;

  constructor(listener: (event: ClientEvent) => void, { operation, redact }: DescribedCall) {
    const { name, method, path } = operation;
    this.#listener = listener;
    this.#redact = redact;
    this.#call = { operation: name, method, path: redact(path) };
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
    try {
      this.#listener({ ...event, ...this.#call, attempt });
    } catch {
      // An error in the listener must not fail the call.
    }
  }
}
