import { CHANNEL_TYPES } from "../../../src/client/types";
import {
  closeEmulators,
  EXPIRING,
  emulatorForTest,
  HEALTHY,
  postChannel,
  SQL_TS,
  said,
  UUID,
} from "./support";

afterEach(closeEmulators);

const DESTINATION = "https://hooks.example.com/very-secret-destination";
const valid = { label: "On call", type: "slack", value: DESTINATION };

describe("creating a channel", () => {
  it("answers 201 with what was sent, and makes a channel of the domain that tests can count", async () => {
    const emulator = await emulatorForTest();

    const answer = await said(await postChannel(emulator, { ...valid, dns_notifications_enabled: false }));
    await postChannel(emulator, { ...valid, label: "Other" }, EXPIRING);

    expect(answer).toMatchObject({
      status: 201,
      body: { data: { id: expect.stringMatching(UUID), label: "On call", dns_notifications_enabled: false } },
    });
    expect(emulator.channels()).toHaveLength(2);
    expect(emulator.channels(HEALTHY)).toEqual([
      {
        id: answer.body.data.id,
        domainId: HEALTHY,
        label: "On call",
        type: "slack",
        typeHuman: "Slack",
        value: DESTINATION,
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

  it("takes flags that are null or missing as true, and a destination that is null", async () => {
    const emulator = await emulatorForTest();
    const flags = { whois_notifications_enabled: null, ssl_notifications_enabled: false };

    const answer = await postChannel(emulator, { ...valid, value: null, ...flags });

    expect(answer.status).toBe(201);
    expect(emulator.channels()).toMatchObject([
      {
        value: null,
        whoisNotificationsEnabled: true,
        dnsNotificationsEnabled: true,
        sslNotificationsEnabled: false,
      },
    ]);
  });

  it("shows each type by its name", async () => {
    const emulator = await emulatorForTest();

    for (const type of CHANNEL_TYPES) await postChannel(emulator, { ...valid, type });

    const names = ["Email", "Discord", "Slack", "Microsoft Teams", "Pushover", "Webhook"];
    expect(emulator.channels().map(({ typeHuman }) => typeHuman)).toEqual(names);
  });

  it.each([
    ["webhook", "PUT"],
    ["webhook", null],
    ["pushover", "device"],
  ])("accepts for the type %s the secondary value %j", async (type, secondary) => {
    const emulator = await emulatorForTest();

    const answer = await postChannel(emulator, { ...valid, type, secondary_value: secondary });

    expect(answer.status).toBe(201);
    expect(emulator.channels()).toMatchObject([{ type, secondaryValue: secondary }]);
  });

  it("counts a label in code points", async () => {
    const emulator = await emulatorForTest();
    const status = async (label: string) => (await postChannel(emulator, { ...valid, label })).status;

    expect(await status("🔔".repeat(3))).toBe(201);
    expect(await status("🔔".repeat(100))).toBe(201);
    expect(await status("🔔".repeat(2))).toBe(422);
    expect(await status("🔔".repeat(101))).toBe(422);
  });
});

it("a channel belongs to a domain that exists", async () => {
  const emulator = await emulatorForTest();

  const answer = await postChannel(emulator, valid, "nobody");

  expect(answer.status).toBe(404);
  expect(emulator.channels()).toEqual([]);
});
