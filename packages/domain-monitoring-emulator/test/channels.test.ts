/** Channels, as created, made by hand, and changed by a test or an undocumented operation. */
import { at, channel, EXPIRING, HEALTHY, ID, SQL_TS, UUID } from "./examples";
import { ask, emulatorForTest, managedForTest, statuses } from "./support";

const CREATE = `POST ${at.channels}`;

describe("a create of a channel", () => {
  it("returns 201 with what was sent, and makes a channel of the domain that tests can count", async () => {
    const emulator = await emulatorForTest();
    emulator.addChannel(EXPIRING);
    const answer = await ask(emulator, CREATE, { ...channel, dns_notifications_enabled: false });
    const { id } = answer.body.data;
    const data = { label: "On call", type_human: "Slack" };

    expect(answer).toMatchObject({ status: 201, body: { data } });
    expect(id).toMatch(UUID);
    expect(emulator.channels()).toHaveLength(2);
    expect(emulator.channels(HEALTHY)).toMatchObject([
      {
        ...channel,
        id,
        domainId: HEALTHY,
        typeHuman: "Slack",
        secondaryValue: null,
        whoisNotificationsEnabled: true,
        dnsNotificationsEnabled: false,
        sslNotificationsEnabled: true,
        isProtected: false,
        isDisabled: false,
        disabledReason: null,
        lastNotificationSentAt: null,
        createdAt: expect.stringMatching(SQL_TS),
      },
    ]);
  });

  it("has a name for each type", async () => {
    const emulator = await emulatorForTest();
    const types = ["email", "discord", "slack", "ms_teams", "pushover", "webhook"];
    for (const type of types) await ask(emulator, CREATE, { ...channel, type });
    const names = ["Email", "Discord", "Slack", "Microsoft Teams", "Pushover", "Webhook"];
    expect(emulator.channels().map(({ typeHuman }) => typeHuman)).toEqual(names);
  });

  it.each<[sent: object, stored: object]>([
    [{ value: null }, { value: null }],
    [{ whois_notifications_enabled: null }, { whoisNotificationsEnabled: true }],
    [{ label: "🔔".repeat(3) }, { label: "🔔🔔🔔" }],
    [{ label: "🔔".repeat(100) }, { label: "🔔".repeat(100) }],
    [{ type: "pushover", secondary_value: "device" }, { secondaryValue: "device" }],
    [{ type: "webhook", secondary_value: "PUT" }, { secondaryValue: "PUT" }],
    [{ type: "webhook", secondary_value: null }, { secondaryValue: null }],
  ])("takes %j", async (sent, stored) => {
    const emulator = await emulatorForTest();
    expect((await ask(emulator, CREATE, { ...channel, ...sent })).status).toBe(201);
    expect(emulator.channels()).toMatchObject([stored]);
  });
});

