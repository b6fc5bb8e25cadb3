/** What every operation refuses in the same way: methods, bodies and fields, and the faults that hit each by its name. */
import type { Emulator, EmulatorOperation, EmulatorOptions } from "../../../src/testing/emulator";
import { closeEmulators, emulatorForTest, get, HEALTHY, said, send } from "./support";

afterEach(closeEmulators);

const DESTINATION = "https://hooks.example.com/very-secret-destination";
const ID = "c0000000-0000-4000-8000-000000000001";
const DOMAINS = "/api/domains";
const DOMAIN = `${DOMAINS}/${HEALTHY}`;
const CHANNELS = `${DOMAIN}/notification-channels`;
const CHANNEL = `${CHANNELS}/${ID}`;
const channel = { label: "On call", type: "slack", value: DESTINATION };
const domain = { domain: "shop.example", label: "Shop" };

const createOnly: EmulatorOptions = { listDomains: false };
const managed: EmulatorOptions = { lifecycle: "managed" };

/** An emulator with one channel of the healthy domain. */
async function started(options: EmulatorOptions = managed): Promise<Emulator> {
  const emulator = await emulatorForTest({ now: "2026-01-31", ...options });
  emulator.addChannel(HEALTHY, { ...channel, id: ID });
  return emulator;
}

/** All that an operation could have changed. */
async function stateOf(emulator: Emulator) {
  const domains = emulator.domains();
  const read = domains.map(async ({ id }) => (await said(await get(emulator, `${DOMAINS}/${id}`))).body);
  return { channels: emulator.channels(), domains: await Promise.all(read) };
}

describe("a method or an address that is not served", () => {
  it.each<[EmulatorOptions, method: string, path: string, status: number, allowed: string | null]>([
    [createOnly, "DELETE", DOMAIN, 405, "GET, HEAD"],
    [createOnly, "PATCH", DOMAIN, 405, "GET, HEAD"],
    [createOnly, "PUT", `${DOMAIN}/changes/whois`, 405, "GET, HEAD"],
    [createOnly, "POST", `${DOMAIN}/changes/dns`, 405, "GET, HEAD"],
    [createOnly, "GET", CHANNELS, 405, "POST"],
    [createOnly, "DELETE", CHANNELS, 405, "POST"],
    [createOnly, "GET", CHANNEL, 404, null],
    [createOnly, "PATCH", CHANNEL, 404, null],
    [createOnly, "DELETE", CHANNEL, 404, null],
    [createOnly, "GET", DOMAINS, 404, null],
    [{}, "POST", DOMAINS, 405, "GET, HEAD"],
    [managed, "PUT", DOMAINS, 405, "GET, HEAD, POST"],
    [managed, "POST", DOMAIN, 405, "GET, HEAD, PATCH, DELETE"],
    [managed, "DELETE", CHANNELS, 405, "GET, HEAD, POST"],
    [managed, "PUT", CHANNEL, 405, "GET, HEAD, PATCH, DELETE"],
    [{ ...managed, listDomains: false }, "GET", DOMAINS, 404, null],
    [{ ...managed, listDomains: false }, "PUT", DOMAINS, 405, "POST"],
  ])(
    "with %j, %s %s is answered %d and names the methods that there are",
    async (options, method, path, status, allowed) => {
      const emulator = await started(options);
      const before = emulator.channels();

      const answer = await send(emulator, method, path, method === "PATCH" ? { label: "Other" } : undefined);

      expect([answer.status, answer.headers.get("Allow")]).toEqual([status, allowed]);
      expect(await answer.json()).toEqual({ message: expect.any(String) });
      expect(emulator.requests).toEqual([{ method, path, operation: null, status }]);
      expect(emulator.channels()).toEqual(before);
    },
  );
});

