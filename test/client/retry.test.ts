/** Whether to try again, and when: every rule as a case. */
import {
  type AttemptResult,
  decide,
  type Headers,
  retryAfter,
  type Situation,
} from "../../src/client/internal/retry";

const NOW = Date.parse("2026-01-01T12:00:00Z");
const A_DAY = 86_400_000;

function answered(status: number, headers: Headers = {}): AttemptResult {
  return { type: "response", status, headers, body: "" };
}

function situation(given: Partial<Situation>): Situation {
  const first = { method: "GET", outcome: answered(503), attempt: 1 } as const;
  return { ...first, maxRetries: 3, remainingMs: 30_000, now: NOW, random: 0.5, ...given };
}

function lost(sent: "no" | "maybe", permanent = false): AttemptResult {
  return { type: "failure", sent, permanent };
}

function isRetried(given: Partial<Situation>): boolean {
  return decide(situation(given)).delayMs !== undefined;
}

describe.each(["GET", "PATCH", "DELETE"] as const)("a %s", (method) => {
  test.each([408, 429, 499, 500, 502, 503, 504, 520, 524, 529, 598])("is retried: %i", (of) => {
    expect(isRetried({ method, outcome: answered(of) })).toBe(true);
  });

  const final = [301, 302, 400, 401, 402, 403, 404, 405, 409, 422, 501, 505];

  test.each(final)("is not retried after %i", (status) => {
    expect(decide(situation({ method, outcome: answered(status) }))).toEqual({});
  });

  test("is retried after any failure that is not permanent", () => {
    for (const sent of ["no", "maybe"] as const) {
      expect(isRetried({ method, outcome: lost(sent) })).toBe(true);
      expect(isRetried({ method, outcome: lost(sent, true) })).toBe(false);
    }
  });
});

test("there are as many retries as allowed after the first attempt", () => {
  for (const attempt of [1, 2, 3]) expect(isRetried({ attempt, maxRetries: 3 })).toBe(true);
  expect(isRetried({ attempt: 4, maxRetries: 3 })).toBe(false);
  expect(isRetried({ maxRetries: 0 })).toBe(false);
});

test("the delay doubles with every attempt up to a limit, multiplied by the jitter", () => {
  const delays = [1, 2, 3, 4, 5, 6, 7].map(
    (attempt) => decide(situation({ attempt, maxRetries: 100, random: 0.5 })).delayMs,
  );

  expect(delays).toEqual([125, 250, 500, 1000, 2000, 4000, 4000]);
});

test("there is no retry that would begin when the call is over", () => {
  expect(decide(situation({ remainingMs: 125 }))).toEqual({ beyondDeadline: true });
  expect(decide(situation({ remainingMs: 126 }))).toEqual({ delayMs: 125 });
});

describe("the delay that the service asks for", () => {
  const delayAfter = (headers: Headers, status = 429) =>
    retryAfter({ status, headers, body: "" }, NOW);

  test.each<[string | string[], number]>([
    ["7", 7000],
    [" 7 ", 7000],
    ["0.25", 250],
    ["0", 0],
    [["7", "9"], 7000],
    ["Thu, 01 Jan 2026 12:00:09 GMT", 9000],
    ["Thu, 01 Jan 2026 10:00:00 GMT", 0],
    ["Fri, 02 Jan 2026 11:00:00 GMT", A_DAY - 3_600_000],
    // A time instead of a delay, in seconds since 1970.
    [String(NOW / 1000 + 7), 7000],
    [String(NOW / 1000 - 7), 0],
    // However long the service asks to wait, it is asked again after a day.
    ["999999999", A_DAY],
  ])("is in Retry-After: %p", (value, expected) => {
    expect(delayAfter({ "retry-after": value })).toBe(expected);
  });

  test.each([
    ...["-7", "1e3", "soon", "2026-01-01T12:00:09Z", "Thu, 41 Jan 2026 12:00:09 GMT"],
    ...["at Thu, 01 Jan 2026 12:00:09 GMT", "Thu, 01 Jan 2026 12:00:09 GMT+2"],
  ])("is not in a Retry-After of %p, but may be the reset of a limit", (value) => {
    expect(delayAfter({ "retry-after": value })).toBeUndefined();
    expect(delayAfter({ "retry-after": value, "x-ratelimit-reset": "7" })).toBe(7000);
  });

  test("is reckoned by the service's own clock", () => {
    const date = "Thu, 01 Jan 2026 11:00:00 GMT";
    expect(delayAfter({ "retry-after": "Thu, 01 Jan 2026 11:00:09 GMT", date })).toBe(9000);
  });

  test.each([
    ["7", 7000],
    [String(NOW / 1000 + 7), 7000],
    [String(NOW / 1000 - 7), 0],
    // The first number of seconds that is a time and no delay.
    ["1000000000", 0],
  ])("is the reset of a limit: %s", (value, expected) => {
    expect(delayAfter({ "x-ratelimit-reset": value })).toBe(expected);
    expect(delayAfter({ "x-ratelimit-reset": value, "retry-after": "5" })).toBe(5000);
  });

  test("without one, the pauses after a 429 outlast a minute, or half of what is left each", () => {
    const pauses = (deadlineMs: number) => {
      let remainingMs = deadlineMs;
      return [1, 2, 3].map((attempt) => {
        const limited = situation({ outcome: answered(429), attempt, remainingMs, random: 0.99 });
        const { delayMs = 0 } = decide(limited);
        remainingMs -= delayMs;
        return delayMs;
      });
    };
    const sum = (delays: number[]) => delays.reduce((total, delay) => total + delay);
    expect(sum(pauses(120_000))).toBeGreaterThan(60_000);
    expect(sum(pauses(10_000))).toBeGreaterThan(8_000);
    expect(sum(pauses(10_000))).toBeLessThan(10_000);
  });

  test("is read from a 429 and a 503, except for a limit's reset on a 503", () => {
    const delays = [429, 503, 500].map((status) => delayAfter({ "retry-after": "7" }, status));
    expect(delays).toEqual([7000, 7000, undefined]);
    expect(delayAfter({ "x-ratelimit-reset": "7" }, 503)).toBeUndefined();
    expect(delayAfter({})).toBeUndefined();
  });

  test("is reported whatever the decision is", () => {
    const outcome = answered(429, { "retry-after": "7" });
    const retryAfterMs = 7000;
    const beyond = { retryAfterMs, beyondDeadline: true };
    const waiting = { retryAfterMs, delayMs: 7000 };

    expect(decide(situation({ outcome, attempt: 4 }))).toEqual({ retryAfterMs });
    expect(decide(situation({ outcome, remainingMs: 7000 }))).toEqual(beyond);
    expect(decide(situation({ outcome, remainingMs: 7001 }))).toEqual(waiting);
  });
});
