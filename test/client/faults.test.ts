/**
 * What goes wrong on the wire: what the caller of a read and of a create gets, how many requests the service saw, and
 * how many channels exist afterwards. No create ever leaves two.
 */
import { Agent, RetryAgent } from "undici";
import type { DomainMonitoringClient, DomainMonitoringError } from "../../src/client";
import { closeLater, isolateTests } from "./support/cleanup";
import { clientOf, createChannel, failureOf, getDomain } from "./support/client";
import {
  answer,
  fin,
  gate,
  held,
  raw,
  reset,
  type Service,
  type Step,
  stall,
  startService,
  succeed,
} from "./support/service";
import { channel, domain, page, whoisChange } from "./support/wire";

const RETRIES = 2;

isolateTests();

interface Expected {
  kind: string;
  sent: string;
  status?: number;
  /** Requests that the service saw, the same as `attempts`. */
  requests: number;
  /** First words after the path. */
  says: RegExp;
}

interface Fault {
  name: string;
  step: Step;
  get: Expected;
  post: Expected & { created: 0 | 1 };
}

const broken = {
  kind: "transport",
  sent: "maybe",
  says: /the connection broke before the answer was complete/,
};
const unreadable = { kind: "response", sent: "yes", requests: 1 };

/** The answer never came whole: a read is repeated, a create is not. */
const lost = {
  get: { ...broken, requests: 1 + RETRIES },
  post: { ...broken, requests: 1, created: 1 as const },
};

/** An answer came that says nothing usable: asking again would not help. */
function unusable(says: RegExp, status?: number): Pick<Fault, "get" | "post"> {
  const expected = { ...unreadable, says, status };
  return { get: expected, post: { ...expected, sent: "maybe", created: 1 } };
}

/** An answer that does not come from the service, which may have created the channel. */
function mayHaveDone(step: Step): Step {
  return { ...step, refuses: false };
}

/** The service refused: nothing was created. */
function refused(status: number, says: RegExp): Pick<Fault, "get" | "post"> {
  const expected = { kind: "http", sent: "yes", status, requests: 1, says };
  return { get: expected, post: { ...expected, created: 0 } };
}

/** Something in between stopped waiting: the service may have done the work. */
function gaveUp(status: number): Pick<Fault, "get" | "post"> {
  const expected = {
    kind: "http",
    status,
    says: /which a proxy sends when it stops waiting for the service/,
  };
  return {
    get: { ...expected, sent: "yes", requests: 1 + RETRIES },
    post: { ...expected, sent: "maybe", requests: 1, created: 1 },
  };
}

/** The service failed, which says nothing about what it did. */
function failed(status: number, transient: boolean): Pick<Fault, "get" | "post"> {
  const expected = {
    kind: "http",
    sent: "yes",
    status,
    requests: 1,
    says: /a failure on the service's side, after \d attempts?: try again later/,
  };
  return {
    get: { ...expected, requests: transient ? 1 + RETRIES : 1 },
    post: { ...expected, sent: "maybe", created: 1 },
  };
}

/** A redirect says nothing about what was done before it. */
function redirected(status: number): Pick<Fault, "get" | "post"> {
  const says = /a redirect, and redirects are not followed/;
  const expected = { kind: "http", status, requests: 1, says };
  return { get: { ...expected, sent: "yes" }, post: { ...expected, sent: "maybe", created: 1 } };
}

