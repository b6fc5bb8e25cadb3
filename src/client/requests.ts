/** Options that every call takes. */

/** Options of one call. */
export interface CallOptions {
  /** Ends the call, even while it is queued, connecting or waiting to retry. */
  signal?: AbortSignal;

  /**
   * Deadline of the whole call in milliseconds, as the client's `timeoutMs`. @default the client's
   * `timeoutMs`
   */
  timeoutMs?: number;

  /** Further attempts after the first; 0 for none. @default the client's `maxRetries` */
  maxRetries?: number;

  /**
   * Further secrets, removed from every text of the service. @internal the client knows its token
   * and the call's own destinations
   */
  secrets?: readonly string[];
}
