/** What a provider says and sends, in this process. What every way to call it has in common: life.test.ts. */
import { UNKNOWN } from "../../src/common/markers";
import type { ResourceProvider } from "../../src/provider/boundary";
import { type Emulator, startEmulator } from "../../src/testing/emulator";
import { channel as wireChannel } from "../client/support/wire";
import { failureOf } from "../support/failure";
import { providerWith } from "./support/channel-stack";
import { DOMAIN, SLACK_URL, slackChannel, WEBHOOK_URL } from "./support/channels";

const STAYS = "This package cannot delete it, so it stays in the service and goes on notifying";
const CLEAN_UP = "Remove it in the service's own settings of that domain if nobody is to be notified";

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

  test("is adopted with the given inputs and its id", async () => {
    expect(await provider.read("channel-7", { label: "Adopted" })).toEqual({
      id: "channel-7",
      props: { label: "Adopted", channelId: "channel-7" },
      inputs: { label: "Adopted" },
    });
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
