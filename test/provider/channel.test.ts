/** The provider's methods in this process, where every word that they say can be compared. */
import { UNKNOWN } from "../../src/common/markers";
import type { ResourceProvider } from "../../src/provider/boundary";
import { type Emulator, type FaultRule, startEmulator } from "../../src/testing/emulator";
import { channel as wireChannel } from "../client/support/wire";
import { failureOf } from "../support/failure";
import { providerWith } from "./support/channel-stack";
import {
  DOMAIN,
  FLAGS,
  factsOf,
  SLACK_URL,
  SQL_TS,
  slackChannel,
  WEBHOOK_URL,
  webhookChannel,
} from "./support/channels";

const STAYS = "This package cannot delete it, so it stays in the service and goes on notifying";
const CLEAN_UP = "Remove it in the service's own settings of that domain if nobody is to be notified";
const REFUSED = 'onOrphan is "error", so this is refused';
const AS_IT_WAS = 'declare the channel as it was with onOrphan "warn", run `pulumi up`, then try again';

let warnings: string[];

function providerFor(baseUrl: string, further: Record<string, string> = {}): ResourceProvider {
  warnings = [];
  const settings = { baseUrl, apiToken: "token-of-the-test", maxRetries: "0", ...further };
  return providerWith(settings, (line) => warnings.push(line));
}

const messageOf = async (call: Promise<unknown>) => (await failureOf(call)).message;

