/**
 * A call ends with its deadline or its caller's signal in every phase, and what it gave up is never
 * sent later.
 */
import type { Agent } from "undici";
import type { ClientEvent, DomainMonitoringClient } from "../../src/client";
import * as transport from "../../src/client/internal/transport";
import type { CallOptions } from "../../src/client/options";
import { TEST_CERTIFICATE } from "./support/certificate";
import { closeLater, isolateTests } from "./support/cleanup";
import { CREATED_ANYWAY, clientOf, createChannel, failureOf, getDomain } from "./support/client";
import {
  answer,
  gate,
  held,
  limited,
  raw,
  type Service,
  type Step,
  stall,
  startService,
  succeed,
} from "./support/service";
import { passOn, startSocketServer } from "./support/sockets";
import { startAgent, startClient } from "./support/start";

// So that a test can replace the client's own dispatcher.
jest.mock("../../src/client/internal/transport", () => ({
  __esModule: true,
  ...jest.requireActual("../../src/client/internal/transport"),
}));

isolateTests();

/** A call that runs, its coming to the phase which is to be ended, and the service. */
interface Begun {
  running: Promise<unknown>;
  reached: Promise<unknown>;
  service?: Service;
}

/** The name of a phase, and what is known of a call that ends in it. */
type Phase = [
  name: string,
  sent: "no" | "maybe",
  attempts: number,
  requests: number,
  begin: (call: CallOptions) => Promise<Begun>,
  /** What it waits for, as the error of a deadline names it. */
  awaited?: string,
];

async function blackhole(call: CallOptions) {
  // It takes connections and says nothing, so that the TLS handshake never ends.
  const { opened: reached, open } = gate();
  const server = await startSocketServer((socket) => socket.once("data", open));
  const client = clientOf(`https://127.0.0.1:${server.port}`);
  return { running: createChannel(client, call), reached };
}

async function queued(call: CallOptions) {
  const { service, client } = await startClient([stall], { concurrency: 1 });
  const occupying = new AbortController();
  getDomain(client, { signal: occupying.signal }).catch(() => undefined);
  closeLater(() => occupying.abort());
  await service.arrived(1);
  const running = createChannel(client, call);

  return { running, reached: Promise.resolve(), service };
}

function answering(step: Step) {
  return async (call: CallOptions) => {
    const { service, client } = await startClient([step]);
    return { running: createChannel(client, call), reached: service.arrived(1), service };
  };
}

/** A call that waits as the service asks, which its deadline allows. */
function waitingAfter(status: 429 | 503, call: typeof getDomain, event: ClientEvent["type"]) {
  return async (options: CallOptions) => {
    const { opened: reached, open } = gate();
    const service = await startService([answer(status, {}, { "retry-after": "10" }), succeed]);
    const client = clientOf(service.url, { onEvent: ({ type }) => type === event && open() });
    return { running: call(client, options), reached, service };
  };
}

const partOfBody = raw('HTTP/1.1 201 Created\r\ncontent-length: 500\r\n\r\n{"da');

const phases: Phase[] = [
  ["queued", "no", 0, 1, queued, "no free slot"],
  ["connecting", "no", 1, 0, blackhole, "no connection"],
  ["waiting for headers", "maybe", 1, 1, answering(stall)],
  ["reading the body", "maybe", 1, 1, answering(partOfBody)],
];

const waits: Phase[] = [
  ["backing off", "no", 1, 1, waitingAfter(503, getDomain, "retry")],
  ["held back by a rate limit", "no", 1, 1, waitingAfter(429, createChannel, "rateLimit")],
];

/** Expects of the error of a call that was ended so, and of the service, what the phase says. */
async function expectEnded(
  { running, service }: Begun,
  kind: "aborted" | "timeout",
  [, sent, attempts, requests]: Phase,
): Promise<string> {
  const error = await failureOf(running);
  expect(error).toMatchObject({ kind, sent, attempts });
  expect(error.message.includes(CREATED_ANYWAY)).toBe(sent === "maybe");
  expect(service?.requests ?? []).toHaveLength(requests);
  expect(service?.created ?? 0).toBeLessThanOrEqual(1);

  return error.message;
}

