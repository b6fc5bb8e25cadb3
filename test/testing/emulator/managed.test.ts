/** The undocumented operations of `lifecycle: "managed"`. */
import type { ChannelSeed, Emulator, EmulatorOptions } from "../../../src/testing/emulator";
import { closeEmulators, EXPIRING, emulatorForTest, get, HEALTHY, said, send } from "./support";

afterEach(closeEmulators);

const SECRET = "https://hooks.example.com/very-secret-destination";
const LIST = `/api/domains/${HEALTHY}/notification-channels`;
const ID = "c0000000-0000-4000-8000-000000000001";
const CHANNEL = `${LIST}/${ID}`;
const seed: ChannelSeed = { id: ID, label: "On call", type: "slack", value: SECRET };

/** An emulator with one channel of the healthy domain. */
async function managed(options: EmulatorOptions = {}, channel: ChannelSeed = {}): Promise<Emulator> {
  const emulator = await emulatorForTest({ lifecycle: "managed", now: "2026-01-31", ...options });
  if (!options.domains) emulator.addChannel(HEALTHY, { ...seed, ...channel });
  return emulator;
}

const rendered = {
  id: ID,
  label: "On call",
  type: "slack",
  type_human: "Slack",
  whois_notifications_enabled: true,
  dns_notifications_enabled: true,
  ssl_notifications_enabled: true,
  is_protected: false,
  is_disabled: false,
  disabled_reason: null,
  last_notification_sent_at: null,
  last_notification_sent_at_human: null,
  created_at: "2026-01-31 00:00:00",
  created_at_human: "0 seconds ago",
};

describe("a list", () => {
  it("of channels has those of the domain, without destinations", async () => {
    const emulator = await managed();
    emulator.addChannel(EXPIRING);

    const { status, body } = await said(await get(emulator, LIST));

    expect([status, body.data]).toEqual([200, [rendered]]);
  });

  it("of domains has each as a read of it", async () => {
    const emulator = await emulatorForTest();
    const domains = [];
    for (const { id } of emulator.domains().toReversed())
      domains.push((await said(await get(emulator, `/api/domains/${id}`))).body);

    const { status, body } = await said(await get(emulator, "/api/domains"));

    expect([status, body.data]).toEqual([200, domains]);
  });
});

describe("one channel", () => {
  it("is answered at the top level, as the PHP client reads it", async () => {
    const emulator = await managed();

    expect(await said(await get(emulator, CHANNEL))).toEqual({ status: 200, body: rendered });
  });

  it.each(["GET", "PATCH", "DELETE"])("is 404 to %s where the domain does not have it", async (method) => {
    const emulator = await managed();
    emulator.addChannel(EXPIRING, { id: "c0000000-0000-4000-8000-000000000002" });
    const ask = async (path: string) =>
      said(await send(emulator, method, path, method === "PATCH" ? { label: "Other" } : undefined));

    const noDomain = { status: 404, body: { message: "There is no such domain." } };
    const noChannel = { status: 404, body: { message: "There is no such channel." } };
    expect(await ask(`/api/domains/nobody/notification-channels/${ID}`)).toEqual(noDomain);
    expect(await ask(`/api/domains/1/notification-channels/${ID}`)).toEqual(noDomain);
    expect(await ask(`/api/domains/${EXPIRING}/notification-channels/${ID}`)).toEqual(noChannel);
    expect(await ask(`${LIST}/nobody`)).toEqual(noChannel);
    expect(emulator.channels()).toHaveLength(2);
  });
});

describe("a change of a channel", () => {
  it("changes the fields that are sent, and answers with the channel in `data`, as the PHP client reads it", async () => {
    const emulator = await managed();
    const [before] = emulator.channels();
    emulator.advance({ days: 1 });

    const answer = await send(emulator, "PATCH", CHANNEL, {
      label: "Renamed",
      ssl_notifications_enabled: false,
    });

    const changed = { label: "Renamed", ssl_notifications_enabled: false, created_at_human: "1 day ago" };
    expect(await said(answer)).toEqual({ status: 200, body: { data: { ...rendered, ...changed } } });
    expect(emulator.channels()).toEqual([{ ...before, label: "Renamed", sslNotificationsEnabled: false }]);
  });

  it.each([
    [{}, {}],
    [{ value: null }, { value: null }],
    [{ type: "email" }, { type: "email", typeHuman: "Email" }],
    [{ secondary_value: "device" }, { secondaryValue: "device" }],
  ])("leaves the rest as it is: %j", async (body, changed) => {
    const emulator = await managed();
    const [before] = emulator.channels();

    expect((await send(emulator, "PATCH", CHANNEL, body)).status).toBe(200);

    expect(emulator.channels()).toEqual([{ ...before, ...changed }]);
  });
});

