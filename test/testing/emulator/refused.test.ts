/** What every operation refuses in the same way: addresses, methods, bodies and fields; and destinations, which nothing shows. */
import type { Emulator, EmulatorOptions } from "../../../src/testing/emulator";
import {
  ask,
  CHANNEL,
  CHANNELS,
  channel,
  DESTINATION,
  DNS,
  DOMAIN,
  DOMAINS,
  EXPIRING,
  ID,
  managedForTest,
  said,
  send,
} from "./support";

const domain = { domain: "shop.example", label: "Shop" };

const createOnly: EmulatorOptions = { lifecycle: "create-only", listDomains: false };
const managed: EmulatorOptions = { lifecycle: "managed" };

/** All that an operation could have changed. */
async function stateOf(emulator: Emulator) {
  const read = emulator.domains().map(({ id }) => ask(emulator, `GET ${DOMAINS}/${id}`));
  return { channels: emulator.channels(), domains: await Promise.all(read) };
}

describe("a method or an address that is not served", () => {
  it.each<[EmulatorOptions, method: string, path: string, status: number, allowed: string | null]>([
    [createOnly, "GET", "/", 404, null],
    [createOnly, "GET", `${DOMAIN}/changes`, 404, null],
    [createOnly, "DELETE", DOMAIN, 405, "GET, HEAD"],
    [createOnly, "POST", DNS, 405, "GET, HEAD"],
    [createOnly, "GET", CHANNELS, 405, "POST"],
    [createOnly, "GET", CHANNEL, 404, null],
    [createOnly, "DELETE", CHANNEL, 404, null],
    [createOnly, "GET", DOMAINS, 404, null],
    [{ lifecycle: "create-only" }, "POST", DOMAINS, 405, "GET, HEAD"],
    [managed, "POST", DOMAIN, 405, "GET, HEAD, PATCH, DELETE"],
    [managed, "PUT", CHANNEL, 405, "GET, HEAD, PATCH, DELETE"],
    [{ ...managed, listDomains: false }, "GET", DOMAINS, 404, null],
    [{ ...managed, listDomains: false }, "PUT", DOMAINS, 405, "POST"],
  ])(
    "with %j, %s %s is answered %d and names the methods that there are",
    async (options, method, path, status, allowed) => {
      const emulator = await managedForTest(options);
      const before = emulator.channels();

      const answer = await send(emulator, `${method} ${path}`);

      expect([answer.status, answer.headers.get("Allow")]).toEqual([status, allowed]);
      expect(await answer.json()).toEqual({ message: expect.any(String) });
      expect(emulator.requests).toEqual([{ method, path, operation: null, status }]);
      expect(emulator.channels()).toEqual(before);
    },
  );
});

describe("what the path names and is not there", () => {
  const ofOther = `${DOMAINS}/${EXPIRING}/notification-channels/${ID}`;

  it.each<[method: string, path: string, missing: "domain" | "channel"]>([
    ["GET", `${DOMAINS}/nobody`, "domain"],
    ["GET", `${DOMAINS}/1`, "domain"],
    ["GET", `${DOMAINS}/nobody/changes/dns?per_page=0`, "domain"],
    ["POST", `${DOMAINS}/1/notification-channels`, "domain"],
    ["DELETE", `${DOMAINS}/1/notification-channels/${ID}`, "domain"],
    ["GET", ofOther, "channel"],
    ["DELETE", ofOther, "channel"],
    ["PATCH", `${CHANNELS}/nobody`, "channel"],
  ])("makes %s %s a 404: no such %s", async (method, path, missing) => {
    const emulator = await managedForTest();
    const before = emulator.channels();

    const answer = await ask(emulator, `${method} ${path}`, method === "GET" ? undefined : channel);

    expect(answer).toEqual({ status: 404, body: { message: `There is no such ${missing}.` } });
    expect(emulator.channels()).toEqual(before);
  });
});

