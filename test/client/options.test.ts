/** The options of a client, and what it sends because of them. */
import { type ClientOptions, resolveCallOptions, resolveOptions } from "../../src/client/options";
import { VERSION } from "../../src/names";
import { isolateTests } from "./support/cleanup";
import { clientOf, createChannel, failureOf, getDomain, TOKEN } from "./support/client";
import { answer, startService } from "./support/service";
import { startClient } from "./support/start";
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

  const notAbsolute = [undefined, "", "monitoring.example", "//monitoring.example", "https://"];
  const notHttp = ["https:monitoring.example", "ftp://monitoring.example", "localhost:8080"];
  const elsewhere = ["http://monitoring.example", "http://10.0.0.1", "http://[::2]"];
  const lookalikes = ["http://127.0.0.1.example", "http://localhost.example"];

  test.each([
    ...[...notAbsolute, ...notHttp].map((url) => [url, /not an absolute URL/]),
    ...[...elsewhere, ...lookalikes].map((url) => [url, /send the token unencrypted/]),
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

test("the retries of a call replace the client's for that call alone, and for each page of an iteration", async () => {
  const { service, client } = await startClient([answer(503, {})], { maxRetries: 2 });
  const pages = client.whoisChanges.iterate(DOMAIN_ID, {}, { maxRetries: 0 });
  const attemptsOf = async (call: Promise<unknown>) => (await failureOf(call)).attempts;

  expect(await attemptsOf(getDomain(client, { maxRetries: 0 }))).toBe(1);
  expect(await attemptsOf(getDomain(client, { maxRetries: 3 }))).toBe(4);
  expect(await attemptsOf(getDomain(client))).toBe(3);
  expect(await attemptsOf(pages[Symbol.asyncIterator]().next())).toBe(1);
  expect(service.requests).toHaveLength(9);
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
    const json = "application/json";
    const authorization = `Bearer ${TOKEN}`;
    // The service may not compress its response.
    const common = { accept: json, "accept-encoding": "identity", authorization };
    const [get, post] = service.requests;

    expect(get?.headers).toMatchObject({ ...common, "user-agent": own });
    expect(get?.headers).not.toHaveProperty("content-type");
    expect(get?.body).toBe("");
    const agent = `my-tool/1.2 ${own}`;
    expect(post?.headers).toMatchObject({ ...common, "content-type": json, "user-agent": agent });
    expect(`${get?.path} ${post?.path} ${post?.body}`).not.toContain(TOKEN);
  });

  test.each(["tool\r\nx-evil: 1", "töol"])("never has a user agent such as %p", (userAgent) => {
    expect(() => settled({ userAgent })).toThrow(
      /^userAgent holds a line break [^:]+: leave it out$/,
    );
  });
});
