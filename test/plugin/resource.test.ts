/**
 * The engine's calls for a channel, against the bundle. Behaviour that both forms share is tested
 * in test/provider.
 */
import { LogSeverity } from "@pulumi/pulumi/proto/engine_pb";
import { UNKNOWN } from "../../src/provider/boundary";
import { closeAll } from "../client/support/cleanup";
import { createAsAsked, gate, held, startService } from "../client/support/service";
import {
  FLAGS,
  SLACK_URL,
  slackChannel,
  TOKEN,
  webhookChannel,
} from "../provider/support/channels";
import { CHANNEL_URN, refusalOf, secret, usePlugin } from "./support/plugin-process";

const recorded = { ...slackChannel, ...FLAGS, channelId: "1" };

const { emulator, plugin } = usePlugin({});

afterEach(closeAll);

describe("a channel", () => {
  test("has no destination where none is given, because null does not travel from every language", async () => {
    const { value: _destination, ...given } = slackChannel;
    expect(await plugin.check(given)).toEqual({ inputs: { ...given, value: null }, failures: [] });
  });

  test("shows its warnings under the resource, before the call has its result", async () => {
    await plugin.check({ ...slackChannel, value: "not-an-address" });
    await plugin.diff("1", recorded, { ...slackChannel, label: "Another" });
    const line = { urn: CHANNEL_URN, severity: LogSeverity.WARNING };
    expect(plugin.logged).toEqual([
      { ...line, message: expect.stringContaining("value does not look like") },
      { ...line, message: expect.stringMatching(/^"Ops on-call" .* stays\./) },
    ]);
  });
});

test("A channel that the dynamic provider created keeps that provider's text, so that it can be moved back", async () => {
  const text = { __provider: "exports.handler=…" };
  const moved = { ...recorded, ...text };
  const read = await plugin.read("1", moved);
  expect(read).toMatchObject({ id: "1", properties: text, inputs: undefined });
  expect(await plugin.diff("1", moved, slackChannel)).toMatchObject({ changes: "none" });
  expect(await plugin.update("1", moved, slackChannel)).toMatchObject(text);
});

describe("a difference", () => {
  const olds = { ...webhookChannel, ...FLAGS, secondaryValue: null, channelId: "1" };

  test("names the inputs and their kind of change, but no value", async () => {
    const news = { ...webhookChannel, label: "Renamed", value: null, secondaryValue: "PUT" };
    const detailed = {
      label: "update-replace",
      value: "delete-replace",
      secondaryValue: "add-replace",
      dnsNotificationsEnabled: "update-replace",
    };

    const names = Object.keys(detailed);
    const found = { changes: "some", diffs: names, replaces: names, deleteBeforeReplace: false };
    expect(await plugin.diff("1", olds, news)).toEqual({ ...found, detailed });
  });

  test("of a managed channel has the kind of an update where nothing is replaced", async () => {
    const managed = { ...olds, lifecycle: "managed", unconfirmed: ["value"] };
    const news = { ...managed, label: "Renamed", type: "email" };

    expect(await plugin.diff("1", managed, news)).toMatchObject({
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
  test("takes a value that is not known yet for a possible change, and asks nothing", async () => {
    const inputs = { ...slackChannel, domainId: UNKNOWN, value: UNKNOWN };
    const checked = await plugin.check(inputs);
    expect(checked).toEqual({ inputs: { ...inputs, value: secret(UNKNOWN) }, failures: [] });

    const diff = await plugin.diff("1", recorded, inputs);
    expect(diff).toMatchObject({ changes: "some", replaces: ["domainId", "value"] });
    expect(emulator.requests).toEqual([]);
  });

  test("creates nothing, whatever the engine asks for", async () => {
    // The engine would take a handshake for a yes to creates in previews.
    await expect(plugin.handshake()).rejects.toMatchObject({ code: 12 });

    const answer = await plugin.configure({ baseUrl: emulator.url, apiToken: secret(TOKEN) });
    const not = { supportspreview: false, acceptoutputs: false, acceptresources: false };
    expect(answer).toMatchObject({ ...not, acceptsecrets: true });

    const message =
      "the engine asked for a change in a preview, which this plugin does not do: update the Pulumi CLI";

    const created = plugin.create(slackChannel, { preview: true });
    expect(await refusalOf(created)).toMatchObject({ message });
    const updated = plugin.update("1", recorded, slackChannel, { preview: true });
    expect(await refusalOf(updated)).toMatchObject({ message });
    expect(emulator.channels()).toEqual([]);
    expect(emulator.requests).toEqual([]);
  });
});

describe("bad input", () => {
  test("is refused with all problems at once, and without a property's value", async () => {
    await plugin.configure({ baseUrl: emulator.url, apiToken: secret(TOKEN), maxRetries: "many" });
    const { failures } = await plugin.check({ ...slackChannel, label: "x", colour: "red" });
    expect(failures).toEqual([
      { property: "", reason: expect.stringContaining("domain-monitoring:maxRetries is not a ") },
      { property: "", reason: expect.stringContaining("label has a length of 1") },
      { property: "", reason: "colour is not a property of a notification channel: remove it" },
    ]);
    expect(plugin.logged).toEqual([]);
  });

  test("an input that only the npm package takes (adopt) is refused with the option to use instead", async () => {
    const managed = { ...slackChannel, lifecycle: "managed" };
    const adopt = "44444444-4444-4444-8444-444444444444";
    const reason =
      "adopt is not an input of the plugin: remove it, and set the resource option import to DOMAIN_ID/CHANNEL_ID";

    for (const declared of [adopt, false])
      expect((await plugin.check({ ...managed, adopt: declared })).failures).toEqual([
        { property: "", reason },
      ]);

    // A state written by the npm package has `adopt`.
    const { inputs, failures } = await plugin.check(managed, { ...managed, adopt });
    expect(failures).toEqual([]);
    expect(inputs).not.toHaveProperty("adopt");
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

test("Text that no message can hold is replaced", async () => {
  const half = "Slack \ud83d";
  await plugin.delete("channel-9", { ...slackChannel, channelId: "channel-9", label: half });

  expect(plugin.logged.at(-1)?.message).toContain('"Slack"');

  const id = emulator.addDomain({ description: half, label: UNKNOWN });
  const domain = await plugin.invoke("getDomain", { id });
  expect(domain.description).toBe("Slack \ufffd");
  expect(domain.label).not.toBe(UNKNOWN);
});

test("A failed create gets a response even if its messages would exceed 64 KiB", async () => {
  const body = { data: { id: "channel-8", label: "\u{1F4A3}".repeat(3_000) } };
  emulator.fault({ operation: "createNotificationChannel", status: 201, body });
  const value = `https://hooks.example.com/${"x".repeat(12_000)}`;
  const channel = { ...webhookChannel, label: "\u{1F600}".repeat(100), value };
  expect((await refusalOf(plugin.create(channel))).partial?.id).toBe("channel-8");
});

test("A create ends at the resource's own timeout, which may be longer than a timer can last", async () => {
  emulator.fault({ operation: "createNotificationChannel", stall: "before" });
  const { message } = await refusalOf(plugin.create(slackChannel, { timeout: 0.2 }));
  expect(message).toContain("0.2 s");
  expect(emulator.channels()).toEqual([]);

  const thirtyDays = 30 * 24 * 60 * 60;
  await plugin.create({ ...slackChannel, label: "Another" }, { timeout: thirtyDays });
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
