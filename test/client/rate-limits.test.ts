/** 429: what the service asks for is obeyed by all calls of the account, and nobody runs into the same wall twice. */
import type { DomainMonitoringClient } from "../../src/client";
import { startEmulator } from "../../src/testing/emulator";
import { closeLater, isolateTests } from "./support/cleanup";
import { clientOf, createChannel, failureOf, getDomain } from "./support/client";
import { answer, gate, held, type Step, startService, succeed } from "./support/service";

isolateTests();

const NOON = "Thu, 01 Jan 2026 12:00:00 GMT";
const NOON_SECONDS = Date.parse(NOON) / 1000;

// Every form: test/client/retry.test.ts.
const asked: [string, Step, number][] = [
  ["Retry-After in seconds", answer(429, {}, { "retry-after": "30" }), 30_000],
  [
    "a time by the service's own clock",
    answer(429, {}, { "x-ratelimit-reset": String(NOON_SECONDS + 33), date: NOON }),
    33_000,
  ],
];

describe.each(asked)("with %s", (_name, step, retryAfterMs) => {
  test.each([
    ["read", getDomain],
    ["create", createChannel],
  ])("a %s whose deadline is shorter fails at once and says how long to wait", async (_kind, call) => {
    const service = await startService([step, succeed]);
    const client = clientOf(service.url);
    const error = await failureOf(call(client));
    expect(error).toMatchObject({ kind: "http", status: 429, sent: "yes", attempts: 1, retryAfterMs });
    expect(error.message).toContain(
      `It asks to wait ${retryAfterMs / 1000} s, longer than the 20 s that this call may take: raise the timeout (timeoutMs, as a setting timeoutSeconds)`,
    );
    // And whoever comes next is told the same without asking.
    const next = await failureOf(call(client));
    expect(next).toMatchObject({ kind: "timeout", sent: "no", attempts: 0 });
    expect(next.retryAfterMs).toBeLessThanOrEqual(retryAfterMs);
    expect(next.message).toMatch(
      /the service has set a rate limit\. It asks to wait \d+ s, longer than the 20 s that this call may take: raise/,
    );
    expect(service.requests).toHaveLength(1);
    expect(service.created).toBe(0);
  });
});

test.each(["0", NOON])(
  "a create that has to wait until %p is sent again, and creates one channel",
  async (value) => {
    const service = await startService([answer(429, {}, { "retry-after": value, date: NOON }), succeed]);
    await expect(createChannel(clientOf(service.url))).resolves.toMatchObject({ label: "On call" });
    expect(service.requests).toHaveLength(2);
    expect(service.created).toBe(1);
  },
);

test("429 without a time is retried with back-off, as often as retries allow", async () => {
  const service = await startService([answer(429, {})]);
  const error = await failureOf(createChannel(clientOf(service.url)));
  expect(error).toMatchObject({ kind: "http", status: 429, sent: "yes", attempts: 3 });
  expect(error.retryAfterMs).toBeUndefined();
  expect(service.requests).toHaveLength(3);
  expect(service.created).toBe(0);
});

test("the last 429 of a call still delays the other calls", async () => {
  const service = await startService([answer(429, {}, { "retry-after": "3600" }), succeed]);
  const client = clientOf(service.url, { maxRetries: 0 });
  await failureOf(getDomain(client));
  expect(await failureOf(getDomain(client))).toMatchObject({ kind: "timeout", attempts: 0 });
  expect(service.requests).toHaveLength(1);
});

test("the times in a 503 are respected, except the reset of a limit that was not reached", async () => {
  const obeyed = await startService([answer(503, {}, { "retry-after": "30" }), succeed]);
  expect(await failureOf(getDomain(clientOf(obeyed.url)))).toMatchObject({
    status: 503,
    retryAfterMs: 30_000,
  });
  // Services send X-RateLimit-* with every answer.
  const passing = await startService([answer(503, {}, { "x-ratelimit-reset": "30" }), succeed]);
  await expect(getDomain(clientOf(passing.url))).resolves.toMatchObject({ domain: "shop.example" });
  expect(passing.requests).toHaveLength(2);
});

describe("many calls at a rate limit", () => {
  /** Reads and creates in turn, from two clients of one account. */
  function storm(clients: DomainMonitoringClient[], count: number): Promise<unknown>[] {
    return Array.from({ length: count }, (_, index) => {
      const client = clients[index % clients.length] as DomainMonitoringClient;
      return index % 3 === 0 ? createChannel(client) : getDomain(client);
    });
  }

  test("do not pass on a slot before the length of the rate limit is known", async () => {
    const service = await startService([answer(429, {}, { "retry-after": "3600" }), succeed]);
    const client = clientOf(service.url, { concurrency: 1 });
    const results = await Promise.all(storm([client], 5).map(failureOf));
    expect(results.map(({ attempts }) => attempts)).toEqual([1, 0, 0, 0, 0]);
    expect(service.requests).toHaveLength(1);
  });

  test("make only as many requests as were in flight, for two clients of one account", async () => {
    const { opened, open } = gate();
    const service = await startService([held(opened, answer(429, {}, { "retry-after": "3600" }))]);
    const clients = [clientOf(service.url), clientOf(service.url)];
    const calls = storm(clients, 40).map(failureOf);
    await service.arrived(8);
    open();
    const errors = await Promise.all(calls);
    expect(errors.filter(({ status }) => status === 429)).toHaveLength(8);
    expect(errors.filter(({ kind, sent }) => kind === "timeout" && sent === "no")).toHaveLength(32);
    expect(service.requests).toHaveLength(8);
    expect(service.created).toBe(0);
  });

  test("continue when the rate limit ends, and none earlier", async () => {
    const wallMs = 60;
    let wallUntil = 0;
    let early = 0;
    const { opened, open } = gate();
    let count = 0;
    const step: Step = {
      refuses: true,
      run(exchange) {
        if (performance.now() < wallUntil) early++;
        if (++count > 8) return succeed.run(exchange);
        void opened.then(() => {
          wallUntil = performance.now() + wallMs;
          exchange.answer(429, { retry_after: wallMs / 1000 });
        });
      },
    };
    const service = await startService([step]);
    const clients = [clientOf(service.url), clientOf(service.url)];
    const calls = storm(clients, 40);
    await service.arrived(8);
    open();
    await Promise.all(calls);
    expect(early).toBe(0);
    expect(service.requests).toHaveLength(48);
  });

  test("do not delay another account, nor the same account at another address", async () => {
    const limited = await startService([answer(429, {}, { "retry-after": "3600" }), succeed]);
    const other = await startService();
    await failureOf(getDomain(clientOf(limited.url)));
    await expect(getDomain(clientOf(limited.url, { apiToken: "another" }))).resolves.toBeDefined();
    await expect(getDomain(clientOf(other.url))).resolves.toBeDefined();
  });
});

