/**
 * Faults on the wire: the result of a read and of a create, how many requests the service saw, and
 * how many channels exist afterwards. No create ever leaves two.
 */
import { Agent, RetryAgent } from "undici";
import type { DomainMonitoringError } from "../../src/client";
import { closeLater, isolateTests } from "./support/cleanup";
import {
  CREATED_ANYWAY,
  clientOf,
  createChannel,
  failureFrom,
  failureOf,
  getDomain,
} from "./support/client";
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
import { channel, DOMAIN_ID, domain } from "./support/wire";

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

/** Advice that would lead to another create before anybody has looked for the first. */
const OTHER_ADVICE = /try again|run again later|raise the|check that|check the|update this/;

/** The outcome of a fault. */
interface Outcome {
  advice?: string;
  get: Expected;
  post: Expected & { created: 0 | 1 };
}

/** The answer never came whole: a read is repeated, a create is not. */
const lost = outcome("transport", /the connection broke before the response was complete \(.+\)/, {
  advice: ": try again",
  sent: "maybe",
  repeated: true,
});

/** An answer came that says nothing usable: asking again would not help. */
const unusable = (says: RegExp, status?: number) =>
  outcome("response", says, {
    status,
    advice: ": check that the base address is the service's own",
  });

const foreign = /with JSON of an unexpected shape \(.+\)/;
const noHttp = unusable(/something other than HTTP/);
const tooLarge = unusable(/larger than 4000 bytes/);

/** A page of something in front of the service. Of a write its status does not count. */
const page = (status: number): Outcome => {
  const seen = unusable(/HTML/, status);
  return { ...seen, post: { ...seen.post, status: undefined } };
};

/** The service refused: nothing was created. */
const refused = (status: number, says: RegExp) => outcome("http", says, { status, created: 0 });

/** Something in between stopped waiting: the service may have done the work. */
const gaveUp = (status: number) =>
  outcome("http", /which a proxy sends when it stops waiting for the service/, {
    status,
    repeated: true,
    advice: ": try again",
  });

/** The service failed, which says nothing about what it did. */
const failed = (status: number, repeated: boolean) =>
  outcome("http", /a failure on the service's side, after \d attempts?/, {
    status,
    repeated,
    advice: ": try again later",
  });

/** A redirect says nothing about what was done before it. */
const redirected = (status: number) =>
  outcome("http", /a redirect, and redirects are not followed/, {
    status,
    advice: ": check the base address",
  });

interface Facts {
  status?: number;

  /** Advice about a read. */
  advice?: string;

  /** Whether a read was sent. @default yes */
  sent?: string;

  /** Whether a read is. @default false */
  repeated?: boolean;

  /** Channels that a create may leave. @default 1 */
  created?: 0 | 1;
}

function outcome(kind: string, says: RegExp, facts: Facts): Outcome {
  const { status, advice, sent = "yes", repeated = false, created = 1 } = facts;
  return {
    advice,
    get: { kind, says, status, sent, requests: repeated ? 1 + RETRIES : 1 },
    post: { kind, says, status, sent: created === 1 ? "maybe" : "yes", requests: 1, created },
  };
}

/** An answer that does not come from the service, which may have created the channel. */
function mayHaveDone(step: Step): Step {
  return { ...step, refuses: false };
}

const CHUNKED = "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n";
const PART = 'HTTP/1.1 200 OK\r\ncontent-length: 500\r\n\r\n{"id":';
const chunks = `3e8\r\n${"x".repeat(1000)}\r\n`.repeat(5);
const html = { "content-type": "text/html" };

