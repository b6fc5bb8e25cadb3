/**
 * Every request: the token that it needs, its id and its line in the log, the refusals that all
 * operations share, and destinations, which nothing shows.
 */
import type { Emulator, EmulatorOptions } from "../src";
import { at, channel, DESTINATION, EXPIRING, ID, UUID } from "./examples";
import { ask, emulatorForTest, managedForTest, send, statusAndBody } from "./support";

describe("the bearer token", () => {
  it("is required", async () => {
    const { url, token } = await emulatorForTest();
    for (const Authorization of [undefined, "Bearer wrong", token, `Bearer ${token}x`]) {
      const headers = Authorization ? { Authorization } : undefined;
      const answer = await fetch(url + at.domain, { headers });
      const body = { message: expect.any(String) };
      expect(answer.headers.get("WWW-Authenticate")).toBe("Bearer");
      expect(await statusAndBody(answer)).toEqual({ status: 401, body });
    }
  });

  it("is a random one unless one is given", async () => {
    const [one, other] = [await emulatorForTest(), await emulatorForTest()];
    expect(one.token).not.toBe(other.token);
  });

  it.each(["", "two words", "line\nbreak", "schlüssel"])("is refused as %j", async (token) => {
    await expect(emulatorForTest({ token })).rejects.toThrow(TypeError);
  });
});

describe("the log", () => {
  it("holds what was asked for in order, and every response has a request id of its own", async () => {
    const emulator = await emulatorForTest();
    emulator.fault({ operation: "getDomain", after: 1, status: 500 });
    const answers = [
      await send(emulator, `GET ${at.domain}`),
      await send(emulator, `GET ${at.whois}?page=2`),
      await send(emulator, `GET ${at.dns}?page=0`),
      await send(emulator, `POST ${at.channels}`, channel),
      await send(emulator, `POST ${at.channels}`, "{"),
      await fetch(emulator.url + at.domain),
      await send(emulator, "GET /nowhere?a=b"),
      await send(emulator, `GET ${at.domain}`),
    ];

    expect(emulator.requests).toEqual([
      { method: "GET", path: at.domain, operation: "getDomain", status: 200 },
      { method: "GET", path: `${at.whois}?page=2`, operation: "listWhoisChanges", status: 200 },
      { method: "GET", path: `${at.dns}?page=0`, operation: "listDnsChanges", status: 422 },
      { method: "POST", path: at.channels, operation: "createNotificationChannel", status: 201 },
      { method: "POST", path: at.channels, operation: "createNotificationChannel", status: 400 },
      { method: "GET", path: at.domain, operation: "getDomain", status: 401 },
      { method: "GET", path: "/nowhere?a=b", operation: null, status: 404 },
      { method: "GET", path: at.domain, operation: "getDomain", status: 500 },
    ]);

    const logged = emulator.requests.map(({ status }) => status);
    const ids = answers.map((answer) => answer.headers.get("X-Request-Id"));
    expect(answers.map(({ status }) => status)).toEqual(logged);
    for (const id of ids) expect(id).toMatch(UUID);
    expect(new Set(ids).size).toBe(ids.length);
  });

  const TOKEN = "7|secret-token/with+signs";
  const everyByte = Buffer.from(TOKEN).toString("hex").replace(/../g, "%$&");

  it.each([
    ["the token in a path", TOKEN, `${at.domains}/${encodeURIComponent(TOKEN)}`],
    ["the token beside bytes that are not text", TOKEN, `/%ff/${everyByte}`],
    ["a short token as a whole part", "t", "/nowhere/t/next?x=t"],
    ["an encoded destination", undefined, `/x/${encodeURIComponent(DESTINATION)}/y`],
  ])("blacks out %s", async (_name, token, path) => {
    const emulator = await emulatorForTest({ token });
    await ask(emulator, `POST ${at.channels}`, channel);
    await ask(emulator, `GET ${path}`);
    expect(emulator.requests.at(-1)?.path).toBe("/[secret]");
  });

  it.each([
    ["only looks like a short token", "/nowhere/total?part=1", DESTINATION],
    ["is an ordinary address", `${at.dns}?page=1&per_page=2`, "1"],
    ["comes with a destination that is not valid Unicode", "/nowhere", "broken \ud800 text"],
  ])("shows what %s", async (_name, path, value) => {
    const emulator = await emulatorForTest({ token: "t" });
    const { status } = await ask(emulator, `POST ${at.channels}`, { ...channel, value });
    await ask(emulator, `GET ${path}`);
    expect(status).toBe(201);
    expect(emulator.requests.at(-1)?.path).toBe(path);
  });
});

