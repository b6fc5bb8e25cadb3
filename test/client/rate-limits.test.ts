/**
 * 429: what the service asks for is obeyed by all calls of the account, and nobody runs into the
 * same wall twice. Every form of what it asks for: test/client/retry.test.ts.
 */
import type { DomainMonitoringClient } from "../../src/client";
import { isolateTests } from "./support/cleanup";
import { clientOf, createChannel, failureOf, getDomain } from "./support/client";
import { answer, gate, held, limited, succeed } from "./support/service";
import { failureFrom, startClient } from "./support/start";

isolateTests();

/** On a busy machine a second of the call's time may be over. */
const BEYOND =
  / s, longer than the ([\d.]+ s left of the )?20 s that this call may take: raise the timeout \(timeoutMs, or the setting/;

test.each([getDomain, createChannel])("a shorter deadline fails at once: %p", async (call) => {
  const { service, client } = await startClient([limited(30), succeed]);
  const error = await failureOf(call(client));

  expect(error).toMatchObject({ kind: "http", status: 429, sent: "yes", attempts: 1 });
  expect(error.retryAfterMs).toBe(30_000);
  expect(error.message).toContain("It asks to wait 30 s");
  expect(error.message).toMatch(BEYOND);

  // And whoever comes next is told the same without asking.
  const next = await failureOf(call(client));
  expect(next).toMatchObject({ kind: "timeout", sent: "no", attempts: 0 });
  expect(next.retryAfterMs).toBeLessThanOrEqual(30_000);
  expect(next.message).toContain("the service has set a rate limit. It asks to wait ");
  expect(next.message).toMatch(BEYOND);
  expect(service.requests).toHaveLength(1);
  expect(service.created).toBe(0);
});

test("429 without a time is retried with back-off, as often as retries allow", async () => {
  // Each pause is half of what is left.
  const limits = { timeoutMs: 1000 };
  const { error, service } = await failureFrom([answer(429, {})], createChannel, limits);

  expect(error).toMatchObject({ kind: "http", status: 429, sent: "yes", attempts: 3 });
  expect(error.message).toContain("lower the concurrency or try again later");
  expect(error.retryAfterMs).toBeUndefined();
  expect(service.requests).toHaveLength(3);
  expect(service.created).toBe(0);
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
    const { service, client } = await startClient([limited(3600), succeed], { concurrency: 1 });
    const results = await Promise.all(storm([client], 5).map(failureOf));
    expect(results.map(({ attempts }) => attempts)).toEqual([1, 0, 0, 0, 0]);
    expect(service.requests).toHaveLength(1);
  });

  test("make only as many requests as were in flight, for two clients of one account", async () => {
    const { opened, open } = gate();
    const { service, client } = await startClient([held(opened, limited(3600))]);
    const calls = storm([client, clientOf(service.url)], 40).map(failureOf);
    await service.arrived(8);
    open();
    const errors = await Promise.all(calls);

    expect(errors.filter(({ status }) => status === 429)).toHaveLength(8);
    expect(errors.filter(({ kind, sent }) => kind === "timeout" && sent === "no")).toHaveLength(32);
    expect(service.requests).toHaveLength(8);
    expect(service.created).toBe(0);
  });
});
