import { CHANNEL_TYPES } from "../../../src/client/types";
import {
  closeEmulators,
  EXPIRING,
  emulatorForTest,
  get,
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

describe("a refused channel", () => {
  const refused: [name: string, body: unknown, fields: string[]][] = [
    ["everything that is required", {}, ["label", "type", "value"]],
    ["a type that does not exist", { ...valid, type: "fax" }, ["type"]],
    ["a destination that is not text", { ...valid, value: 5 }, ["value"]],
    ["a webhook method", { ...valid, type: "webhook", secondary_value: "GET" }, ["secondary_value"]],
    [
      "a flag that is not a boolean",
      { ...valid, dns_notifications_enabled: "yes" },
      ["dns_notifications_enabled"],
    ],
    [
      "several fields at once",
      { ...valid, label: "", type: "webhook", secondary_value: "x" },
      ["label", "secondary_value"],
    ],
    ["a field that does not exist", { ...valid, secondaryValue: "POST" }, ["secondaryValue"]],
    [
      "a field with a dangerous name",
      `{"label":"On call","type":"email","value":null,"__proto__":1}`,
      ["__proto__"],
    ],
    ["a body that is not an object", "[]", ["body"]],
  ];

  it.each(refused)("answers 422 and names %s", async (_name, body, fields) => {
    const emulator = await emulatorForTest();

    const answer = await postChannel(emulator, body);

    expect(answer.status).toBe(422);
    const { message, errors } = JSON.parse(await answer.text());
    expect(message).toEqual(expect.any(String));
    expect(Object.keys(errors).sort()).toEqual(fields);
    for (const texts of Object.values(errors)) expect(texts).toEqual([expect.any(String)]);
    expect(emulator.channels()).toEqual([]);
  });

  it("answers 400 to a body that is not JSON and 415 to another media type", async () => {
    const emulator = await emulatorForTest();

    const broken = await postChannel(emulator, `{"value": "${DESTINATION}"`);
    const form = await fetch(`${emulator.url}/api/domains/${HEALTHY}/notification-channels`, {
      method: "POST",
      headers: { Authorization: `Bearer ${emulator.token}` },
      body: new URLSearchParams({ ...valid }),
    });

    expect(broken.status).toBe(400);
    expect(await broken.json()).toEqual({ message: expect.any(String) });
    expect(form.status).toBe(415);
    expect(await form.json()).toEqual({ message: expect.any(String) });
  });

  it("belongs to a domain that exists", async () => {
    const emulator = await emulatorForTest();

    const answer = await postChannel(emulator, valid, "nobody");

    expect(answer.status).toBe(404);
    expect(emulator.channels()).toEqual([]);
  });
});

describe("a destination", () => {
  it("is in no answer, in no log and in no error message", async () => {
    const emulator = await emulatorForTest();
    const bodies: unknown[] = [
      valid,
      { ...valid, type: "webhook", secondary_value: DESTINATION },
      { ...valid, type: DESTINATION },
      { ...valid, label: DESTINATION.repeat(3) },
      { ...valid, value: [DESTINATION] },
      { ...valid, dns_notifications_enabled: DESTINATION },
      { ...valid, extra: DESTINATION },
      `{"value": "${DESTINATION}", }`,
      JSON.stringify(DESTINATION),
    ];

    const answers = await Promise.all(bodies.map((body) => postChannel(emulator, body)));
    answers.push(await get(emulator, `/api/domains/${HEALTHY}`));

    for (const answer of answers) {
      expect(await answer.text()).not.toContain("very-secret");
      expect(JSON.stringify([...answer.headers])).not.toContain("very-secret");
    }
    expect(JSON.stringify(emulator.requests)).not.toContain("very-secret");
  });
});
