/** The options of a client, and what it sends because of them. */
import { type ClientOptions, resolveCallOptions, resolveOptions } from "../../src/client/options";
import { VERSION } from "../../src/names";
import { isolateTests } from "./support/cleanup";
import { clientOf, createChannel, failureOf, getDomain, TOKEN } from "./support/client";
import { answer, startService } from "./support/service";
import { DOMAIN_ID } from "./support/wire";

isolateTests();

function settled(options: Partial<ClientOptions>) {
  return resolveOptions({ baseUrl: "https://monitoring.example", apiToken: "t", ...options });
}

describe("the base address", () => {
  test.each([
    ["https://monitoring.example", "https://monitoring.example", ""],
    ["https://monitoring.example/", "https://monitoring.example", ""],
    ["HTTPS://Monitoring.Example:443/", "https://monitoring.example", ""],
    ["https://monitoring.example:8443/a/b///", "https://monitoring.example:8443", "/a/b"],
    ["https://monitoring.example/a%2Fb", "https://monitoring.example", "/a%2Fb"],
    ["http://localhost:8080", "http://localhost:8080", ""],
    ["http://127.0.0.1:8080/x", "http://127.0.0.1:8080", "/x"],
    ["http://127.9.9.9", "http://127.9.9.9", ""],
    ["http://[::1]:8080", "http://[::1]:8080", ""],
  ])("%s is accepted", (baseUrl, origin, pathPrefix) => {
    expect(settled({ baseUrl })).toMatchObject({ origin, pathPrefix });
  });

  const notAbsolute = /not an absolute URL/;
  const inClear = /send the token unencrypted/;

  test.each([
    ...[undefined, "", "monitoring.example", "//monitoring.example"].map((url) => [
      url,
      notAbsolute,
    ]),
    ...["https:monitoring.example", "ftp://monitoring.example"].map((url) => [url, notAbsolute]),
    ...["localhost:8080", "https://"].map((url) => [url, notAbsolute]),
    ...["http://monitoring.example", "http://10.0.0.1"].map((url) => [url, inClear]),
    ...["http://127.0.0.1.example", "http://localhost.example"].map((url) => [url, inClear]),
    ["http://[::2]", inClear],
    ["https://someone@monitoring.example", /contains a user name/],
    ["https://someone:hidden@monitoring.example", /contains a user name/],
    ["https://monitoring.example?key=hidden", /contains a user name, a query/],
    ["https://monitoring.example#hidden", /contains a user name, a query or a fragment/],
  ] as [string, RegExp][])("%p is rejected", (baseUrl, problem) => {
    expect(() => settled({ baseUrl })).toThrow(problem);
    expect(() => settled({ baseUrl })).toThrow(expect.objectContaining({ kind: "configuration" }));
    expect(() => settled({ baseUrl })).not.toThrow(/hidden|someone/);
  });

  test("keeps its path in front of every request path", async () => {
    const service = await startService();
    await getDomain(clientOf(`${service.url}/tenant/one//`));
    expect(service.requests[0]?.path).toBe(`/tenant/one/api/domains/${DOMAIN_ID}`);
  });
});

describe("the token", () => {
  test.each(["abc", "1|aB3/+=._-~", "!#$%&'*"])("%p is accepted", (apiToken) => {
    expect(settled({ apiToken }).apiToken).toBe(apiToken);
  });

  const wrong = ["", " ", "hidden value", "hidden\n", "hidden\r\nx: y", "hiddé", "hidden\u0000"];

  test.each(wrong)("%p is refused", (apiToken) => {
    expect(() => settled({ apiToken })).toThrow(expect.objectContaining({ kind: "configuration" }));
    expect(() => settled({ apiToken })).not.toThrow(/hidd/);
  });
});