describe("the caller's signal", () => {
  test("a signal that fired before or as the call began prevents the request", async () => {
    const { service, client } = await startClient();
    const controller = new AbortController();
    const signals = [AbortSignal.abort(), controller.signal];
    const calls = signals.map((signal) => failureOf(createChannel(client, { signal })));
    controller.abort();
    for (const error of await Promise.all(calls)) {
      expect(error).toMatchObject({ kind: "aborted", sent: "no", attempts: 0 });
      expect(error.message).toContain("ended by the caller");
    }

    expect(service.connections).toHaveLength(0);
  });

  test.each([...phases, ...waits])("ends a call while %s", async (...phase) => {
    const controller = new AbortController();
    const begun = await phase[4]({ signal: controller.signal });
    await begun.reached;
    controller.abort(new Error("whatever the caller's reason"));
    await expectEnded(begun, "aborted", phase);
  });

  test("a signal that fires after the response changes nothing, and leaves no listener", async () => {
    const { client } = await startClient();
    const { signal } = new AbortController();
    const added = jest.spyOn(signal, "addEventListener");
    const removed = jest.spyOn(signal, "removeEventListener");
    await getDomain(client, { signal });
    expect(removed).toHaveBeenCalledTimes(added.mock.calls.length);
  });
});

/** More microtasks than a call has between its entry and the dispatch of its request. */
const MICROTASKS = 10;

test.each([
  ["that begins at once", () => Promise.resolve()],
  ["that waits for the slot of another call", getDomain],
])("the caller's signal at any microtask of a create %s ends it unsent", async (_which, before) => {
  const service = await startService();
  for (let turns = 0; turns <= MICROTASKS; turns++) {
    const client = clientOf(service.url, { concurrency: 1 });
    const controller = new AbortController();
    const first = before(client);
    const failing = failureOf(createChannel(client, { signal: controller.signal }));
    await first;
    for (let turn = 0; turn < turns; turn++) await Promise.resolve();
    controller.abort();

    expect(await failing).toMatchObject({ kind: "aborted", sent: "no" });

    // A request that was written nevertheless comes in before this one.
    await getDomain(client);
    expect(service.created).toBe(0);
  }
});

test.each(phases)("the deadline ends a call while %s", async (...phase) => {
  // Loading undici may not eat up the deadline before the phase is reached.
  require("undici");
  const message = await expectEnded(await phase[4]({ timeoutMs: 400 }), "timeout", phase);

  // Less, where the time before it began to connect counts.
  expect(message).toMatch(new RegExp(`: ${phase[5] ?? "no response"} within 0\\.\\d+ s`));
});

describe("the deadline of a create", () => {
  beforeEach(async () => {
    // Loaded and connected before, as fake time would delay it.
    await getDomain((await startClient()).client);
    jest.useFakeTimers({ doNotFake: ["nextTick", "setImmediate", "queueMicrotask"] });
  });

  afterEach(() => jest.useRealTimers());

  /** A create of 30 s after a rate limit, which has taken 26 s of them. */
  async function afterLimit(then: Step) {
    const { opened: isLimited, open } = gate();
    const service = await startService([limited(26), then]);
    const client = clientOf(service.url, { timeoutMs: 30_000, onRateLimit: open });
    const creating = createChannel(client).catch((error: unknown) => error);
    await isLimited;
    await jest.advanceTimersByTimeAsync(26_000);

    return { service, creating };
  }

  test("begins again when it is sent, so that its wait does not cut the response short", async () => {
    const { opened, open } = gate();
    const { service, creating } = await afterLimit(held(opened, succeed));
    await service.arrived(2);
    await jest.advanceTimersByTimeAsync(29_000);
    open();

    expect(await creating).toMatchObject({ label: "On call" });
    expect(service.created).toBe(1);
  });

  test("the error names how long the create waited for the response, and before", async () => {
    const { service, creating } = await afterLimit(stall);
    await service.arrived(2);
    await jest.advanceTimersByTimeAsync(30_000);
    const error = await creating;

    expect(error).toMatchObject({ kind: "timeout", sent: "maybe", attempts: 2 });
    expect(String(error)).toContain("no response within 30 s, after 26 s of waiting to be sent.");
    expect(String(error)).not.toContain("try again");
  });

  test("does not begin again while it waits to be sent", async () => {
    const { service, creating } = await afterLimit(limited(5));
    const error = await creating;

    expect(error).toMatchObject({ kind: "http", status: 429, sent: "yes", attempts: 2 });
    expect(String(error)).toContain("It asks to wait 5 s, longer than the 4 s left of the 30 s");
    expect(service.requests).toHaveLength(2);
    expect(service.created).toBe(0);
  });
});