const faults: Fault[] = [
  { name: "resets after the request", step: reset, ...lost },
  { name: "hangs up after the request", step: fin, ...lost },
  {
    name: "resets in the headers",
    step: raw("HTTP/1.1 200 OK\r\ncontent-le", "reset"),
    ...lost,
  },
  {
    name: "truncates a body of known length",
    step: raw('HTTP/1.1 200 OK\r\ncontent-length: 500\r\n\r\n{"id":', "fin"),
    ...lost,
  },
  {
    name: "truncates a chunked body",
    step: raw('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n6\r\n{"id":\r\n', "fin"),
    ...lost,
  },
  {
    name: "resets in the body",
    step: raw('HTTP/1.1 200 OK\r\ncontent-length: 500\r\n\r\n{"id":', "reset"),
    ...lost,
  },
  {
    name: "truncates the body of an error response",
    step: raw('HTTP/1.1 422 Unprocessable\r\ncontent-length: 500\r\n\r\n{"me', "fin"),
    ...lost,
  },
  { name: "sends only 100 Continue", step: raw("HTTP/1.1 100 Continue\r\n\r\n", "fin"), ...lost },
  {
    name: "declares a body beyond the limit",
    step: raw(`HTTP/1.1 200 OK\r\ncontent-length: 5000\r\n\r\n${"x".repeat(5000)}`),
    ...unusable(/larger than 4000 bytes/),
  },
  {
    name: "sends a chunked body beyond the limit",
    step: raw(
      `HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n${`3e8\r\n${"x".repeat(1000)}\r\n`.repeat(5)}`,
    ),
    ...unusable(/larger than 4000 bytes/),
  },
  {
    name: "sends a body without a declared length beyond the limit",
    step: raw(`HTTP/1.1 200 OK\r\nconnection: close\r\n\r\n${"x".repeat(5000)}`),
    ...unusable(/larger than 4000 bytes/),
  },
  {
    name: "fails with a body beyond the limit",
    step: answer(500, "x".repeat(5000)),
    ...unusable(/larger than 4000 bytes/),
  },
  {
    name: "responds with an HTML page",
    step: answer(200, "<html>Welcome</html>", { "content-type": "text/html" }),
    ...unusable(/answered 200 with an HTML page instead of JSON/, 200),
  },
  { name: "responds with an empty body", step: answer(200, ""), ...unusable(/with an empty body/, 200) },
  {
    name: "responds with 204",
    step: raw("HTTP/1.1 204 No Content\r\n\r\n"),
    ...unusable(/with an empty body/, 204),
  },
  {
    name: "responds with invalid JSON",
    step: answer(200, '{"id":'),
    ...unusable(/with text instead of JSON/, 200),
  },
  {
    name: "responds with JSON of the wrong shape",
    step: answer(200, { nothing: "known" }),
    ...unusable(/with JSON of an unexpected shape/, 200),
  },
  {
    name: "responds with JSON null",
    step: answer(200, "null"),
    ...unusable(/with JSON of an unexpected shape/, 200),
  },
  {
    name: "does not speak HTTP",
    step: raw("SSH-2.0-OpenSSH_9.6\r\n"),
    ...unusable(/something other than HTTP: check that the base address/),
  },
  {
    name: "breaks the chunking",
    step: raw("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n"),
    ...unusable(/something other than HTTP: check that the base address/),
  },
  {
    name: "sends a header of 100,000 characters",
    step: raw(`HTTP/1.1 200 OK\r\nlink: ${"a".repeat(100_000)}\r\ncontent-length: 2\r\n\r\n{}`),
    ...unusable(/something other than HTTP: check that the base address/),
  },
  {
    name: "redirects",
    step: mayHaveDone(answer(302, "", { location: "https://elsewhere.invalid/" })),
    ...redirected(302),
  },
  { name: "redirects after the work", step: mayHaveDone(answer(303, "")), ...redirected(303) },
  { name: "responds with 400", step: answer(400, {}), ...refused(400, /the request was refused/) },
  { name: "responds with 401", step: answer(401, {}), ...refused(401, /the API token was not accepted/) },
  { name: "responds with 402", step: answer(402, {}), ...refused(402, /subscription/) },
  { name: "responds with 403", step: answer(403, {}), ...refused(403, /a token with the required scope/) },
  { name: "responds with 404", step: answer(404, {}), ...refused(404, /check the domain's id/) },
  { name: "responds with 422", step: answer(422, {}), ...refused(422, /the values were refused/) },
  { name: "responds with 408", step: mayHaveDone(answer(408, {})), ...gaveUp(408) },
  { name: "responds with 499", step: mayHaveDone(answer(499, {})), ...gaveUp(499) },
  { name: "responds with 500", step: answer(500, {}), ...failed(500, true) },
  { name: "responds with 501", step: answer(501, {}), ...failed(501, false) },
  {
    name: "responds with 502 with HTML",
    step: answer(502, "<html>Bad gateway</html>"),
    ...failed(502, true),
  },
];

describe.each(faults)("when the service $name", ({ step, get, post }) => {
  test("a read fails with the cause, after retries only if those may help", async () => {
    const service = await startService([step]);
    const client = clientOf(service.url, { maxRetries: RETRIES, maxResponseBytes: 4000 });
    const error = await failureOf(getDomain(client));
    expectFailure(error, get, service);
    expect(error.message).not.toContain("may have been created anyway");
  });

  test("a create is sent once, and its error says if the channel may exist", async () => {
    const service = await startService([step]);
    const client = clientOf(service.url, { maxRetries: RETRIES, maxResponseBytes: 4000 });
    const error = await failureOf(createChannel(client));
    expectFailure(error, post, service);
    expect(service.created).toBe(post.created);
    // What to check before another run is said wherever a channel may exist, and nowhere else.
    expect(/"On call" \(webhook\) of domain .* may have been created anyway/.test(error.message)).toBe(
      post.created === 1,
    );
  });
});

function expectFailure(
  error: DomainMonitoringError,
  { says, requests, ...facts }: Expected,
  service: Service,
): void {
  expect(error).toMatchObject({ kind: facts.kind, sent: facts.sent, attempts: requests });
  expect(error.status).toBe(facts.status);
  const [firstLine = ""] = error.message.split("\n");
  expect(firstLine).toMatch(/^(GET|POST) \/api\/domains\//);
  expect(firstLine).toMatch(says);
  expect(service.requests).toHaveLength(requests);
}

describe("with a dispatcher of the caller's", () => {
  test("that does not say when it writes, a lost create is not repeated", async () => {
    const service = await startService([reset]);
    const dispatcher = new Agent().compose(
      (dispatch) => (options, handler) =>
        dispatch(options, {
          onRequestStart: () => undefined,
          onResponseStart: (...given) => handler.onResponseStart?.(...given),
          onResponseData: (...given) => handler.onResponseData?.(...given),
          onResponseEnd: (...given) => handler.onResponseEnd?.(...given),
          onResponseError: (...given) => handler.onResponseError?.(...given),
        }),
    );
    closeLater(() => dispatcher.destroy());
    const error = await failureOf(createChannel(clientOf(service.url, { dispatcher })));
    expect(error).toMatchObject({ kind: "transport", sent: "maybe", attempts: 1 });
    expect([service.requests.length, service.created]).toEqual([1, 1]);
  });

  test("that repeats requests by itself, a create is sent once", async () => {
    const service = await startService([reset, succeed]);
    const agent = new Agent();
    closeLater(() => agent.destroy());
    const dispatcher = new RetryAgent(agent, { methods: ["GET", "POST"], minTimeout: 1 });
    const error = await failureOf(createChannel(clientOf(service.url, { dispatcher })));
    expect(error).toMatchObject({ kind: "transport", sent: "maybe", attempts: 1 });
    expect([service.requests.length, service.created]).toEqual([1, 1]);
  });
});

describe("on a kept-alive connection", () => {
  test("a create is not retried if the service closes the connection, as it may have received the request", async () => {
    const service = await startService([succeed, fin]);
    const client = clientOf(service.url);
    await getDomain(client);
    expect(await failureOf(createChannel(client))).toMatchObject({
      kind: "transport",
      sent: "maybe",
      attempts: 1,
    });
    expect(service.requests).toHaveLength(2);
    expect(service.created).toBe(1);
  });

  test("a create uses a new connection if the service closed the old one in between", async () => {
    const service = await startService();
    const client = clientOf(service.url);
    await getDomain(client);
    const [first] = service.connections;
    const gone = new Promise((resolve) => first?.once("close", resolve));
    first?.end();
    await gone;
    await createChannel(client);
    expect(service.requests).toHaveLength(2);
    expect(service.created).toBe(1);
  });
});

describe("a stall", () => {
  // Loaded first, so that the bound of one attempt measures the wire and not undici's start.
  async function warm(url: string, attemptTimeoutMs: number, timeoutMs: number) {
    await getDomain(clientOf(url));
    return clientOf(url, { attemptTimeoutMs, timeoutMs });
  }

  const stalls = [
    { where: "before the answer", step: stall },
    { where: "in the headers", step: raw("HTTP/1.1 200 OK\r\ncontent-") },
    { where: "in the body", step: raw('HTTP/1.1 200 OK\r\ncontent-length: 500\r\n\r\n{"id":') },
    {
      where: "in a chunked body",
      step: raw("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n1\r\n{\r\n"),
    },
  ];

  test.each(stalls)("$where ends one attempt of a read, and the next one may succeed", async ({ step }) => {
    const service = await startService([succeed, step, succeed]);
    const client = await warm(service.url, 300, 20_000);
    await expect(getDomain(client)).resolves.toMatchObject({ domain: "shop.example" });
    expect(service.requests).toHaveLength(3);
  });

  test.each(stalls)("$where in every attempt fails a read after its last attempt", async ({ step }) => {
    const service = await startService([succeed, step]);
    const client = await warm(service.url, 100, 20_000);
    const error = await failureOf(getDomain(client));
    expect(error).toMatchObject({ kind: "timeout", sent: "maybe", attempts: 3 });
    expect(error.message).toMatch(/no answer within 0\.1 s: try again, or raise the timeout \(timeoutMs/);
    expect(service.requests).toHaveLength(4);
  });

  test.each(stalls)("$where lets a create wait until its deadline, with one request", async ({ step }) => {
    const service = await startService([succeed, step]);
    const client = await warm(service.url, 150, 600);
    const error = await failureOf(createChannel(client));
    expect(error).toMatchObject({ kind: "timeout", sent: "maybe", attempts: 1 });
    expect(error.message).toMatch(/no answer within 0\.6 s.*may have been created anyway/);
    expect(service.requests).toHaveLength(2);
    expect(service.created).toBe(1);
  });

  test("that ends before the deadline does not fail a create, however short the timeout of an attempt is", async () => {
    const { opened, open } = gate();
    const service = await startService([succeed, held(opened, succeed), stall]);
    const client = await warm(service.url, 100, 20_000);
    const creating = createChannel(client);
    await service.arrived(2);
    // A read that began later has run into the bound of an attempt, so the create is past it.
    expect(await failureOf(getDomain(client))).toMatchObject({ kind: "timeout" });
    open();
    await expect(creating).resolves.toMatchObject({ label: "On call" });
    expect(service.created).toBe(1);
  });
});

describe("the service's reason for rejecting a request", () => {
  test("is quoted by field and kept in fieldErrors", async () => {
    const errors = { label: ["Too short.", "Not unique."], value: "No address." };
    const body = { message: "The given data was invalid.", errors };
    const service = await startService([answer(422, body, { "x-request-id": "req-1" })]);
    const error = await failureOf(createChannel(clientOf(service.url)));
    expect(error).toMatchObject({
      kind: "http",
      status: 422,
      requestId: "req-1",
      operation: "notificationChannels.create",
      method: "POST",
      fieldErrors: { label: ["Too short.", "Not unique."], value: ["No address."] },
    });
    expect(error.message).toContain("label: Too short. Not unique.; value: No address.");
  });

  test("is quoted in one line of limited length", async () => {
    const service = await startService([answer(403, { message: `a\nb\u001b[31m\u202e${"x".repeat(5000)}` })]);
    const { message } = await failureOf(getDomain(clientOf(service.url)));
    expect(message).toContain("The service says: a b x");
    expect(message.split("\n")).toHaveLength(1);
    expect(message.length).toBeLessThan(700);
  });

  test.each([
    ["a list of errors", { errors: ["No."] }, { 0: ["No."] }],
    ["errors that are no texts", { errors: { label: { deep: 1 } } }, { label: [] }],
    ["errors that are no object", { errors: "No." }, undefined],
    ["a message that is no text", { message: { text: "No." } }, undefined],
    ["a JSON text", '"No."', undefined],
    ["no JSON", "No.", undefined],
  ])("may be %s", async (_name, body, fieldErrors) => {
    const service = await startService([answer(422, body)]);
    const error = await failureOf(getDomain(clientOf(service.url)));
    expect(error).toMatchObject({ kind: "http", status: 422 });
    expect(error.fieldErrors).toEqual(fieldErrors);
  });

  test("cannot change a prototype", async () => {
    const service = await startService([
      answer(422, '{"errors":{"__proto__":["No."],"constructor":["No."]}}'),
    ]);
    const { fieldErrors } = await failureOf(getDomain(clientOf(service.url)));
    expect(Object.getPrototypeOf(fieldErrors)).toBe(Object.prototype);
    expect(Object.keys(fieldErrors ?? {})).toEqual(["__proto__", "constructor"]);
  });
});

test("a base address that ends in /api is named where nothing is found", async () => {
  const service = await startService([answer(404, {})]);
  const { message } = await failureOf(getDomain(clientOf(`${service.url}/api`)));
  expect(service.requests[0]?.path).toMatch(/^\/api\/api\/domains/);
  expect(message).toContain(
    "not found: the base address ends in /api, which is added to it: leave it out there",
  );
});

test("a byte order mark before the JSON is skipped", async () => {
  const service = await startService([
    answer(201, `\ufeff${JSON.stringify({ data: channel() })}`),
    answer(422, `\ufeff${JSON.stringify({ message: "No." })}`),
  ]);
  const client = clientOf(service.url);
  await expect(createChannel(client)).resolves.toMatchObject({ label: "On call" });
  expect((await failureOf(createChannel(client))).message).toContain("The service says: No.");
});

test("the id of a channel is kept if the rest of the response cannot be used", async () => {
  const service = await startService([answer(201, { data: { id: "channel-1" } })]);
  const error = await failureOf(createChannel(clientOf(service.url)));
  expect(error).toMatchObject({ kind: "response", status: 201, channelId: "channel-1", sent: "yes" });
  expect(error.message).toContain("The channel was created with the id channel-1");
  expect(service.created).toBe(1);
});

describe("the first line of an error about a response of the wrong shape", () => {
  async function messageFor(body: unknown, call: typeof getDomain = getDomain): Promise<string> {
    const service = await startService([answer(200, body)]);
    const error = await failureOf(call(clientOf(service.url)));
    expect(error).toMatchObject({ kind: "response", status: 200 });
    return error.message;
  }

  test("names the field and what was expected, without its value, and suspects a change of the service", async () => {
    const { components, ...rest } = domain();
    const dns = { ...(components as { dns: object }).dns, is_enabled: "s3cr3t" };
    const message = await messageFor({ ...rest, components: { ...(components as object), dns } });
    expect(message).toContain(
      "(components.dns.is_enabled: expected a boolean): the service may have changed",
    );
    expect(message).not.toContain("s3cr3t");
    expect(message).not.toContain("base address");
  });

  test("names three fields and counts the others", async () => {
    const message = await messageFor(
      domain({ label: 17, updated_at: null, created_at: 1, id: 2, domain: [] }),
    );
    expect(message).toContain(
      "(id: expected a string; label: expected a string; domain: expected a string; 2 more)",
    );
  });

  test("says where in a list the field is", async () => {
    const rows = [whoisChange("a"), whoisChange("b", { domain_id: true })];
    const list = (client: DomainMonitoringClient) => client.whoisChanges.list("d");
    expect(await messageFor(page(rows), list)).toContain("(data.1.domain_id: expected a number or a string)");
  });

  test.each([
    ["JSON of something else", { status: "ok" }],
    ["a list", []],
    ["null", "null"],
  ])("suspects the base address if the response is %s", async (_name, body) => {
    expect(await messageFor(body)).toMatch(/of an unexpected shape \(.+\): check that the base address/);
  });
});

describe("another origin", () => {
  test("gets no request if a redirect points to it", async () => {
    const elsewhere = await startService();
    for (const status of [301, 302, 303, 307, 308]) {
      const service = await startService([answer(status, "", { location: `${elsewhere.url}/api` })]);
      const client = clientOf(service.url);
      expect(await failureOf(getDomain(client))).toMatchObject({ kind: "http", status, attempts: 1 });
      expect(await failureOf(createChannel(client))).toMatchObject({ kind: "http", status, attempts: 1 });
      expect(service.requests).toHaveLength(2);
    }
    expect(elsewhere.connections).toHaveLength(0);
  });
});
