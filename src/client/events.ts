/** What a client tells about its work, for logs and metrics. Paths are without the base address; nothing is secret. */
import type { OperationName, Sent } from "./errors";

interface EventBase {
  operation: OperationName;
  method: "GET" | "POST";
  path: string;
  /** Number of the request within the call, from 1. */
  attempt: number;
}

/** One event of a call; `type` tells which. */
export type ClientEvent =
  /** A request is about to be made. */
  | (EventBase & { type: "request" })
  /** An answer came, whatever its status. */
  | (EventBase & { type: "response"; status: number; durationMs: number; requestId?: string })
  /** No answer came. */
  | (EventBase & { type: "failure"; code?: string; sent: Sent; durationMs: number })
  /** The request is made again after the delay. */
  | (EventBase & { type: "retry"; delayMs: number; status?: number })
  /** The service said to wait: no call of this account sends for so long. */
  | (EventBase & { type: "rateLimit"; delayMs: number });
