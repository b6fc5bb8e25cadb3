/**
 * Faults on the wire: the result of a read and of a create, how many requests the service saw, and
 * how many channels exist afterwards. No create ever leaves two.
 */
import { RetryAgent } from "undici";
import { isolateTests } from "./support/cleanup";
import { CREATED_ANYWAY, clientOf, createChannel, failureOf, getDomain } from "./support/client";
import {
  answer,
  fin,
  gate,
  held,
  raw,
  reset,
  type Step,
  stall,
  startService,
  succeed,
} from "./support/service";
import { failureFrom, startAgent, startClient } from "./support/start";
import { channel, DOMAIN_ID, domain, domainWith } from "./support/wire";

isolateTests();

/** Advice that would lead to another create before anybody has looked for the first. */
const OTHER_ADVICE = /try again|run again later|raise the|check that|check the|update this/;

/** The outcome of a fault for a read; of a create, see below. */
interface Outcome {
  kind: string;

  /** First words after the path. */
  says: RegExp;
  status?: number;
  advice?: string;

  /** @default "yes" */
  sent?: "maybe";
  isRepeated?: boolean;

  /** Nothing was created. Every other outcome may leave a channel. */
  isRefused?: true;

  /** Of something in front of the service: of a create its status does not count. */
  isPage?: true;
}

/** The answer never came whole: a read is repeated, a create is not. */
const lost: Outcome = {
  kind: "transport",
  says: /the connection broke before the response was complete \(.+\)/,
  advice: ": try again",
  sent: "maybe",
  isRepeated: true,
};

/** An answer came that says nothing usable: asking again would not help. */
const unusable = (says: RegExp, status?: number): Outcome => {
  const advice = ": check that the base address is the service's own";
  return { kind: "response", says, status, advice };
};

const foreign = unusable(/with JSON of an unexpected shape \(.+\)/, 200);
const noHttp = unusable(/something other than HTTP/);
const tooLarge = unusable(/larger than 4000 bytes/);
const page = (status: number): Outcome => ({ ...unusable(/HTML/, status), isPage: true });

/** The service refused: nothing was created. */
const refused = (says: RegExp): Outcome => ({ kind: "http", says, isRefused: true });

/** Something in between stopped waiting: the service may have done the work. */
const gaveUp: Outcome = {
  kind: "http",
  says: /which a proxy sends when it stops waiting for the service/,
  isRepeated: true,
  advice: ": try again",
};

/** The service failed, which says nothing about what it did. */
const failed = (isRepeated: boolean): Outcome => {
  const says = /a failure on the service's side, after \d attempts?/;
  return { kind: "http", says, isRepeated, advice: ": try again later" };
};

/** A redirect says nothing about what was done before it. */
const redirected: Outcome = {
  kind: "http",
  says: /a redirect, and redirects are not followed/,
  advice: ": check the base address",
};

const OK = "HTTP/1.1 200 OK\r\n";
const CHUNKED = `${OK}transfer-encoding: chunked\r\n\r\n`;
const PART = `${OK}content-length: 500\r\n\r\n{"id":`;
const LARGE = "x".repeat(5000);
const chunks = `3e8\r\n${"x".repeat(1000)}\r\n`.repeat(5);
const html = { "content-type": "text/html" };
const FIREWALL =
  /with an HTML page, as a firewall or a proxy in front of the service does: have it/;