describe("input that is not valid", () => {
  it.each<[method: string, path: string, fields: string[], body: unknown]>([
    ["POST", CHANNELS, ["label", "type", "value"], {}],
    ["POST", CHANNELS, ["type"], { ...channel, type: "fax" }],
    ["POST", CHANNELS, ["value"], { ...channel, value: 5 }],
    ["POST", CHANNELS, ["secondary_value"], { ...channel, type: "webhook", secondary_value: "GET" }],
    ["POST", CHANNELS, ["dns_notifications_enabled"], { ...channel, dns_notifications_enabled: "yes" }],
    [
      "POST",
      CHANNELS,
      ["label", "secondary_value"],
      { ...channel, label: "", type: "webhook", secondary_value: "x" },
    ],
    ["POST", CHANNELS, ["secondaryValue"], { ...channel, secondaryValue: "POST" }],
    ["POST", CHANNELS, ["__proto__"], '{"label":"On call","type":"email","value":null,"__proto__":1}'],
    ["POST", CHANNELS, ["body"], "[]"],
    ["PATCH", CHANNEL, ["label"], { label: null }],
    ["PATCH", CHANNEL, ["dns_notifications_enabled"], { dns_notifications_enabled: null }],
    ["PATCH", CHANNEL, ["is_protected"], { is_protected: false }],
    ["PATCH", CHANNEL, ["secondary_value"], { type: "webhook", secondary_value: "GET" }],
    ["PATCH", CHANNEL, ["body"], "[]"],
    ["POST", DOMAINS, ["domain", "label"], {}],
    ["POST", DOMAINS, ["domain"], { ...domain, domain: "https://shop.example" }],
    ["POST", DOMAINS, ["label"], { ...domain, label: "ab" }],
    ["POST", DOMAINS, ["whois_check_interval"], { ...domain, whois_check_interval: "often" }],
    ["POST", DOMAINS, ["enabled_dns_records"], { ...domain, enabled_dns_records: ["A", "Z"] }],
    ["POST", DOMAINS, ["provider"], { ...domain, provider: "Ours" }],
    ["PATCH", DOMAIN, ["domain"], { domain: "other.example" }],
    ["PATCH", DOMAIN, ["label"], { label: null }],
  ])("%s %s is refused with 422 that names %j: %j", async (method, path, fields, body) => {
    const emulator = await started();
    const before = await stateOf(emulator);

    const answer = await said(await send(emulator, method, path, body));

    expect(answer.status).toBe(422);
    expect(answer.body.message).toEqual(expect.any(String));
    expect(Object.keys(answer.body.errors).sort()).toEqual(fields);
    for (const texts of Object.values(answer.body.errors)) expect(texts).toEqual([expect.any(String)]);
    expect(await stateOf(emulator)).toEqual(before);
  });

  it.each([
    ["POST", CHANNELS],
    ["PATCH", CHANNEL],
    ["POST", DOMAINS],
    ["PATCH", DOMAIN],
  ])(
    "%s %s answers 400 to a body that is not JSON, 415 to a form, and does nothing without a body",
    async (method, path) => {
      const emulator = await started();
      const before = await stateOf(emulator);
      const headers = { Authorization: `Bearer ${emulator.token}` };

      const broken = await send(emulator, method, path, `{"value": "${DESTINATION}"`);
      const form = await fetch(emulator.url + path, { method, headers, body: new URLSearchParams(channel) });
      const nothing = await fetch(emulator.url + path, { method, headers });

      expect([broken.status, form.status]).toEqual([400, 415]);
      // Without a body there is no media type; a create misses what is required.
      expect(nothing.status).toBe(method === "POST" ? 422 : 415);
      for (const answer of [broken, form])
        expect(await answer.json()).toEqual({ message: expect.any(String) });
      expect(await stateOf(emulator)).toEqual(before);
    },
  );
});