describe("a client that waits for rate limits (maxRateLimitWaitMs)", () => {
  const limited = (delay: string) => answer(429, {}, { "retry-after": delay });
  /** No further attempts: each 429 would end a call. */
  const waiting = { maxRetries: 0, maxRateLimitWaitMs: 60_000 };

  test("repeats a read as often as the service asks, without counting it", async () => {
    const service = await startService([...Array(5).fill(limited("0.001")), answer(503, {}), succeed]);
    const client = clientOf(service.url, waiting);
    expect(await failureOf(getDomain(client))).toMatchObject({ status: 503, attempts: 6 });
    expect(service.requests).toHaveLength(6);
    await expect(getDomain(client)).resolves.toMatchObject({ domain: "shop.example" });
  });

  test("repeats only the page of a list that met the limit", async () => {
    const emulator = await startEmulator({
      lifecycle: "managed",
      managed: { perPage: 1 },
      domains: ["a.example", "b.example", "c.example"].map((domain) => ({ domain })),
    });
    closeLater(() => emulator.close());
    const { domains } = clientOf(emulator.url, { apiToken: emulator.token, ...waiting, concurrency: 1 });
    const list = async () => {
      const names: string[] = [];
      for await (const { domain } of domains.iterate()) names.push(domain);
      return names;
    };
    const names = await list();
    const undisturbed = emulator.requests.length;
    emulator.fault({ after: 1, times: 7, status: 429, headers: { "Retry-After": "0.001" } });
    expect(await list()).toEqual(names);
    expect(emulator.requests).toHaveLength(2 * undisturbed + 7);
  });

  test("waits longer than the deadline, whether it was asked to or another call was", async () => {
    const service = await startService([limited("59")]);
    const ending = new AbortController();
    const { opened: waits, open } = gate();
    const client = clientOf(service.url, {
      ...waiting,
      onEvent: ({ type }) => type === "retry" && open(),
    });
    const call = { signal: ending.signal };
    const calls = [failureOf(getDomain(client, call))];
    await waits;
    for (const timeoutMs of [20_000, 1]) calls.push(failureOf(getDomain(client, { ...call, timeoutMs })));
    setImmediate(() => ending.abort());
    // A call that gave up would have ended with the rate limit.
    for (const failure of await Promise.all(calls)) expect(failure.kind).toBe("aborted");
    expect(service.requests).toHaveLength(1);
  });

  test.each([
    ["a delay as long as the wait", "60", {}],
    ["no delay", "0", {}],
    ["a call that does not wait", "0.001", { maxRateLimitWaitMs: 0 }],
  ])("fails at once with %s", async (_, delay, call) => {
    const service = await startService([limited(delay), succeed]);
    expect(await failureOf(getDomain(clientOf(service.url, waiting), call))).toMatchObject({ status: 429 });
    expect(service.requests).toHaveLength(1);
  });

  test("sends a create no more often than without", async () => {
    const service = await startService([limited("0.001"), limited("0.001"), succeed]);
    const client = clientOf(service.url, { ...waiting, maxRetries: 1 });
    expect(await failureOf(createChannel(client))).toMatchObject({ status: 429, attempts: 2 });
    expect([service.requests.length, service.created]).toEqual([2, 0]);
  });

  test("gives up when the service has answered nothing else for so long", async () => {
    const service = await startService([limited("0.01")]);
    const client = clientOf(service.url, { ...waiting, maxRateLimitWaitMs: 100 });
    expect(await failureOf(getDomain(client))).toMatchObject({ status: 429, retryAfterMs: 10 });
    // The next call does not begin anew.
    const before = service.requests.length;
    expect(await failureOf(getDomain(client))).toMatchObject({ status: 429 });
    expect(service.requests).toHaveLength(before + 1);
  });
});

test("there are no more requests in flight than the lowest concurrency of the account's clients", async () => {
  let inFlight = 0;
  let most = 0;
  const { opened, open } = gate();
  const step: Step = {
    run(exchange) {
      most = Math.max(most, ++inFlight);
      void opened.then(() => {
        inFlight--;
        succeed.run(exchange);
      });
    },
  };
  const service = await startService([step]);
  const wide = clientOf(service.url, { concurrency: 8 });
  const narrow = clientOf(service.url, { concurrency: 3 });
  const calls = Array.from({ length: 20 }, (_, index) => getDomain(index % 2 ? wide : narrow));
  await service.arrived(3);
  open();
  await Promise.all(calls);
  expect(most).toBe(3);
});
