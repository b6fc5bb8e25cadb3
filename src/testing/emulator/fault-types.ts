/** What a fault rule may say. `faults.ts` decides which request it hits, `breakage.ts` does what it says. */
import type { OperationName } from "./types";

/**
 * How far a request gets before its connection breaks or falls silent:
 *
 * - `before`: nothing is done and nothing is sent
 * - `after`: the work is done, nothing is sent
 * - `headers`: the work is done, status and headers are sent
 * - `body`: the work is done, status, headers and half of the body are sent
 */
export type BreakingPoint = "before" | "after" | "headers" | "body";

/** What to do wrong, to which requests and how often. All that a rule names happens to the same request. */
export interface FaultRule {
  /** @default every operation */
  operation?: OperationName;
  /** How many matching requests it hits; then it is used up. @default 1, or `"always"` with a `probability` */
  times?: number | "always";
  /** Matching requests to let pass first. @default 0 */
  after?: number;
  /** The chance that it hits a matching request, above 0 and up to 1. @default 1 */
  probability?: number;
  /** Decides which requests a `probability` hits: the same seed hits the same ones. A whole number. @default 0 */
  seed?: number;
  /** Wait this many milliseconds of real time before the work. The work is done even if the client has left. */
  delayMs?: number;
  /** Answer with this status instead of doing the work. */
  status?: number;
  /** Headers of the answer, such as `Retry-After`; without a `status` they are added to the real answer's. */
  headers?: Record<string, string>;
  /** Body of an answer with a `status`; a string is sent as `text/html`. @default `{ "message": … }` */
  body?: unknown;
  /** The answer's `Content-Type`, whatever its body is. */
  contentType?: string;
  /** Put bytes in place of the body that are neither JSON nor UTF-8. */
  garbage?: boolean;
  /** Send only this many bytes of the body, as if there were no more: the answer is whole as HTTP and cut as JSON. */
  truncate?: number;
  /** Send the body in pieces of so many bytes, one every so many milliseconds. */
  drip?: { chunkBytes: number; everyMs: number };
  /** Break the connection at this point. */
  reset?: BreakingPoint;
  /** Fall silent at this point, with the connection open until the client, `reset()` or `close()` ends it. */
  stall?: BreakingPoint;
  /** Break every connection before the work is done, and refuse new ones for this many milliseconds of real time. */
  refuseMs?: number;
}