describe("a fault by the name of an operation", () => {
  it.each<[operation: EmulatorOperation, method: string, path: string, body: unknown]>([
    ["listDomains", "GET", DOMAINS, undefined],
    ["createDomain", "POST", DOMAINS, domain],
    ["updateDomain", "PATCH", DOMAIN, { label: "Renamed" }],
    ["deleteDomain", "DELETE", DOMAIN, undefined],
    ["listNotificationChannels", "GET", CHANNELS, undefined],
    ["getNotificationChannel", "GET", CHANNEL, undefined],
    ["updateNotificationChannel", "PATCH", CHANNEL, { label: "Renamed" }],
    ["deleteNotificationChannel", "DELETE", CHANNEL, undefined],
  ])(
    "hits %s alone, before or after its work, and not without the token",
    async (operation, method, path, body) => {
      const emulator = await started();
      const state = () => [emulator.domains(), emulator.channels()];
      const before = state();
      emulator.fault({ operation, status: 503 });
      emulator.fault({ operation, reset: "after" });

      expect((await fetch(emulator.url + path, { method })).status).toBe(401);
      expect((await get(emulator, DOMAIN)).status).toBe(200);
      expect((await send(emulator, method, path, body)).status).toBe(503);
      expect(state()).toEqual(before);
      await expect(send(emulator, method, path, body)).rejects.toThrow();
      if (method === "GET") expect(state()).toEqual(before);
      else expect(state()).not.toEqual(before);
      expect(emulator.requests.map(({ status }) => status)).toEqual([401, 200, 503, 0]);
    },
  );

  it.each([
    ["getNotificationChannel", 'with `lifecycle: "managed"`'],
    ["listDomains", "without `listDomains: false`"],
  ] as const)("is refused for %s, which is not served", async (operation, fix) => {
    const emulator = await emulatorForTest(createOnly);
    const rule = { operation, status: 500 } as const;
    const reason = `\`operation\` is ${operation}, which is not served: start the emulator ${fix}`;

    expect(() => emulator.fault(rule)).toThrow(reason);
    await expect(emulatorForTest({ ...createOnly, faults: [rule] })).rejects.toThrow(reason);
  });
});

describe("a destination", () => {
  it("is in no answer and in no log, whatever is sent, also after it was changed or its channel removed", async () => {
    const emulator = await started();
    emulator.updateChannel(ID, { secondaryValue: "dev1ce-name" });
    const next = "u5er-key";
    const create = (body: unknown) => send(emulator, "POST", CHANNELS, body);
    const update = (body: unknown) => send(emulator, "PATCH", CHANNEL, body);
    const answers = [
      await create(channel),
      await create({ ...channel, type: "webhook", secondary_value: DESTINATION }),
      await create({ ...channel, value: [DESTINATION] }),
      await create({ ...channel, dns_notifications_enabled: DESTINATION }),
      await create(JSON.stringify(DESTINATION)),
      await get(emulator, CHANNELS),
      await get(emulator, CHANNEL),
      await update({ value: next, label: DESTINATION.repeat(3) }),
      await update({ value: next, type: DESTINATION, extra: DESTINATION }),
      await update(`{"value": "${DESTINATION}", }`),
      await update({ value: next }),
      await get(emulator, `${CHANNELS}/${encodeURIComponent(DESTINATION)}?page=1`),
      await get(emulator, `${CHANNELS}/dev1ce-name?page=1`),
      await get(emulator, `${CHANNELS}?page=1&value=${DESTINATION}`),
      await send(emulator, "DELETE", CHANNEL),
      await get(emulator, `${CHANNEL}?value=${next}`),
    ];

    // Links repeat the address of the request, without its query.
    const texts = answers.map(async (answer) => (await answer.text()) + JSON.stringify([...answer.headers]));
    for (const text of [...(await Promise.all(texts)), JSON.stringify(emulator.requests)])
      for (const secret of ["very-secret", next, "dev1ce-name"]) expect(text).not.toContain(secret);
    expect(emulator.requests.map(({ path }) => path)).toContain(CHANNEL);
  });
});
