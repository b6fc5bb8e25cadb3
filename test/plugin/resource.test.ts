/**
 * The engine's calls for a channel, against the bundle. Behaviour that both forms share is tested
 * in test/provider/life.
 */
import type { Emulator } from "../../packages/domain-monitoring-emulator/src";
import { UNKNOWN_VALUES } from "../../src/provider/boundary";
import { closeAll } from "../client/support/cleanup";
import { createAsAsked, gate, held, startService } from "../client/support/service";
import {
  FLAGS,
  SLACK_URL,
  slackChannel,
  TOKEN,
  webhookChannel,
} from "../provider/support/channels";
import { type PluginProcess, refusalOf, secret, usePlugin } from "./support/plugin-process";

const URN = "urn:pulumi:test::test::domain-monitoring:index:NotificationChannel::ops";
const WARNING = 2;

/** The marks of unknown values. */
const marks = Object.values(UNKNOWN_VALUES);
let emulator: Emulator;
let plugin: PluginProcess;

usePlugin({}, (started) => {
  ({ emulator, plugin } = started);
});

afterEach(closeAll);

describe("a channel", () => {
  test("has no destination where none is given, because null does not travel from every language", async () => {
    const { value: _destination, ...given } = slackChannel;
    expect(await plugin.check(given)).toEqual({ inputs: { ...given, value: null }, failures: [] });
  });

  test("shows its warnings under the resource, before the call has its result", async () => {
    await plugin.check({ ...slackChannel, value: "not-an-address" });
    const { id, properties } = await plugin.create(slackChannel);
    await plugin.diff(
      id,
      { ...properties, value: SLACK_URL },
      { ...slackChannel, label: "Another" },
    );

    await plugin.delete(id, { ...properties, value: SLACK_URL });
    expect(plugin.logged).toEqual([
      { urn: URN, severity: WARNING, message: expect.stringContaining("value does not look like") },
      { urn: URN, severity: WARNING, message: expect.stringMatching(/^"Ops on-call" .* stays\./) },
      { urn: URN, severity: WARNING, message: expect.stringContaining("its replacement has it") },
    ]);
  });
});

test("A channel that the dynamic provider created keeps that provider's text, so that it can be moved back", async () => {
  const recorded = { ...slackChannel, ...FLAGS, channelId: "1", __provider: "exports.handler=…" };
  expect(await plugin.diff("1", recorded, slackChannel)).toMatchObject({ changes: "none" });
  expect((await plugin.read("1", recorded)).properties).toMatchObject({
    __provider: "exports.handler=…",
  });
  expect((await plugin.read("1", recorded)).inputs).toBeUndefined();
  expect(await plugin.update("1", recorded, slackChannel)).toMatchObject({
    __provider: "exports.handler=…",
  });
});

describe("a difference", () => {
  const recorded = { ...webhookChannel, ...FLAGS, secondaryValue: null, channelId: "1" };

  test("names the inputs and their kind of change, but no value", async () => {
    const news = {
      ...webhookChannel,
      label: "Renamed",
      value: null,
      secondaryValue: "PUT",
      sslNotificationsEnabled: false,
    };

    const names = [
      "label",
      "value",
      "secondaryValue",
      "dnsNotificationsEnabled",
      "sslNotificationsEnabled",
    ];

    expect(await plugin.diff("1", recorded, news)).toEqual({
      changes: "some",
      diffs: names,
      replaces: names,
      deleteBeforeReplace: false,
      detailed: {
        label: "update-replace",
        value: "delete-replace",
        secondaryValue: "add-replace",
        dnsNotificationsEnabled: "update-replace",
        sslNotificationsEnabled: "update-replace",
      },
    });
  });

  test("a difference of a managed channel names inputs that change in place or are unconfirmed", async () => {
    const managed = { ...recorded, lifecycle: "managed", unconfirmed: ["value"] };
    const news = {
      ...webhookChannel,
      ...FLAGS,
      secondaryValue: null,
      lifecycle: "managed",
      label: "Renamed",
      type: "email",
    };

    expect(await plugin.diff("1", managed, news)).toMatchObject({
      diffs: ["label", "type", "value"],
      replaces: ["type"],
      detailed: { label: "update", type: "update-replace", value: "update" },
    });
  });
});

