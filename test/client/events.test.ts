/** The events of an observer, in order; and that observing changes nothing. */
import assert from "node:assert";
import type { ClientEvent } from "../../src/client";
import { isolateTests } from "./support/cleanup";
import { createChannel, DESTINATION, failureOf, getDomain, TOKEN } from "./support/client";
import { answer, limited, reset, type Step, succeed } from "./support/service";
import { startAgent, startClient } from "./support/start";
import { DOMAIN_ID } from "./support/wire";

isolateTests();

async function eventsOf(steps: Step[], call: typeof getDomain): Promise<ClientEvent[]> {
  const events: ClientEvent[] = [];
  const { client } = await startClient(steps, { onEvent: (event) => events.push(event) });
  await call(client).catch(() => undefined);
  return events;
}

const durationMs = expect.any(Number);
/** The date of the server that runs here. */
const date = expect.any(String) as string;
const path = `/api/domains/${DOMAIN_ID}`;
const get = { operation: "domains.get", method: "GET", path };
const channels = `${path}/notification-channels`;
const post = { operation: "notificationChannels.create", method: "POST", path: channels };

test("a retry is emitted between the response and the next request", async () => {
  const failing = answer(503, {}, { "x-request-id": "req-1" });
  const response = { ...get, type: "response", durationMs, date };

  expect(await eventsOf([failing, succeed], getDomain)).toEqual([
    { ...get, attempt: 1, type: "request" },
    { ...response, attempt: 1, status: 503, requestId: "req-1" },
    { ...get, attempt: 1, type: "retry", delayMs: 0, status: 503 },
    { ...get, attempt: 2, type: "request" },
    { ...response, attempt: 2, status: 200, requestId: undefined },
  ]);
});

test("a rate limit is emitted before the retry", async () => {
  const events = await eventsOf([limited(0), succeed], createChannel);
  const types = events.map(({ type, attempt }) => `${type} ${attempt}`).join(", ");
  expect(types).toBe("request 1, response 1, rateLimit 1, retry 1, request 2, response 2");
});

test("a rate limit is also emitted if it ends the call", async () => {
  const events = await eventsOf([limited(3600)], getDomain);
  expect(events.slice(2)).toEqual([{ ...get, attempt: 1, type: "rateLimit", delayMs: 3_600_000 }]);
});

test("a failure includes its code and whether the request was sent", async () => {
  expect(await eventsOf([reset], createChannel)).toEqual([
    { ...post, attempt: 1, type: "request" },
    { ...post, attempt: 1, type: "failure", code: "ECONNRESET", sent: "maybe", durationMs },
  ]);
});

test.each<[when: string, fail: () => unknown]>([
  ["at once", () => assert.fail("broken observer")],
  ["later", () => Promise.reject(new Error("broken observer"))],
])("an observer that fails %s breaks neither the call nor the process", async (_when, fail) => {
  const onEvent = jest.fn(fail);
  const onRateLimit = jest.fn(fail);
  const { client } = await startClient([limited(0), succeed], { onEvent, onRateLimit });
  await expect(getDomain(client)).resolves.toBeDefined();
  expect(onEvent).toHaveBeenCalledTimes(6);
  // Once, with the milliseconds to wait.
  expect(onRateLimit.mock.calls).toEqual([[0]]);
});

test("an observer that ends the call before its request keeps it from being handed over", async () => {
  const controller = new AbortController();
  const dispatcher = startAgent();
  const dispatch = jest.spyOn(dispatcher, "dispatch");
  const onEvent = () => controller.abort();
  const { client } = await startClient([succeed], { dispatcher, onEvent });
  const failing = createChannel(client, { signal: controller.signal });
  expect(await failureOf(failing)).toMatchObject({ kind: "aborted", sent: "no" });
  expect(dispatch).not.toHaveBeenCalled();
});

test("no event contains the token or the destination, even if the service echoes them", async () => {
  const secretHeaders = { "x-request-id": `${TOKEN} ${encodeURIComponent(DESTINATION)}` };
  const refusal = answer(422, { message: TOKEN }, secretHeaders);
  const notFound = answer(404, {}, { "x-request-id": TOKEN });
  const events: ClientEvent[] = [];
  const onEvent = (event: ClientEvent) => events.push(event);
  const { client } = await startClient([refusal, notFound], { onEvent });
  await failureOf(createChannel(client));
  // Pasted where an id belongs.
  await failureOf(client.domains.get(TOKEN));
  const text = JSON.stringify(events);
  expect(events).toHaveLength(4);
  expect(text).not.toContain(TOKEN);
  expect(text).not.toContain(encodeURIComponent(DESTINATION));
});