describe("a number", () => {
  test.each([
    ["timeoutMs", 1, 2 ** 31 - 1, 30_000],
    ["attemptTimeoutMs", 1, 2 ** 31 - 1, undefined],
    ["maxRetries", 0, 100, 3],
    ["concurrency", 1, 1000, 8],
    ["maxResponseBytes", 1, 2 ** 30, 10 * 1024 * 1024],
  ] as const)("%s is whole, from %i to %i, by default %p", (name, minimum, maximum, byDefault) => {
    expect(settled({})[name]).toBe(byDefault);

    for (const value of [minimum, maximum]) expect(settled({ [name]: value })[name]).toBe(value);
    for (const value of [minimum - 1, maximum + 1, 1.5, Number.NaN, Number.POSITIVE_INFINITY])
      expect(() => settled({ [name]: value })).toThrow(
        `${name} is not a whole number from ${minimum} to ${maximum}: change it or leave it out`,
      );
  });

  test.each([
    [{}, {}, 10_000],
    [{ timeoutMs: 120_000 }, {}, 10_000],
    [{ timeoutMs: 600_000 }, {}, 50_000],
    [{ timeoutMs: 600_000 }, { timeoutMs: 1000 }, 10_000],
    [{}, { timeoutMs: 240_000 }, 20_000],
    [{ attemptTimeoutMs: 5 }, { timeoutMs: 240_000 }, 5],
  ])("of an attempt's time follows from the call's: %p, %p", (ofClient, ofCall, expected) => {
    expect(resolveCallOptions(ofCall, settled(ofClient)).attemptTimeoutMs).toBe(expected);
  });
});

describe("the retries of one call", () => {
  const FAILURE = answer(503, {});

  test.each([
    ["fewer than the client's", 2, 0],
    ["more than the client's", 0, 3],
    ["the client's where it has none of its own", 2, undefined],
  ])("are %s", async (_which, ofClient, ofCall) => {
    const service = await startService([FAILURE]);
    const client = clientOf(service.url, { maxRetries: ofClient });
    const attempts = 1 + (ofCall ?? ofClient);
    const error = await failureOf(getDomain(client, { maxRetries: ofCall }));

    expect(error).toMatchObject({ status: 503, attempts });
    expect(service.requests).toHaveLength(attempts);
    // The option holds for that call alone.
    expect(await failureOf(getDomain(client))).toMatchObject({ attempts: 1 + ofClient });
  });

  test("apply to each page of an iteration", async () => {
    const service = await startService([FAILURE]);
    const { whoisChanges } = clientOf(service.url, { maxRetries: 2 });
    const records = whoisChanges.iterate(DOMAIN_ID, {}, { maxRetries: 0 })[Symbol.asyncIterator]();
    expect(await failureOf(records.next())).toMatchObject({ status: 503, attempts: 1 });
  });
});

test("a call may last as long as a timer can", async () => {
  const service = await startService();
  await getDomain(clientOf(service.url), { timeoutMs: 2 ** 31 - 1 });
  expect(service.requests).toHaveLength(1);
});

test.each([
  ...[-1, 101, 1.5, Number.NaN].map((maxRetries) => ({ maxRetries })),
  ...[0, -1, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 31].map((timeoutMs) => ({ timeoutMs })),
])("a call with %p sends nothing", async (call) => {
  const service = await startService();
  const { kind, message } = await failureOf(getDomain(clientOf(service.url), call));

  expect(kind).toBe("validation");
  expect(message).toMatch(/^(maxRetries .* 0 .* 100|timeoutMs .* 0 .* 2147483647): /);
  expect(service.requests).toHaveLength(0);
});

describe("what is sent", () => {
  test("has the versions of package and Node, and the token in one header", async () => {
    const service = await startService();
    await getDomain(clientOf(service.url));
    await createChannel(clientOf(service.url, { userAgent: "my-tool/1.2" }));
    const own = `pulumi-domain-monitoring/${VERSION} node/${process.versions.node}`;
    const accept = "application/json";
    const authorization = `Bearer ${TOKEN}`;
    const [get, post] = service.requests;
    const type = { "content-type": "application/json" };

    expect(get?.headers).toMatchObject({ accept, authorization, "user-agent": own });
    expect(get?.headers).not.toHaveProperty("content-type");
    expect(get?.body).toBe("");
    expect(post?.headers).toMatchObject({ ...type, "user-agent": `my-tool/1.2 ${own}` });
    expect(`${get?.path} ${post?.path} ${post?.body}`).not.toContain(TOKEN);
  });

  test.each(["tool\r\nx-evil: 1", "töol"])("never has a user agent such as %p", (userAgent) => {
    expect(() => settled({ userAgent })).toThrow(
      /^userAgent holds a line break [^:]+: leave it out$/,
    );
  });
});