const faults: [name: string, step: Step, outcome: Outcome][] = [
  ["resets after the request", reset, lost],
  ["hangs up after the request", fin, lost],
  ["resets in the headers", raw(`${OK}content-le`, reset), lost],
  ["truncates a body of known length", raw(PART, fin), lost],
  ["truncates a chunked body", raw(`${CHUNKED}6\r\n{"id":\r\n`, fin), lost],
  ["resets in the body", raw(PART, reset), lost],
  ["truncates the body of an error response", raw(PART.replace("200 OK", "422 No"), fin), lost],
  ["sends only 100 Continue", raw("HTTP/1.1 100 Continue\r\n\r\n", fin), lost],
  ["declares a large body", raw(`${OK}content-length: 5000\r\n\r\n${LARGE}`), tooLarge],
  ["sends a large chunked body", raw(CHUNKED + chunks), tooLarge],
  ["sends a large body of no length", raw(`${OK}connection: close\r\n\r\n${LARGE}`), tooLarge],
  ["fails with a large body", answer(500, LARGE), tooLarge],
  ["responds with an HTML page", answer(201, "<html>", html), page(201)],
  [
    "compresses unasked",
    answer(200, "\u001f\u008b\b", { "content-encoding": "gzip" }),
    unusable(/with text instead of JSON/, 200),
  ],
  ["responds with an empty body", answer(200, ""), unusable(/with an empty body/, 200)],
  ["responds with 204", raw("HTTP/1.1 204 No\r\n\r\n"), unusable(/with an empty body/, 204)],
  ["responds with invalid JSON", answer(200, '{"id":'), unusable(/with text instead of JSON/, 200)],
  ["responds with JSON of something else", answer(200, { status: "ok" }), foreign],
  ["responds with a JSON list", answer(200, []), foreign],
  ["responds with JSON null", answer(200, "null"), foreign],
  ["does not speak HTTP", raw("SSH-2.0-OpenSSH_9.6\r\n"), noHttp],
  ["breaks the chunking", raw(`${CHUNKED}zz\r\n`), noHttp],
  ["sends a header without end", raw(`${OK}x: ${"a".repeat(1e5)}\r\n\r\n`), noHttp],
  ["sends 403 and a page", answer(403, "<html>", html), { ...refused(FIREWALL), status: 403 }],
  ...Object.entries<Outcome>({
    300: redirected,
    302: redirected,
    303: redirected,
    399: redirected,
    400: refused(/the request was refused/),
    401: refused(/the API token was not accepted/),
    402: refused(/subscription/),
    403: refused(/a token with the required scope/),
    404: refused(/check the domain's id/),
    422: refused(/the values were refused/),
    408: gaveUp,
    499: gaveUp,
    500: failed(true),
    501: failed(false),
    502: failed(true),
    503: failed(true),
    599: failed(true),
  }).map(([status, outcome]): (typeof faults)[number] => {
    const body = status === "502" ? "<html>Bad gateway</html>" : {};
    const step = answer(Number(status), body, { "retry-after": "0" });
    // What does not come from the service may have created the channel.
    const refuses = outcome.isRefused === true;

    return [`sends ${status}`, { ...step, refuses }, { ...outcome, status: Number(status) }];
  }),
];

describe.each(faults)("when the service %s", (_name, step, outcome) => {
  const { kind, says, advice = "", isRepeated, isRefused, isPage } = outcome;

  async function outcomeOf(call: typeof getDomain, expected: Partial<Outcome>, requests: number) {
    const { error, service } = await failureFrom([step], call, { maxResponseBytes: 4000 });
    const { sent = "yes", status } = expected;
    const [firstLine = ""] = error.message.split("\n");

    expect(error).toMatchObject({ kind, sent, attempts: requests });
    expect(error.status).toBe(status);
    expect(firstLine).toMatch(/^(GET|POST) \/api\/domains\//);
    expect(firstLine).toMatch(says);
    expect(service.requests).toHaveLength(requests);

    return { message: error.message, created: service.created };
  }

  test("a read fails with the cause, after retries only if those may help", async () => {
    const { message } = await outcomeOf(getDomain, outcome, isRepeated ? 3 : 1);
    expect(message).toContain(advice);
    expect(message).not.toContain(CREATED_ANYWAY);
  });

  test("a create is sent once, and its error says if the channel may exist", async () => {
    const status = isPage ? undefined : outcome.status;
    const sent = isRefused ? undefined : "maybe";
    const { message, created } = await outcomeOf(createChannel, { sent, status }, 1);

    expect(created).toBe(isRefused ? 0 : 1);
    // The advice to look before another run comes wherever a channel may exist, and nowhere else.
    expect(message.includes(CREATED_ANYWAY)).toBe(!isRefused);
    if (!isRefused) expect(message).not.toMatch(OTHER_ADVICE);
  });
});

describe("a create that was lost is not repeated", () => {
  async function expectOneCreate({ service, client }: Awaited<ReturnType<typeof startClient>>) {
    const error = await failureOf(createChannel(client));
    expect(error).toMatchObject({ kind: "transport", sent: "maybe", attempts: 1 });
    expect(service.requests.filter(({ method }) => method === "POST")).toHaveLength(1);
    expect(service.created).toBe(1);
  }

  test("if the caller's dispatcher does not report when it writes", async () => {
    const dispatcher = startAgent().compose(
      (dispatch) => (options, handler) =>
        dispatch(options, {
          onRequestStart: () => undefined,
          onResponseStart: (...given) => handler.onResponseStart?.(...given),
          onResponseData: (...given) => handler.onResponseData?.(...given),
          onResponseEnd: (...given) => handler.onResponseEnd?.(...given),
          onResponseError: (...given) => handler.onResponseError?.(...given),
        }),
    );

    await expectOneCreate(await startClient([reset], { dispatcher }));
  });

  test("even if the caller's dispatcher repeats requests by itself", async () => {
    const dispatcher = new RetryAgent(startAgent(), { methods: ["GET", "POST"], minTimeout: 1 });
    await expectOneCreate(await startClient([reset, succeed], { dispatcher }));
  });

  test("if the service closes a kept-alive connection, because it may have received it", async () => {
    const kept = await startClient([succeed, fin]);
    await getDomain(kept.client);
    await expectOneCreate(kept);
  });
});

describe("a stall", () => {
  // Loaded first, so that the bound of one attempt measures the wire and not undici's start.
  async function startWarm(steps: Step[], attemptTimeoutMs: number) {
    const { service, client } = await startClient([succeed, ...steps]);
    await getDomain(client);
    return { service, client: clientOf(service.url, { attemptTimeoutMs }) };
  }

  test("ends each attempt of a read, which fails after the last one, wherever it is", async () => {
    const stalls = [stall, raw(`${OK}content-`), raw(PART), raw(`${CHUNKED}1\r\n{\r\n`)];
    const ending = stalls.map(async (step) => {
      const { service, client } = await startWarm([step], 300);
      const error = await failureOf(getDomain(client));
      expect(error).toMatchObject({ kind: "timeout", sent: "maybe", attempts: 3 });
      expect(error.message).toMatch(
        /no response within 0\.3 s: try again, or raise the timeout \(timeoutMs/,
      );
      expect(service.requests).toHaveLength(4);
    });

    await Promise.all(ending);
  });

  test("that ends before the deadline fails no create, however short an attempt may be", async () => {
    const { opened, open } = gate();
    const { service, client } = await startWarm([held(opened, succeed), stall], 100);
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
    const step = answer(422, { message: "Invalid.", errors }, { "x-request-id": "req-1" });
    const { error } = await failureFrom([step], createChannel);
    const fieldErrors = { ...errors, value: ["No address."] };
    expect(error).toMatchObject({ kind: "http", status: 422, method: "POST", fieldErrors });
    expect(error.requestId).toBe("req-1");
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
  expect(message).toContain("the base address ends in /api, which is added to it: leave it out");
});

test("a byte order mark before the JSON is skipped", async () => {
  const bodies = [{ data: channel() }, { message: "No." }];
  const [created, refusal] = bodies.map((body) => `\ufeff${JSON.stringify(body)}`);
  const { client } = await startClient([answer(201, created), answer(422, refusal)]);
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

test("a response of the wrong shape is told by field and what was expected, not its value", async () => {
  const broken = domainWith("dns", { is_enabled: "s3cr3t" });
  const { message } = (await failureFrom([answer(200, broken)])).error;
  expect(message).toContain("(components.dns.is_enabled: expected a boolean): the service may");
  expect(message).not.toMatch(/s3cr3t|base address/);
});

test("a response of the wrong shape has three fields named and the others counted", async () => {
  const broken = domain({ label: 17, updated_at: null, created_at: 1, id: 2, domain: [] });
  const { message } = (await failureFrom([answer(200, broken)])).error;
  expect(message).toContain(
    "(id: expected a string; label: expected a string; domain: expected a string; 2 more)",
  );
});

test("a create that may have been made says what to look for, and where", async () => {
  const { error } = await failureFrom([answer(500, {})], createChannel);
  expect(error.message).toContain(
    `The channel "On call" (webhook) of domain ${DOMAIN_ID} may have been created anyway: look for it in the service before`,
  );
});

test("another origin gets no request if a redirect points to it", async () => {
  const other = await startService();
  for (const status of [301, 302, 303, 307, 308]) {
    const step = answer(status, "", { location: `${other.url}/api` });
    for (const call of [getDomain, createChannel]) {
      const { error } = await failureFrom([step], call);
      expect(error).toMatchObject({ kind: "http", status });
      expect(error.message).toMatch(new RegExp(`\\. It leads to ${other.url}(?!/)`));
    }
  }

  expect(other.connections).toHaveLength(0);
});