describe("the removal of a channel", () => {
  it("answers 204, and 404 when it is repeated", async () => {
    const emulator = await managed();

    expect(await said(await send(emulator, "DELETE", CHANNEL))).toEqual({ status: 204, body: undefined });
    expect(emulator.channels()).toEqual([]);
    expect((await send(emulator, "DELETE", CHANNEL)).status).toBe(404);
    expect((await get(emulator, CHANNEL)).status).toBe(404);
  });
});

describe("a protected channel", () => {
  it("can be read; its change and its removal are refused with 403", async () => {
    const emulator = await managed({}, { isProtected: true });
    const before = emulator.channels();

    expect((await said(await get(emulator, CHANNEL))).body).toMatchObject({ is_protected: true });
    expect((await send(emulator, "PATCH", CHANNEL, { label: "Renamed" })).status).toBe(403);
    expect((await send(emulator, "DELETE", CHANNEL)).status).toBe(403);
    expect(emulator.channels()).toEqual(before);
  });
});

describe("faults", () => {
  it("that damage a body let an answer without one be", async () => {
    for (const rule of [
      { garbage: true },
      { truncate: 3 },
      { reset: "body" },
      { reset: "headers" },
    ] as const) {
      const emulator = await managed();
      emulator.fault(rule);

      const answer = await send(emulator, "DELETE", CHANNEL);

      expect([answer.status, await answer.text()]).toEqual([204, ""]);
    }
  });
});

describe("channels made, changed and removed by hand", () => {
  it("are on the wire at once", async () => {
    const emulator = await managed();

    const id = emulator.addChannel(EXPIRING, { isDisabled: true, disabledReason: "Bounced" });
    emulator.updateChannel(ID, {
      type: "webhook",
      value: "https://example.com/other",
      secondaryValue: "PUT",
      lastNotificationSentAt: "2026-01-30 00:00:00",
    });
    const address = `/api/domains/${EXPIRING}/notification-channels/${id}`;

    expect((await said(await get(emulator, address))).body).toMatchObject({
      label: "Made by hand",
      type: "email",
      type_human: "Email",
      is_disabled: true,
      disabled_reason: "Bounced",
    });
    expect((await said(await get(emulator, CHANNEL))).body).toMatchObject({
      type: "webhook",
      type_human: "Webhook",
      last_notification_sent_at: "2026-01-30 00:00:00",
      last_notification_sent_at_human: "1 day ago",
    });
    expect(emulator.channels(HEALTHY)).toMatchObject([
      { value: "https://example.com/other", secondaryValue: "PUT" },
    ]);
    emulator.removeChannel(id);
    expect((await get(emulator, address)).status).toBe(404);
    expect(emulator.channels()).toHaveLength(1);
  });

  it("come with a domain, and come back with a reset, ids included", async () => {
    const channels = [{ ...seed, isProtected: true, createdAt: "2025-01-01 00:00:00" }, { label: "Second" }];
    const emulator = await managed({ domains: [{ id: HEALTHY, channels }] });
    const before = emulator.channels();
    expect(before).toMatchObject([channels[0], { label: "Second", createdAt: "2026-01-31 00:00:00" }]);

    emulator.removeChannel(ID);
    emulator.updateChannel(before[1]?.id ?? "", { label: "Renamed" });
    emulator.addChannel(HEALTHY);
    emulator.reset();

    expect(emulator.channels()).toEqual(before);
  });

  it("need an id that is a UUID and not taken", async () => {
    const emulator = await managed();

    for (const id of ["history", ""]) expect(() => emulator.addChannel(HEALTHY, { id })).toThrow(RangeError);
    expect(() => emulator.addChannel(HEALTHY, { id: ID })).toThrow("already has a channel with the id");
    await expect(emulatorForTest({ domains: [{ channels: [seed, seed] }] })).rejects.toThrow("already has");
    expect(emulator.channels()).toHaveLength(1);
  });
});

describe("the description", () => {
  const described = async (options: EmulatorOptions) => {
    const { url } = await emulatorForTest(options);
    const { body } = await said(await fetch(`${url}/openapi.json`));
    return { ...body, servers: undefined };
  };

  it("has these operations only with the options, and is otherwise the same", async () => {
    const plain = await described({ listDomains: false });
    const full = await described({ lifecycle: "managed" });
    const operationsIn = ({ paths }: typeof full) =>
      Object.values<Record<string, { operationId: string }>>(paths).flatMap((methods) =>
        Object.values(methods).map(({ operationId }) => operationId),
      );

    const added = operationsIn(full).filter((name) => !operationsIn(plain).includes(name));
    expect(added.sort()).toEqual([
      "createDomain",
      "deleteDomain",
      "deleteNotificationChannel",
      "getNotificationChannel",
      "listDomains",
      "listNotificationChannels",
      "updateDomain",
      "updateNotificationChannel",
    ]);
    expect(full).toMatchObject(plain);
  });
});