describe("a channel", () => {
  let emulator: Emulator;
  let provider: ResourceProvider;

  beforeEach(async () => {
    emulator = await startEmulator({ token: "token-of-the-test" });
    provider = providerFor(emulator.url);
  });
  afterEach(() => emulator.close());

  test("is created as declared, with every output that the state contains", async () => {
    const { id, outs } = await provider.create(webhookChannel);
    expect(emulator.channels()).toMatchObject([{ id, ...webhookChannel }]);
    expect(outs).toEqual({
      ...FLAGS,
      ...webhookChannel,
      ...factsOf(id, "Webhook", SQL_TS),
    });
    expect(warnings).toEqual([]);
  });

  test.each(["whoisNotificationsEnabled", "dnsNotificationsEnabled", "sslNotificationsEnabled"])(
    "is created with %s as declared, and with the service's default if it is null",
    async (name) => {
      await provider.create({ ...slackChannel, [name]: false });
      await provider.create({ ...slackChannel, [name]: true });
      await provider.create({ ...slackChannel, [name]: null });
      expect(emulator.channels().map((channel) => Reflect.get(channel, name))).toEqual([false, true, true]);
      expect(warnings).toEqual([]);
    },
  );

  test("is created without a destination if none is declared, and has null in its outputs", async () => {
    const { outs } = await provider.create({ ...slackChannel, value: null });
    expect(emulator.channels()).toMatchObject([{ value: null, secondaryValue: null }]);
    expect(outs).toMatchObject({ value: null, secondaryValue: null });
  });

  test("is read as it was recorded, and a declared null does not become an input", async () => {
    const { id, outs } = await provider.create({ ...slackChannel, onOrphan: "error" });
    expect(await provider.read(id, outs)).toEqual({
      id,
      props: outs,
      inputs: { ...slackChannel, onOrphan: "error" },
    });
    const webhook = await provider.create(webhookChannel);
    expect((await provider.read(webhook.id, webhook.outs)).inputs).toEqual(webhookChannel);
  });

  test("is adopted with the given inputs and its id", async () => {
    expect(await provider.read("channel-7", { label: "Adopted" })).toEqual({
      id: "channel-7",
      props: { label: "Adopted", channelId: "channel-7" },
      inputs: { label: "Adopted" },
    });
  });

  test("keeps what the service returned for it through an update", async () => {
    const { id, outs } = await provider.create(webhookChannel);
    const recorded = { ...outs, isDisabled: true, disabledReason: "bounced", isProtected: true };
    const updated = await provider.update(id, recorded, { ...webhookChannel, onOrphan: "error" });
    expect(updated).toEqual({ outs: { ...recorded, onOrphan: "error" } });
    expect(emulator.requests).toHaveLength(1);
  });

  test.each<[string, FaultRule]>([
    ["its answer was lost", { reset: "after" }],
    ["the service failed", { status: 500 }],
    ["its answer cannot be used", { garbage: true }],
    ["a proxy gave up", { status: 504 }],
    ["the service timed out", { status: 408 }],
  ])("is not created again in the same process if %s, and others are", async (_case, rule) => {
    emulator.fault({ operation: "createNotificationChannel", ...rule });
    const first = await messageOf(provider.create(slackChannel));
    expect(first).toMatch(/^POST .* may have been created anyway: look for it in the service/);
    const again = await messageOf(provider.create({ ...slackChannel, onOrphan: "error" }));
    expect(again).toBe(
      `Notification channel "Ops on-call" (slack, domain ${DOMAIN}) is not created again in this run. ${first}`,
    );
    expect(await messageOf(provider.create(slackChannel))).toBe(again);
    // Said once, as the engine does not show the errors of what a hook repeats.
    expect(warnings).toEqual([again]);
    expect(emulator.requests).toHaveLength(1);
    const another = [
      { ...slackChannel, label: "Another" },
      { ...slackChannel, value: `${SLACK_URL}/2` },
    ];
    for (const channel of another) await provider.create(channel);
    // The next update has a process of its own.
    await providerFor(emulator.url).create(slackChannel);
    expect(emulator.requests).toHaveLength(4);
  });

  test.each<[string, FaultRule]>([
    ["the service refused it", { status: 422 }],
    ["there were too many requests", { status: 429 }],
  ])("is created again if %s", async (_case, rule) => {
    emulator.fault({ operation: "createNotificationChannel", ...rule });
    await messageOf(provider.create(slackChannel));
    await provider.create(slackChannel);
    expect(emulator.channels()).toHaveLength(1);
    expect(warnings).toEqual([]);
  });

  test("whose label the program keeps secret is named without it, in errors of the service too", async () => {
    const hidden = { ...slackChannel, secretLabel: true };
    emulator.fault({ operation: "createNotificationChannel", reset: "after" });
    const told = [await messageOf(provider.create(hidden)), await messageOf(provider.create(hidden))];
    await provider.delete("channel-1", hidden);
    told.push(...warnings);
    expect(told.join("\n")).toContain('Notification channel "[secret]" (slack, domain');
    expect(told.join("\n")).not.toContain("Ops on-call");
    const { inputs } = await provider.check({}, hidden);
    expect(inputs).toEqual(hidden);
  });

  test("may be declared twice on purpose", async () => {
    const [first, second] = [await provider.create(slackChannel), await provider.create(slackChannel)];
    expect(first.id).not.toBe(second.id);
    expect(emulator.channels()).toHaveLength(2);
  });

  test("that was created although its answer has only its id is not created again in the same process", async () => {
    const body = { data: { id: "channel-7" } };
    emulator.fault({ operation: "createNotificationChannel", status: 201, body });
    await messageOf(provider.create(slackChannel));
    const again = await provider.create(slackChannel);
    expect(again).toMatchObject({ id: "channel-7", outs: { ...slackChannel, channelId: "channel-7" } });
    expect(warnings).toEqual([
      `Notification channel "Ops on-call" (slack, domain ${DOMAIN}, id channel-7) was created by an earlier attempt of this run: no other one is created`,
    ]);
    expect(emulator.requests).toHaveLength(1);
  });

  test.each(["04da6b54-80e4-46f7-96ec-b56ff0331ba9", "half \ud83d", "..", " "])(
    "is named if its id %j cannot be recorded, and is not created again in the same process",
    async (id) => {
      const body = { data: { ...wireChannel({ label: "Ops on-call", type: "slack" }), id } };
      emulator.fault({ operation: "createNotificationChannel", status: 201, body });
      const message = await messageOf(provider.create(slackChannel));
      expect(message).toMatch(
        /^Notification channel "Ops on-call" .* was created, but the service answered with the id ".*", which cannot be recorded: look for the channel in the service by its label/,
      );
      expect(await messageOf(provider.create(slackChannel))).toContain("is not created again in this run");
      expect(emulator.requests).toHaveLength(1);
    },
  );

  test("that is too large to be recorded after a failure is not said to be", async () => {
    const body = { data: { id: "channel-7" } };
    emulator.fault({ operation: "createNotificationChannel", status: 201, body });
    const value = `https://hooks.example.com/${"x".repeat(20_000)}`;
    const message = await messageOf(provider.create({ ...slackChannel, value }));
    expect(message).toMatch(/id channel-7\) was created, but the rest .* cannot be used/);
    expect(message).toMatch(/so the next `pulumi up` creates another one: remove this one first$/);
    expect(message).not.toContain("creates no other one");
  });

  test.each(["warn", "error"])(
    "is let go by a delete if stack config lists it, with onOrphan %s",
    async (onOrphan) => {
      provider = providerFor(emulator.url, { abandon: "CHANNEL-1, another-1 ,, channel-3" });
      for (const id of ["channel-1", "Another-1"]) await provider.delete(id, { ...slackChannel, onOrphan });
      expect(warnings).toEqual(
        ["channel-1", "Another-1"].map(
          (id) =>
            `Notification channel "Ops on-call" (slack, domain ${DOMAIN}, id ${id}) leaves this stack, as stack config domain-monitoring:abandon lists it. It stays in the service and goes on notifying. ${CLEAN_UP}`,
        ),
      );
    },
  );

  test("is added to those that are let go already by the command that a refused delete advises", async () => {
    provider = providerFor(emulator.url, { abandon: "channel-1" });
    const refused = { ...slackChannel, onOrphan: "error" };
    expect(await messageOf(provider.delete("channel-2", refused))).toContain(
      "`pulumi config set domain-monitoring:abandon channel-1,channel-2`",
    );
    expect(await messageOf(provider.delete("channel-3", refused))).toContain(
      "`pulumi config set domain-monitoring:abandon channel-1,channel-2,channel-3`",
    );
  });

  test("is deleted from the state with a one-line warning that names it and hides its destination", async () => {
    await provider.delete("channel-1", { ...slackChannel, label: `to ${SLACK_URL}\nteam` });
    expect(warnings).toEqual([
      `Notification channel "to [redacted] team" (slack, domain ${DOMAIN}, id channel-1) leaves this stack. ${STAYS}. ${CLEAN_UP}`,
    ]);
  });

  test("is not deleted with onOrphan error, and the error says what to do", async () => {
    const message = await messageOf(provider.delete("channel-1", { ...slackChannel, onOrphan: "error" }));
    expect(message).toBe(
      `Notification channel "Ops on-call" (slack, domain ${DOMAIN}, id channel-1) is not deleted. ${STAYS}. ${REFUSED}: run \`pulumi config set domain-monitoring:abandon channel-1\` and \`pulumi up\`, which drops it from the state, and then repeat this if it was a destroy. If it is the last channel of the program, ${AS_IT_WAS}`,
    );
    expect(warnings).toEqual([]);
  });

  test("is rejected with every problem of its inputs, without the property name that would make the engine print the value", async () => {
    const { failures } = await provider.check({}, { ...slackChannel, label: "x", type: "pigeon" });
    expect(failures).toEqual([
      { property: "", reason: expect.stringMatching(/^label /) },
      { property: "", reason: expect.stringMatching(/^type /) },
    ]);
  });

  test("is named in a preview by its known inputs, with everything that changes", async () => {
    const known = { ...slackChannel, label: UNKNOWN };
    await provider.diff("channel-1", known, { ...known, type: "discord", value: WEBHOOK_URL });
    expect(warnings[0]).toContain('Notification channel "?" (slack,');
    expect(warnings[0]).toContain("(changed: type, value)");
    await provider.diff("channel-1", slackChannel, { ...slackChannel, label: UNKNOWN, value: UNKNOWN });
    expect(warnings[1]).toContain("(not known yet: label, value)");
  });

  test("is reported in check if its destination looks wrong for its type", async () => {
    const checked = await provider.check({}, { ...slackChannel, value: "not a URL" });
    expect(checked.failures).toEqual([]);
    expect(warnings).toEqual([
      `Notification channel "Ops on-call" (slack, domain ${DOMAIN}): value does not look like the https webhook URL that a channel of type slack usually has: check it`,
    ]);
  });
});