const domain = { domain: "shop.example", label: "Shop" };
const createOnly: EmulatorOptions = { lifecycle: "create-only", listDomains: false };
const managed: EmulatorOptions = { lifecycle: "managed" };

/** All that an operation on the healthy domain could have changed. */
async function stateOf(emulator: Emulator) {
  const { body } = await ask(emulator, `GET ${at.domain}`);
  return { channels: emulator.channels(), domains: emulator.domains(), domain: body };
}

it.each<[EmulatorOptions, method: string, path: string, status: number, allowed: string | null]>([
  [createOnly, "GET", "/", 404, null],
  [createOnly, "GET", `${at.domain}/changes`, 404, null],
  [createOnly, "DELETE", at.domain, 405, "GET, HEAD"],
  [createOnly, "GET", at.channels, 405, "POST"],
  [createOnly, "GET", at.channel, 404, null],
  [createOnly, "GET", at.domains, 404, null],
  [{ lifecycle: "create-only" }, "POST", at.domains, 405, "GET, HEAD"],
  [managed, "DELETE", at.domain, 405, "GET, HEAD, PATCH"],
  [managed, "PUT", at.channel, 405, "GET, HEAD, PATCH, DELETE"],
  [{ ...managed, listDomains: false }, "GET", at.domains, 404, null],
  [{ ...managed, listDomains: false }, "PUT", at.domains, 405, "POST"],
])("with %j, %s %s is a %d, with %j in Allow", async (options, method, path, status, allowed) => {
  const emulator = await managedForTest(options);
  const before = emulator.channels();
  const answer = await send(emulator, `${method} ${path}`);
  expect(answer.status).toBe(status);
  expect(answer.headers.get("Allow")).toBe(allowed);
  expect(await answer.json()).toEqual({ message: expect.any(String) });
  expect(emulator.requests).toEqual([{ method, path, operation: null, status }]);
  expect(emulator.channels()).toEqual(before);
});

it.each<[method: string, path: string, missing: "domain" | "channel"]>([
  ["GET", `${at.domains}/nobody`, "domain"],
  ["GET", `${at.domains}/1`, "domain"],
  ["GET", `${at.domains}/nobody/changes/dns?per_page=0`, "domain"],
  ["POST", `${at.domains}/1/notification-channels`, "domain"],
  ["GET", `${at.domains}/${EXPIRING}/notification-channels/${ID}`, "channel"],
  ["PATCH", `${at.channels}/nobody`, "channel"],
])("%s %s is a 404, as there is no such %s", async (method, path, missing) => {
  const emulator = await managedForTest();
  const before = emulator.channels();
  const answer = await ask(emulator, `${method} ${path}`, method === "GET" ? undefined : channel);
  expect(answer).toEqual({ status: 404, body: { message: `There is no such ${missing}.` } });
  expect(emulator.channels()).toEqual(before);
});

