/**
 * A request to another API than the service's, such as a pipeline's platform, on the client's
 * connections: they honour proxies and follow no redirect. It is repeated as calls are.
 */
import { setTimeout } from "node:timers/promises";
import { type Answer, type AttemptResult, decide } from "./internal/retry";

export interface ExchangeRequest {
  method: "GET" | "POST" | "PATCH" | "PUT";
  url: URL;
  headers: Record<string, string>;
  body?: string;

  /** Whether a response is a rate limit, whatever its status. */
  isRateLimit: (response: Answer) => boolean;
}

const ATTEMPT_MS = 30_000;
const DEADLINE_MS = 120_000;
const MAXIMUM_RETRIES = 3;

/** Returns the last response, whatever its status. @throws the last attempt's error */
export async function exchange(request: ExchangeRequest): Promise<Answer> {
  const endsAt = performance.now() + DEADLINE_MS;
  // Loads undici, which most commands never need.
  const {
    createDispatcher,
  }: typeof import("./internal/transport") = require("./internal/transport");
  const dispatcher = createDispatcher(request.url.origin);

  const attemptOnce = async (): Promise<AttemptResult> => {
    const { url, method, headers, body } = request;
    try {
      const response = await dispatcher.request({
        origin: url.origin,
        path: url.pathname + url.search,
        method,
        headers,
        body,
        signal: AbortSignal.timeout(ATTEMPT_MS),
      });

      return {
        type: "answer",
        status: response.statusCode,
        headers: response.headers,
        body: await response.body.text(),
      };
    } catch (cause) {
      return { type: "failure", sent: "maybe", cause };
    }
  };

  try {
    for (let attempt = 1; ; attempt++) {
      const outcome = await attemptOnce();
      const isLimit = outcome.type === "answer" && request.isRateLimit(outcome);
      const { delayMs } = decide({
        // Like PATCH, PUT changes nothing more the second time.
        method: request.method === "PUT" ? "PATCH" : request.method,
        outcome: isLimit ? { ...outcome, status: 429 } : outcome,
        attempt,
        maxRetries: MAXIMUM_RETRIES,
        remainingMs: endsAt - performance.now(),
        now: Date.now(),
        random: Math.random(),
      });

      if (delayMs !== undefined) await setTimeout(delayMs);
      else if (outcome.type === "answer") return outcome;
      else throw outcome.cause;
    }
  } finally {
    await dispatcher.destroy();
  }
}