describe("a response that differs from the interface or the declaration", () => {
  let emulator: Emulator;
  let provider: ResourceProvider;

  beforeEach(async () => {
    emulator = await startEmulator({ token: "token-of-the-test" });
    provider = providerFor(emulator.url);
  });
  afterEach(() => emulator.close());

  const answer = (data: object) => emulator.fault({ status: 201, body: { data } });
  const created = wireChannel({ id: "channel-9", label: "Ops on-call", type: "slack", type_human: "Slack" });
  const title = `Notification channel "Ops on-call" (slack, domain ${DOMAIN}, id channel-9)`;

  test("is reported with the names of the differing fields, and the declared values are kept", async () => {
    const other = { label: "Other", type: "discord", ssl_notifications_enabled: false };
    answer({ ...created, ...other, whois_notifications_enabled: false });
    const declared = { ...slackChannel, dnsNotificationsEnabled: false, sslNotificationsEnabled: true };
    const { id, outs } = await provider.create(declared);
    expect(outs).toMatchObject({ ...declared, channelId: id });
    // Nothing was declared of whois, so the service decides.
    expect(warnings).toEqual(
      ["label", "type", "dnsNotificationsEnabled", "sslNotificationsEnabled"].map(
        (name) =>
          `${title}: the service answered with another ${name} than was declared: look at the channel in the service`,
      ),
    );
  });

  test.each([
    ["has an id", { ...created, is_disabled: "no" }],
    ["has nothing but an id", { id: "channel-9" }],
  ])("and %s records an existing channel, to be completed without another create", async (_case, data) => {
    answer(data);
    const error = await failureOf(provider.create(slackChannel));
    const outs = { ...slackChannel, ...FLAGS, secondaryValue: null, ...factsOf("channel-9", "slack") };
    expect(error).toMatchObject({ id: "channel-9", properties: outs });
    const [start, end] = error.message.split(/ \(data.*\)/);
    expect(start).toBe(`${title} was created, but the rest of the service's answer cannot be used`);
    expect(end).toBe(": run `pulumi up` again to complete its record, which creates no other one");
    // The update that the engine then asks for.
    expect(await provider.update("channel-9", {}, slackChannel)).toEqual({ outs });
  });

  test("and has no id fails, with nothing to record", async () => {
    answer({ ...created, id: 7 });
    const message = await messageOf(provider.create(slackChannel));
    expect(message).not.toContain("was created, but the rest");
    expect(message).not.toContain(SLACK_URL);
  });
});

describe("a provider without settings", () => {
  test("still compares and deletes, and says what a create needs", async () => {
    const provider = providerWith({});
    const environment = { ...process.env };
    delete process.env.DOMAIN_MONITORING_BASE_URL;
    delete process.env.DOMAIN_MONITORING_API_TOKEN;
    try {
      expect(await provider.diff("channel-1", slackChannel, slackChannel)).toMatchObject({ changes: false });
      await provider.delete("channel-1", slackChannel);
      const message = await messageOf(provider.create(slackChannel));
      expect(message).toContain("domain-monitoring:baseUrl");
      expect(message).toContain("DOMAIN_MONITORING_BASE_URL");
    } finally {
      Object.assign(process.env, environment);
    }
  });
});