test("A label that the program made secret is in an envelope in every response, and in no message", async () => {
  const hidden = { ...slackChannel, label: secret("Ops on-call"), value: secret(SLACK_URL) };
  const { inputs } = await plugin.check(hidden);
  expect(inputs).toEqual(hidden);

  const { id, properties } = await plugin.create(inputs);
  expect(properties).toMatchObject(hidden);
  expect(properties).not.toHaveProperty("secretLabel");
  // Making a label secret is an update, because the state has the label in clear.
  expect(await plugin.diff(id, { ...properties, label: "Ops on-call" }, inputs)).toMatchObject({
    diffs: ["label"],
  });
  expect(await plugin.read(id, properties)).toMatchObject({ properties: hidden });

  emulator.fault({ operation: "createNotificationChannel", reset: "after" });
  const { message } = await refusalOf(plugin.create(inputs));
  const data = { id: "channel-7" };
  emulator.fault({ operation: "createNotificationChannel", status: 201, body: { data } });

  const { partial } = await refusalOf(plugin.create({ ...inputs, domainId: "another" }));
  expect(partial?.properties).toMatchObject({ label: hidden.label, value: hidden.value });

  await plugin.delete(id, properties);
  const text = [message, ...plugin.logged.map((line) => line.message)].join("\n");
  expect(text).toContain('Notification channel "[secret]" (slack, domain');
  expect(text).not.toContain("Ops on-call");
});

describe("a preview", () => {
  test.each(marks)("takes %s for a possible change, and asks nothing", async (mark) => {
    const inputs = { ...slackChannel, domainId: mark, value: mark };
    const checked = await plugin.check(inputs);
    expect(checked).toEqual({ inputs: { ...inputs, value: secret(mark) }, failures: [] });

    const diff = await plugin.diff("1", { ...slackChannel, ...FLAGS, channelId: "1" }, inputs);
    expect(diff).toMatchObject({ changes: "some", replaces: ["domainId", "value"] });
    expect(plugin.logged[0]?.message).toContain(
      "may be replaced, and then stays (not known yet: domainId, value)",
    );
    expect(emulator.requests).toEqual([]);
  });

  test("creates nothing, whatever the engine asks for", async () => {
    const answer = await plugin.configure({ baseUrl: emulator.url, apiToken: secret(TOKEN) });
    expect(answer).toMatchObject({
      supportspreview: false,
      acceptsecrets: true,
      acceptoutputs: false,
      acceptresources: false,
    });

    const { message } = await refusalOf(plugin.create(slackChannel, { preview: true }));
    expect(message).toBe(
      "the engine asked for a change in a preview, which this plugin does not do: update the Pulumi CLI",
    );

    await refusalOf(plugin.update("1", slackChannel, slackChannel, { preview: true }));
    expect(emulator.channels()).toEqual([]);
    expect(emulator.requests).toEqual([]);
  });
});

