/**
 * A request to another API than the service's, such as that of a pipeline's platform, on the
 * client's connections: they honour proxies and follow no redirect. It is repeated as calls are.
 */
import { setTimeout } from "node:timers/promises";
import { type Answer, decide, type Outcome } from "./internal/retry";

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

  const attemptOnce = async (): Promise<Answer> => {
    const { url, method, headers, body } = request;
    const response = await dispatcher.request({
      origin: url.origin,
      path: url.pathname + url.search,
      method,
      headers,
      body,
      signal: AbortSignal.timeout(ATTEMPT_MS),
    });

    return {
      status: response.statusCode,
      headers: response.headers,
      body: await response.body.text(),
    };
  };

  try {
    for (let attempt = 1; ; attempt++) {
      const [result] = await Promise.allSettled([attemptOnce()]);
      const { delayMs } = decide({
        // Like PATCH, PUT changes nothing more the second time.
        method: request.method === "PUT" ? "PATCH" : request.method,
        outcome: outcomeOf(result, request),
        attempt,
        maxRetries: MAXIMUM_RETRIES,
        remainingMs: endsAt - performance.now(),
        now: Date.now(),
        random: Math.random(),
      });

      if (delayMs !== undefined) await setTimeout(delayMs);
      else if (result.status === "fulfilled") return result.value;
      else throw result.reason;
    }
  } finally {
    await dispatcher.destroy();
  }
}

function outcomeOf(
  result: PromiseSettledResult<Answer>,
  { isRateLimit }: ExchangeRequest,
): Outcome {
  if (result.status === "rejected") return { type: "failure", sent: "maybe" };

  const response = result.value;
  const status = isRateLimit(response) ? 429 : response.status;

  return { type: "answer", ...response, status };
}
