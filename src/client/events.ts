/** Events of a client, for logs and metrics. Paths exclude the base address; nothing is secret. */
import type { OperationName, Sent } from "./errors";

interface EventBase {
  operation: OperationName;
  method: "GET" | "POST" | "PATCH" | "DELETE";
  path: string;
  /** Number of the request within the call, from 1. */
  attempt: number;
}

/** One event of a call, discriminated by `type`. */
export type ClientEvent =
  /** A request is about to be made. */
  | (EventBase & { type: "request" })
  /** An answer with any status arrived. `date` is its `Date` header: the service's clock. */
  | (EventBase & { type: "response"; status: number; durationMs: number; requestId?: string; date?: string })
  /** No answer arrived. */
  | (EventBase & { type: "failure"; code?: string; sent: Sent; durationMs: number })
  /** The request will be repeated after the delay. */
  | (EventBase & { type: "retry"; delayMs: number; status?: number })
  /** The service has set a rate limit: no call of this account is sent during the delay. */
  | (EventBase & { type: "rateLimit"; delayMs: number });