describe("input that is not valid", () => {
  const webhook = { ...channel, type: "webhook" };
  const FLAG = "dns_notifications_enabled";

  it.each<[request: string, fields: string[], body: unknown]>([
    [`POST ${at.channels}`, ["label", "type", "value"], {}],
    [`POST ${at.channels}`, ["label"], { ...channel, label: "🔔".repeat(2) }],
    [`POST ${at.channels}`, ["label"], { ...channel, label: "🔔".repeat(101) }],
    [`POST ${at.channels}`, ["type"], { ...channel, type: "fax" }],
    [`POST ${at.channels}`, ["value"], { ...channel, value: 5 }],
    [`POST ${at.channels}`, ["secondary_value"], { ...webhook, secondary_value: "GET" }],
    [`POST ${at.channels}`, [FLAG], { ...channel, [FLAG]: "yes" }],
    [`POST ${at.channels}`, ["secondaryValue"], { ...channel, secondaryValue: "POST" }],
    [`POST ${at.channels}`, ["body"], "[]"],
    [`PATCH ${at.channel}`, ["label"], { label: null }],
    [`PATCH ${at.channel}`, [FLAG], { [FLAG]: null }],
    [`PATCH ${at.channel}`, ["is_protected"], { is_protected: false }],
    [`PATCH ${at.channel}`, ["__proto__"], '{"__proto__":1}'],
    [`PATCH ${at.channel}`, ["secondary_value"], { type: "webhook", secondary_value: "GET" }],
    [`POST ${at.domains}`, ["domain", "label"], {}],
    [`POST ${at.domains}`, ["domain"], { ...domain, domain: "https://shop.example" }],
    [`POST ${at.domains}`, ["label"], { ...domain, label: "ab" }],
    [`POST ${at.domains}`, ["whois_check_interval"], { ...domain, whois_check_interval: "often" }],
    [`POST ${at.domains}`, ["enabled_dns_records"], { ...domain, enabled_dns_records: ["A", "Z"] }],
    [`POST ${at.domains}`, ["provider"], { ...domain, provider: "Ours" }],
    [`PATCH ${at.domain}`, ["domain"], { domain: "other.example" }],
    [`PATCH ${at.domain}`, ["label"], { label: null }],
  ])("makes %s a 422 that names %j: %j", async (request, fields, sent) => {
    const emulator = await managedForTest();
    const before = await stateOf(emulator);
    const { status, body } = await ask(emulator, request, sent);
    expect(status).toBe(422);
    expect(body.message).toEqual(expect.any(String));
    expect(Object.keys(body.errors).sort()).toEqual(fields);

    for (const texts of Object.values(body.errors)) expect(texts).toEqual([expect.any(String)]);
    expect(await stateOf(emulator)).toEqual(before);
  });

  it.each([
    ["POST", at.channels],
    ["PATCH", at.channel],
    ["POST", at.domains],
    ["PATCH", at.domain],
  ])("makes %s %s a 400 without JSON and a 415 with a form", async (method, path) => {
    const emulator = await managedForTest();
    const before = await stateOf(emulator);
    const headers = { Authorization: `Bearer ${emulator.token}` };
    const form = { method, headers, body: new URLSearchParams(channel) };
    const body = { message: expect.any(String) };
    const cut = await ask(emulator, `${method} ${path}`, `{"value": "${DESTINATION}"`);
    const sent = await statusAndBody(await fetch(emulator.url + path, form));

    expect(cut).toEqual({ status: 400, body });
    expect(sent).toEqual({ status: 415, body });

    // Without a body there is no media type; a create misses what is required.
    const { status } = await ask(emulator, `${method} ${path}`);
    expect(status).toBe(method === "POST" ? 422 : 415);
    expect(await stateOf(emulator)).toEqual(before);
  });
});

it("a destination is in no response and no log, whatever is sent", async () => {
  const emulator = await managedForTest({}, { secondaryValue: "dev1ce-name" });
  const next = "u5er-key";
  const requests: [request: string, body?: unknown][] = [
    [`POST ${at.channels}`, channel],
    [`POST ${at.channels}`, { ...channel, type: "webhook", secondary_value: DESTINATION }],
    [`POST ${at.channels}`, { ...channel, dns_notifications_enabled: DESTINATION }],
    [`POST ${at.channels}`, JSON.stringify(DESTINATION)],
    [`GET ${at.channels}?page=1&value=${DESTINATION}`],
    [`GET ${at.channel}`],
    [`PATCH ${at.channel}`, { value: next, label: DESTINATION.repeat(3) }],
    [`PATCH ${at.channel}`, { value: next, type: DESTINATION, extra: DESTINATION }],
    [`PATCH ${at.channel}`, `{"value": "${DESTINATION}", }`],
    [`PATCH ${at.channel}`, { value: next }],
    [`GET ${at.channels}/dev1ce-name?page=1`],
    [`DELETE ${at.channel}`],
    [`GET ${at.channel}?value=${next}`],
  ];

  const texts = [];
  for (const [request, body] of requests) {
    const answer = await send(emulator, request, body);
    texts.push((await answer.text()) + JSON.stringify([...answer.headers]));
  }

  // Links repeat the address of the request, without its query.
  for (const text of [...texts, JSON.stringify(emulator.requests)])
    for (const secret of ["very-secret", next, "dev1ce-name"]) expect(text).not.toContain(secret);

  expect(emulator.requests.map(({ path }) => path)).toContain(at.channel);
});