describe("bad input", () => {
  test("is refused with all problems at once, and without a property's value", async () => {
    await plugin.configure({ baseUrl: emulator.url, apiToken: secret(TOKEN), maxRetries: "many" });
    const { failures } = await plugin.check({ type: "telegram", colour: "red" });
    expect(failures).toEqual([
      {
        property: "",
        reason: expect.stringContaining("domain-monitoring:maxRetries is not a whole number"),
      },
      { property: "", reason: "domainId is missing: give the id of the monitored domain" },
      { property: "", reason: "label is missing: give the channel a name" },
      { property: "", reason: expect.stringContaining("type is not a valid channel type") },
      { property: "", reason: "colour is not a property of a notification channel: remove it" },
    ]);
    expect(plugin.logged).toEqual([]);
  });

  test("an input that only the npm package takes (adopt) is refused with the option to use instead", async () => {
    const managed = { ...slackChannel, lifecycle: "managed" };
    const adopt = "44444444-4444-4444-8444-444444444444";
    for (const declared of [adopt, false])
      expect((await plugin.check({ ...managed, adopt: declared })).failures).toEqual([
        {
          property: "",
          reason:
            "adopt is not an input of the plugin: remove it, and set the resource option import to DOMAIN_ID/CHANNEL_ID",
        },
      ]);

    // A state written by the npm package has `adopt`.
    const { inputs, failures } = await plugin.check(managed, { ...managed, adopt });
    expect(failures).toEqual([]);
    expect(inputs).not.toHaveProperty("adopt");

    // Without `adopt` the channel belongs to the stack.
    const recorded = { ...managed, ...FLAGS, channelId: "1", adopt };
    expect(await plugin.diff("1", recorded, managed)).toMatchObject({
      changes: "some",
      replaces: [],
    });
  });

  test("an input of another resource is refused by the names of those that there are", async () => {
    const urn = "urn:pulumi:test::test::my:index:Group$domain-monitoring:index:Channel::ops";
    const { message } = await refusalOf(plugin.check(slackChannel, {}, urn));

    expect(message).toBe(
      "domain-monitoring:index:Channel is not a resource of this plugin: use domain-monitoring:index:NotificationChannel or " +
        "domain-monitoring:index:Domain",
    );
  });
});

test("Any id that is recorded is valid", async () => {
  expect(await plugin.read("channel-1", { channelId: "channel-1" })).toMatchObject({
    id: "channel-1",
  });
});

test.each(marks)("Text that no message can hold (%s) is replaced", async (mark) => {
  const half = "Slack \ud83d";
  await plugin.delete("channel-9", { ...slackChannel, channelId: "channel-9", label: half });

  expect(plugin.logged.at(-1)?.message).toContain('"Slack"');

  const id = emulator.addDomain({ description: half, label: mark });
  const domain = await plugin.invoke("getDomain", { id });
  expect(domain.description).toBe("Slack \ufffd");
  expect(domain.label).not.toBe(mark);
});

test("A failed create gets a response even if its messages would exceed 64 KiB", async () => {
  const body = { data: { id: "channel-8", label: "\u{1F4A3}".repeat(3_000) } };
  emulator.fault({ operation: "createNotificationChannel", status: 201, body });
  const value = `https://hooks.example.com/${"x".repeat(12_000)}`;
  const channel = { ...webhookChannel, label: "\u{1F600}".repeat(100), value };
  expect((await refusalOf(plugin.create(channel))).partial?.id).toBe("channel-8");
});

test("A create ends at the resource's own timeout", async () => {
  emulator.fault({ operation: "createNotificationChannel", stall: "before" });
  const { message } = await refusalOf(plugin.create(slackChannel, { timeout: 0.2 }));
  expect(message).toContain("0.2 s");
  expect(emulator.channels()).toEqual([]);
});

test("A timeout that is longer than a timer can last is no error", async () => {
  const thirtyDays = 30 * 24 * 60 * 60;
  await plugin.create(slackChannel, { timeout: thirtyDays });
  expect(emulator.channels()).toHaveLength(1);
});

test("Many creates at once share one limit, and a cancel waits for those in flight", async () => {
  const { opened, open } = gate();
  const service = await startService([held(opened, createAsAsked)]);
  await plugin.configure({ baseUrl: service.url, apiToken: secret(TOKEN), concurrency: "3" });
  const creates = Array.from({ length: 9 }, () => plugin.create(slackChannel));
  await service.arrived(3);
  await plugin.cancel();

  expect(service.requests).toHaveLength(3);

  open();
  await Promise.all(creates);
  expect(service.created).toBe(9);
});