describe("a create that its caller has ended", () => {
  test("while undici queued it is never written", async () => {
    const { opened, open } = gate();
    const { service, client } = await startClient([held(opened, succeed), succeed]);
    const dispatcher = connectingWith({ connections: 1, pipelining: 1 });
    const dispatched = jest.spyOn(dispatcher, "dispatch");
    const first = getDomain(client);
    await service.arrived(1);
    await giveUp(client, () => dispatched.mock.calls.length === 2);
    open();
    await first;
    await getDomain(client);

    expect(service.requests.map(({ method }) => method)).toEqual(["GET", "GET"]);
  });

  test("while it was connecting is never written to the connection that opens later", async () => {
    const service = await startService(undefined, { tls: true });
    const { opened, open } = gate();
    const front = await startSocketServer((socket) => {
      void opened.then(() => passOn(socket, service.port));
    });
    connectingWith({ allowH2: false, connections: 1, connect: { ca: TEST_CERTIFICATE } });
    const client = clientOf(`https://127.0.0.1:${front.port}`);
    await giveUp(client, () => front.sockets.length === 1);

    // The handshake goes on where it stood; the next call is queued behind the one given up.
    const next = getDomain(client);
    open();
    await next;

    expect(service.requests.map(({ method }) => method)).toEqual(["GET"]);
    expect(service.created).toBe(0);
  });
});

/**
 * Gives the client's own transport these options: with the caller's dispatcher, a create may be
 * under way once handed over.
 */
function connectingWith(options: Agent.Options): Agent {
  const dispatcher = startAgent(options);
  jest.spyOn(transport, "createDispatcher").mockReturnValue(dispatcher);
  return dispatcher;
}

/** Creates a channel, and gives it up unsent once it is where it is wanted. */
async function giveUp(client: DomainMonitoringClient, isThere: () => boolean) {
  const controller = new AbortController();
  const failing = failureOf(createChannel(client, { signal: controller.signal }));
  while (!isThere()) await new Promise(setImmediate);
  controller.abort();

  expect(await failing).toMatchObject({ kind: "aborted", sent: "no", attempts: 1 });
}

describe("closing", () => {
  test("waits for running calls and their retries, and rejects new ones", async () => {
    const { opened, open } = gate();
    const { service, client } = await startClient([held(opened, limited(0)), succeed]);
    const running = createChannel(client);
    await service.arrived(1);
    const closing = client.close();
    const late = await failureOf(createChannel(client));

    expect(late).toMatchObject({ kind: "transport", sent: "no", attempts: 0 });
    expect(late.message).toContain("the client is closed: make a new one");

    open();
    await expect(running).resolves.toMatchObject({ label: "On call" });
    await closing;

    expect(service.created).toBe(1);
  });

  test("can be repeated at any time", async () => {
    const { service, client } = await startClient();
    await getDomain(client);
    await Promise.all([client.close(), client.close()]);
    await client.close();
    await client[Symbol.asyncDispose]();
    const unused = clientOf(service.url);
    await unused.close();
    await unused.close();
    expect(await failureOf(getDomain(unused))).toMatchObject({ kind: "transport", sent: "no" });
  });

  test("does not wait for a connection that a call has stopped waiting for", async () => {
    const controller = new AbortController();
    const server = await startSocketServer(() => controller.abort());
    const client = clientOf(`https://127.0.0.1:${server.port}`);
    await failureOf(createChannel(client, { signal: controller.signal }));
    await client.close();
    expect(server.sockets).toHaveLength(1);
  });

  test("does not close the caller's own transport", async () => {
    const dispatcher = startAgent();
    const { service, client } = await startClient([succeed], { dispatcher });
    await createChannel(client);
    await client.close();
    await expect(getDomain(clientOf(service.url, { dispatcher }))).resolves.toBeDefined();
  });
});