const shown = {
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

describe("with `lifecycle: managed`, a channel", () => {
  it("is returned without `data` by a read, and is in its domain's list", async () => {
    const emulator = await managedForTest();
    emulator.addChannel(EXPIRING);
    expect(await ask(emulator, `GET ${at.channel}`)).toEqual({ status: 200, body: shown });
    expect((await ask(emulator, `GET ${at.channels}`)).body.data).toEqual([shown]);
  });

  it("is changed in the fields that are sent, and returned in `data`", async () => {
    const emulator = await managedForTest();
    const [before] = emulator.channels();
    emulator.advance({ days: 1 });

    const sent = { label: "Renamed", type: "email", ssl_notifications_enabled: false };
    const destination = { value: null, secondary_value: "device" };
    const answer = await ask(emulator, `PATCH ${at.channel}`, { ...sent, ...destination });
    const data = { ...shown, ...sent, type_human: "Email", created_at_human: "1 day ago" };
    const texts = { label: "Renamed", type: "email", typeHuman: "Email", value: null };
    const changed = { ...texts, secondaryValue: "device", sslNotificationsEnabled: false };

    expect(answer).toEqual({ status: 200, body: { data } });
    expect(emulator.channels()).toEqual([{ ...before, ...changed }]);
    expect(await ask(emulator, `PATCH ${at.channel}`, {})).toEqual(answer);
  });

  it("is removed by a 204, and 404 from then on", async () => {
    const emulator = await managedForTest();
    expect(await ask(emulator, `DELETE ${at.channel}`)).toEqual({ status: 204, body: undefined });
    expect(emulator.channels()).toEqual([]);
    const gone = [`DELETE ${at.channel}`, `GET ${at.channel}`];
    expect(await statuses(emulator, ...gone)).toEqual([404, 404]);
  });

  it("a channel that is protected can be read; its change and its removal are refused with 403", async () => {
    const emulator = await managedForTest({}, { isProtected: true });
    const before = emulator.channels();
    expect((await ask(emulator, `GET ${at.channel}`)).body).toMatchObject({ is_protected: true });
    for (const request of [`PATCH ${at.channel}`, `DELETE ${at.channel}`])
      expect(await ask(emulator, request, { label: "Renamed" })).toMatchObject({ status: 403 });

    expect(emulator.channels()).toEqual(before);
  });
});

describe("a channel made by hand", () => {
  it("is on the wire at once, also when it is changed and removed", async () => {
    const emulator = await managedForTest();
    const disabled = { isDisabled: true, disabledReason: "Bounced" };
    const id = emulator.addChannel(EXPIRING, disabled);
    emulator.updateChannel(ID, { type: "webhook", lastNotificationSentAt: "2026-01-30 00:00:00" });
    const address = `GET ${at.domains}/${EXPIRING}/notification-channels/${id}`;

    const made = { label: "Made by hand", type_human: "Email" };
    const why = { is_disabled: true, disabled_reason: "Bounced" };
    const last = "last_notification_sent_at";
    const sent = { [last]: "2026-01-30 00:00:00", [`${last}_human`]: "1 day ago" };

    expect((await ask(emulator, address)).body).toMatchObject({ ...made, ...why });
    const changed = (await ask(emulator, `GET ${at.channel}`)).body;
    expect(changed).toMatchObject({ type_human: "Webhook", ...sent });

    emulator.removeChannel(id);
    expect(await statuses(emulator, address)).toEqual([404]);
  });

  it("may be part of a domain's seed", async () => {
    const seed = { id: ID, ...channel, isProtected: true, createdAt: "2025-01-01 00:00:00" };
    const domains = [{ id: HEALTHY, channels: [seed, { label: "Second" }] }];
    const emulator = await emulatorForTest({ now: "2026-01-31", domains });
    const second = { label: "Second", createdAt: "2026-01-31 00:00:00" };
    expect(emulator.channels()).toMatchObject([seed, second]);
  });

  it("needs an id that is a UUID and not taken", async () => {
    const emulator = await managedForTest();
    const taken = "already has a channel with the id";
    const domains = [{ channels: [{ id: ID }, { id: ID }] }];
    for (const id of ["history", ""])
      expect(() => emulator.addChannel(HEALTHY, { id })).toThrow(RangeError);

    expect(() => emulator.addChannel(HEALTHY, { id: ID })).toThrow(taken);
    await expect(emulatorForTest({ domains })).rejects.toThrow(taken);
    expect(emulator.channels()).toHaveLength(1);
  });

  it("keeps its id, domain and creation time when it is updated", async () => {
    const emulator = await managedForTest();
    const before = emulator.channels();
    const kept = { id: "other", domainId: "other", createdAt: "2001-01-01 00:00:00" };
    const changes = { ...kept, label: undefined };
    emulator.updateChannel(ID, changes);
    for (const copy of emulator.channels()) copy.label = "edited";
    expect(emulator.channels()).toEqual(before);
  });
});