describe("input that is not valid", () => {
  it.each<[request: string, fields: string[], body: unknown]>([
    [`POST ${CHANNELS}`, ["label", "type", "value"], {}],
    [`POST ${CHANNELS}`, ["label"], { ...channel, label: "🔔".repeat(2) }],
    [`POST ${CHANNELS}`, ["label"], { ...channel, label: "🔔".repeat(101) }],
    [`POST ${CHANNELS}`, ["type"], { ...channel, type: "fax" }],
    [`POST ${CHANNELS}`, ["value"], { ...channel, value: 5 }],
    [`POST ${CHANNELS}`, ["secondary_value"], { ...channel, type: "webhook", secondary_value: "GET" }],
    [`POST ${CHANNELS}`, ["dns_notifications_enabled"], { ...channel, dns_notifications_enabled: "yes" }],
    [`POST ${CHANNELS}`, ["secondaryValue"], { ...channel, secondaryValue: "POST" }],
    [`POST ${CHANNELS}`, ["__proto__"], '{"label":"On call","type":"email","value":null,"__proto__":1}'],
    [`POST ${CHANNELS}`, ["body"], "[]"],
    [`PATCH ${CHANNEL}`, ["label"], { label: null }],
    [`PATCH ${CHANNEL}`, ["dns_notifications_enabled"], { dns_notifications_enabled: null }],
    [`PATCH ${CHANNEL}`, ["is_protected"], { is_protected: false }],
    [`PATCH ${CHANNEL}`, ["secondary_value"], { type: "webhook", secondary_value: "GET" }],
    [`POST ${DOMAINS}`, ["domain", "label"], {}],
    [`POST ${DOMAINS}`, ["domain"], { ...domain, domain: "https://shop.example" }],
    [`POST ${DOMAINS}`, ["label"], { ...domain, label: "ab" }],
    [`POST ${DOMAINS}`, ["whois_check_interval"], { ...domain, whois_check_interval: "often" }],
    [`POST ${DOMAINS}`, ["enabled_dns_records"], { ...domain, enabled_dns_records: ["A", "Z"] }],
    [`POST ${DOMAINS}`, ["provider"], { ...domain, provider: "Ours" }],
    [`PATCH ${DOMAIN}`, ["domain"], { domain: "other.example" }],
    [`PATCH ${DOMAIN}`, ["label"], { label: null }],
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
    ["POST", CHANNELS],
    ["PATCH", CHANNEL],
    ["POST", DOMAINS],
    ["PATCH", DOMAIN],
  ])(
    "makes %s %s a 400 without JSON, a 415 with a form, and nothing without a body",
    async (method, path) => {
      const emulator = await managedForTest();
      const before = await stateOf(emulator);
      const headers = { Authorization: `Bearer ${emulator.token}` };
      const form = { method, headers, body: new URLSearchParams(channel) };
      const message = { message: expect.any(String) };

      const cut = await ask(emulator, `${method} ${path}`, `{"value": "${DESTINATION}"`);
      expect(cut).toEqual({ status: 400, body: message });
      expect(await said(await fetch(emulator.url + path, form))).toEqual({ status: 415, body: message });
      // Without a body there is no media type; a create misses what is required.
      const { status } = await ask(emulator, `${method} ${path}`);
      expect(status).toBe(method === "POST" ? 422 : 415);
      expect(await stateOf(emulator)).toEqual(before);
    },
  );
});

it("a destination is in no answer and no log, whatever is sent, also after it was changed or its channel removed", async () => {
  const emulator = await managedForTest({}, { secondaryValue: "dev1ce-name" });
  const next = "u5er-key";
  const requests: [request: string, body?: unknown][] = [
    [`POST ${CHANNELS}`, channel],
    [`POST ${CHANNELS}`, { ...channel, type: "webhook", secondary_value: DESTINATION }],
    [`POST ${CHANNELS}`, { ...channel, dns_notifications_enabled: DESTINATION }],
    [`POST ${CHANNELS}`, JSON.stringify(DESTINATION)],
    [`GET ${CHANNELS}`],
    [`GET ${CHANNEL}`],
    [`PATCH ${CHANNEL}`, { value: next, label: DESTINATION.repeat(3) }],
    [`PATCH ${CHANNEL}`, { value: next, type: DESTINATION, extra: DESTINATION }],
    [`PATCH ${CHANNEL}`, `{"value": "${DESTINATION}", }`],
    [`PATCH ${CHANNEL}`, { value: next }],
    [`GET ${CHANNELS}/dev1ce-name?page=1`],
    [`DELETE ${CHANNEL}`],
    [`GET ${CHANNEL}?value=${next}`],
  ];

  const texts = [];
  for (const [request, body] of requests) {
    const answer = await send(emulator, request, body);
    texts.push((await answer.text()) + JSON.stringify([...answer.headers]));
  }

  // Links repeat the address of the request, without its query.
  for (const text of [...texts, JSON.stringify(emulator.requests)])
    for (const secret of ["very-secret", next, "dev1ce-name"]) expect(text).not.toContain(secret);
  expect(emulator.requests.map(({ path }) => path)).toContain(CHANNEL);
});