const faults: [name: string, step: Step, outcome: Outcome][] = [
  ["resets after the request", reset, lost],
  ["hangs up after the request", fin, lost],
  ["resets in the headers", raw("HTTP/1.1 200 OK\r\ncontent-le", "reset"), lost],
  ["truncates a body of known length", raw(PART, "fin"), lost],
  ["truncates a chunked body", raw(`${CHUNKED}6\r\n{"id":\r\n`, "fin"), lost],
  ["resets in the body", raw(PART, "reset"), lost],
  ["truncates the body of an error response", raw(PART.replace("200 OK", "422 No"), "fin"), lost],
  ["sends only 100 Continue", raw("HTTP/1.1 100 Continue\r\n\r\n", "fin"), lost],
  [
    "declares a body beyond the limit",
    raw(`HTTP/1.1 200 OK\r\ncontent-length: 5000\r\n\r\n${"x".repeat(5000)}`),
    tooLarge,
  ],
  ["sends a chunked body beyond the limit", raw(CHUNKED + chunks), tooLarge],
  [
    "sends a body without a declared length beyond the limit",
    raw(`HTTP/1.1 200 OK\r\nconnection: close\r\n\r\n${"x".repeat(5000)}`),
    tooLarge,
  ],
  ["fails with a body beyond the limit", answer(500, "x".repeat(5000)), tooLarge],
  ["responds with an HTML page", answer(200, "<html>", html), page(200)],
  ["responds with an HTML page for a create", answer(201, "<html>", html), page(201)],
  [
    "responds with a content coding that was not asked for",
    answer(200, domain(), { "content-encoding": "gzip" }),
    outcome("response", /got 200 with the content coding gzip, which was not asked for/, {
      status: 200,
      advice: ": switch it off in the service, or in a proxy in front of it",
    }),
  ],
  ["responds with an empty body", answer(200, ""), unusable(/with an empty body/, 200)],
  [
    "responds with 204",
    raw("HTTP/1.1 204 No Content\r\n\r\n"),
    unusable(/with an empty body/, 204),
  ],
  ["responds with invalid JSON", answer(200, '{"id":'), unusable(/with text instead of JSON/, 200)],
  ["responds with JSON of something else", answer(200, { status: "ok" }), unusable(foreign, 200)],
  ["responds with a JSON list", answer(200, []), unusable(foreign, 200)],
  ["responds with JSON null", answer(200, "null"), unusable(foreign, 200)],
  ["does not speak HTTP", raw("SSH-2.0-OpenSSH_9.6\r\n"), noHttp],
  ["breaks the chunking", raw(`${CHUNKED}zz\r\n`), noHttp],
  [
    "sends a header of 100,000 characters",
    raw(`HTTP/1.1 200 OK\r\nx: ${"a".repeat(1e5)}\r\n\r\n`),
    noHttp,
  ],
  ["redirects", mayHaveDone(answer(302, "")), redirected(302)],
  ["redirects after the work", mayHaveDone(answer(303, "")), redirected(303)],
  ["responds with 400", answer(400, {}), refused(400, /the request was refused/)],
  ["responds with 401", answer(401, {}), refused(401, /the API token was not accepted/)],
  ["responds with 402", answer(402, {}), refused(402, /subscription/)],
  ["responds with 403", answer(403, {}), refused(403, /a token with the required scope/)],
  [
    "responds with 403 and an HTML page",
    answer(403, "<html>", html),
    refused(
      403,
      /with an HTML page, as a firewall or a proxy in front of the service does: have it let/,
    ),
  ],
  ["responds with 404", answer(404, {}), refused(404, /check the domain's id/)],
  ["responds with 422", answer(422, {}), refused(422, /the values were refused/)],
  ["responds with 408", mayHaveDone(answer(408, {})), gaveUp(408)],
  ["responds with 499", mayHaveDone(answer(499, {})), gaveUp(499)],
  ["responds with 500", answer(500, {}), failed(500, true)],
  ["responds with 501", answer(501, {}), failed(501, false)],
  ["responds with 502 with HTML", answer(502, "<html>Bad gateway</html>"), failed(502, true)],
];

describe.each(faults)("when the service %s", (_name, step, { advice = "", get, post }) => {
  const options = { maxRetries: RETRIES, maxResponseBytes: 4000 };

  test("a read fails with the cause, after retries only if those may help", async () => {
    const { error, service } = await failureFrom([step], getDomain, options);
    expectFailure(error, get, service);
    expect(error.message).toContain(advice);
    expect(error.message).not.toContain(CREATED_ANYWAY);
  });

  test("a create is sent once, and its error says if the channel may exist", async () => {
    const { error, service } = await failureFrom([step], createChannel, options);
    expectFailure(error, post, service);

    expect(service.created).toBe(post.created);
    // The advice to look before another run comes wherever a channel may exist, and nowhere else.
    expect(error.message.includes(CREATED_ANYWAY)).toBe(post.created === 1);

    if (post.created === 1) expect(error.message).not.toMatch(OTHER_ADVICE);
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
  test("a lost create is not repeated if the dispatcher does not report when it writes", async () => {
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

    expect(service.requests).toHaveLength(1);
    expect(service.created).toBe(1);
  });

  test("a create is sent once even if the dispatcher repeats requests by itself", async () => {
    const service = await startService([reset, succeed]);
    const agent = new Agent();
    closeLater(() => agent.destroy());
    const dispatcher = new RetryAgent(agent, { methods: ["GET", "POST"], minTimeout: 1 });
    const error = await failureOf(createChannel(clientOf(service.url, { dispatcher })));

    expect(error).toMatchObject({ kind: "transport", sent: "maybe", attempts: 1 });

    expect(service.requests).toHaveLength(1);
    expect(service.created).toBe(1);
  });
});

describe("on a kept-alive connection", () => {
  test("a create is not retried if the service closes the connection, because it may have received the request", async () => {
    const service = await startService([succeed, fin]);
    const client = clientOf(service.url);
    await getDomain(client);
    const error = await failureOf(createChannel(client));

    expect(error).toMatchObject({ kind: "transport", sent: "maybe", attempts: 1 });

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
  async function warm(url: string, attemptTimeoutMs: number) {
    await getDomain(clientOf(url));
    return clientOf(url, { attemptTimeoutMs });
  }

  test.each([
    ["before the answer", stall],
    ["in the headers", raw("HTTP/1.1 200 OK\r\ncontent-")],
    ["in the body", raw(PART)],
    ["in a chunked body", raw(`${CHUNKED}1\r\n{\r\n`)],
  ])("%s ends each attempt of a read, which fails after the last one", async (_where, step) => {
    const service = await startService([succeed, step]);
    const client = await warm(service.url, 300);
    const error = await failureOf(getDomain(client));

    expect(error).toMatchObject({ kind: "timeout", sent: "maybe", attempts: 3 });

    expect(error.message).toMatch(
      /no response within 0\.3 s: try again, or raise the timeout \(timeoutMs/,
    );

    expect(service.requests).toHaveLength(4);
  });

  test("a stall that ends before the deadline does not fail a create, however short the timeout of an attempt is", async () => {
    const { opened, open } = gate();
    const service = await startService([succeed, held(opened, succeed), stall]);
    const client = await warm(service.url, 100);
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
    const { error } = await failureFrom(
      [answer(422, body, { "x-request-id": "req-1" })],
      createChannel,
    );

    const fieldErrors = { ...errors, value: ["No address."] };

    expect(error).toMatchObject({
      kind: "http",
      status: 422,
      requestId: "req-1",
      method: "POST",
      fieldErrors,
    });

    expect(error.message).toContain("label: Too short. Not unique.; value: No address.");
  });

  test("is quoted in one line of limited length", async () => {
    const long = `a\nb \u001b[31m \u202e ${"word ".repeat(1000)}`;
    const { message } = (await failureFrom([answer(403, { message: long })])).error;

    expect(message).toContain("The service says: a b word ");
    expect(message.split("\n")).toHaveLength(1);
    expect(message.length).toBeLessThan(700);
  });

  test.each([
    ["a list of errors", { errors: ["No."] }, undefined],
    ["errors that are no texts", { errors: { label: { deep: 1 } } }, { label: [] }],
    ["errors that are no object", { errors: "No." }, undefined],
    ["a message that is no text", { message: { text: "No." } }, undefined],
    ["a JSON text", '"No."', undefined],
    ["no JSON", "No.", undefined],
  ])("may be %s", async (_name, body, fieldErrors) => {
    const { error } = await failureFrom([answer(422, body)]);

    expect(error).toMatchObject({ kind: "http", status: 422 });
    expect(error.fieldErrors).toEqual(fieldErrors);
  });

  test.each([
    ["detail", { type: "about:blank", title: "Bad", detail: "Too long." }],
    ["error", { error: "Too long." }],
    ["error.message", { error: { code: 4, message: "Too long." } }],
    ["errors[].detail", { errors: [{ status: "422", title: "Bad", detail: "Too long." }] }],
    ["errors[]", { message: "", errors: ["Too", { title: "long." }] }],
  ])("may stand in %s", async (_place, body) => {
    const { error } = await failureFrom([answer(422, body)]);

    expect(error.message).toMatch(/The service says: Too long\.$/);
  });

  test("cannot change a prototype", async () => {
    const body = '{"errors":{"__proto__":["No."],"constructor":["No."]}}';
    const { fieldErrors } = (await failureFrom([answer(422, body)])).error;

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

test.each([
  ["channel-1", { id: "channel-1" }],
  ["4711", channel({ id: 4711 })],
  ["0", channel({ id: 0 })],
])("the id %s of a channel is kept if its response cannot be used", async (id, data) => {
  const { error, service } = await failureFrom([answer(201, { data })], createChannel);

  expect(error).toMatchObject({ kind: "response", status: 201, channelId: id, sent: "yes" });

  expect(error.message).toContain(`The channel was created with the id ${id}`);
  expect(service.created).toBe(1);
});

test.each([2 ** 53, -1, 1.5, true])(
  "the id %j, which may be another one than the service has, is not given to a channel",
  async (id) => {
    const { error } = await failureFrom([answer(201, { data: channel({ id }) })], createChannel);

    expect(error).toMatchObject({ kind: "response", sent: "maybe" });
    expect(error).not.toHaveProperty("channelId");
    expect(error.message).toContain(CREATED_ANYWAY);
  },
);

describe("the first line of an error about a response of the wrong shape", () => {
  async function messageFor(body: unknown, call: typeof getDomain = getDomain): Promise<string> {
    const { error } = await failureFrom([answer(200, body)], call);

    expect(error).toMatchObject({ kind: "response", status: 200 });

    return error.message;
  }

  test("names the field and what was expected, but not its value", async () => {
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
});

test.each([300, 303, 399, 408, 499, 500, 502, 503, 504, 507, 520, 599])(
  "a create that got %i has one advice, whatever it is asked to wait",
  async (status) => {
    const step = answer(status, { message: "Busy." }, { "retry-after": "5" });
    const { error } = await failureFrom([step], createChannel);

    expect(error).toMatchObject({ status, sent: "maybe", attempts: 1 });
    expect(error.message).toContain(CREATED_ANYWAY);
    expect(error.message).not.toMatch(OTHER_ADVICE);
  },
);

test("a create that may have been made says what to look for, and where", async () => {
  const { error } = await failureFrom([answer(500, {})], createChannel);

  expect(error.message).toContain(
    `The channel "On call" (webhook) of domain ${DOMAIN_ID} may have been created anyway: look for it in the service before`,
  );
});

test("a create that is refused is told how to go on", async () => {
  const { error } = await failureFrom([answer(429, {})], createChannel, { maxRetries: 0 });

  expect(error).toMatchObject({ status: 429, sent: "yes" });
  expect(error.message).toContain("lower the concurrency or try again later");
});

test("every request asks for a response without a content coding", async () => {
  const service = await startService();
  const client = clientOf(service.url);
  await getDomain(client);
  await createChannel(client);

  expect(service.requests.map(({ headers }) => headers["accept-encoding"])).toEqual([
    "identity",
    "identity",
  ]);
});

test("another origin gets no request if a redirect points to it", async () => {
  const other = await startService();
  for (const status of [301, 302, 303, 307, 308]) {
    const step = answer(status, "", { location: `${other.url}/api` });
    for (const call of [getDomain, createChannel]) {
      const { error } = await failureFrom([step], call);

      expect(error).toMatchObject({ kind: "http", status });
      expect(error.message).toContain(`. It leads to ${other.url}`);
      expect(error.message).not.toContain(`${other.url}/`);
    }
  }

  expect(other.connections).toHaveLength(0);
});
