/**
 * What a provider does and says for a channel from its check to its delete, and after each failure
 * of a create. test/e2e/life.test.ts and test/plugin have the same over the wire.
 */
import type { FaultRule } from "../../packages/domain-monitoring-emulator/src";
import {
  type Properties,
  type ResourceProvider,
  UNKNOWN_VALUES,
} from "../../src/provider/boundary";
import { channel as wireChannel } from "../client/support/wire";
import { failureOf } from "../support/failure";
import { type ChannelStack, providerWith } from "./support/channel-stack";
import {
  DOMAIN,
  expectNoSecret,
  FLAGS,
  factsOf,
  SLACK_URL,
  slackChannel,
  webhookChannel,
} from "./support/channels";
import { failure, fault, onlyMessage, service, stackOf, useService } from "./support/service";

let stack: ChannelStack;
let provider: ResourceProvider;

useService("NotificationChannel");

beforeEach(() => {
  stack = stackOf({ lifecycle: "create-only" });
  provider = stack.provider();
});

const answer = (data: object) => fault("create", { status: 201, body: { data } });

/** The message that the engine gets about a create that fails, and what it then records. */
async function refusalOf(call: Promise<unknown>) {
  const error: Error & { id?: string; properties?: Properties } = await failureOf(call);
  expectNoSecret(error.message);
  const { message, id, properties } = error;
  return { message, partial: properties && { id, properties } };
}

test("a channel is made by one request from check to delete, which leaves it in the service", async () => {
  const { inputs, failures } = await provider.check({}, webhookChannel);
  expect({ inputs, failures }).toEqual({ inputs: webhookChannel, failures: [] });

  const { id, outs } = await provider.create(inputs);
  expect(service.channels()).toMatchObject([{ id, ...webhookChannel }]);
  const createdAt = expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);
  expect(outs).toEqual({ ...FLAGS, ...webhookChannel, ...factsOf(id, "Webhook", createdAt) });

  const none = { changes: false, diffs: [], replaces: [] };
  expect(await provider.diff(id, outs, inputs)).toEqual(none);
  expect(await provider.read(id, outs)).toEqual({ id, props: outs });

  // Facts that the service has stated are kept.
  const recorded = { ...outs, isDisabled: true, disabledReason: "bounced", isProtected: true };
  expect(await provider.update(id, recorded, inputs)).toEqual({ outs: recorded });

  await provider.delete(id, outs);
  expect(service.channels()).toHaveLength(1);
  expect(service.requests).toHaveLength(1);
});

test("a channel has no destination if null is declared, which a refresh leaves in the record", async () => {
  const { inputs } = await provider.check({}, { ...slackChannel, value: null });
  const { id, outs } = await provider.create(inputs);

  expect(service.channels()).toMatchObject([{ id, value: null, secondaryValue: null }]);
  expect(outs).toMatchObject({ value: null, secondaryValue: null });
  expect(await provider.read(id, outs)).toEqual({ id, props: outs });
  expect(await provider.diff(id, outs, inputs)).toMatchObject({ changes: false });
});

test("a channel of many is named once, in a short line: the first three by the preview, all by the update", async () => {
  const many = [1, 2, 3, 4, 5].map((number) => ({
    ...slackChannel,
    channelId: `7f0c9a52-6a7e-4a0e-9f3b-5f6a3c1d2e1${number}`,
    label: "On-call of the platform team ".repeat(3),
  }));

  for (const recorded of many)
    await provider.diff(recorded.channelId, recorded, { ...recorded, type: "discord" });

  const [first, second, third, ...others] = many.map(({ channelId }) =>
    expect.stringMatching(`^"On-call of .*…" \\(id ${channelId}, domain ${DOMAIN}\\) stays`),
  );

  const announced = [first, second, third, "Every other channel that is replaced stays as well"];
  expect(stack.messages).toEqual(announced);

  for (const recorded of many) await provider.delete(recorded.channelId, recorded);
  expect(stack.messages).toEqual([...announced, ...others]);

  const [, ...unexplained] = stack.messages;

  for (const line of unexplained) expect(line.length).toBeLessThanOrEqual(120);
});

test("a channel may be created after a refusal, which quotes no destination", async () => {
  fault("create", { status: 422, body: { message: `${SLACK_URL} is taken.` } });
  const { message, partial } = await refusalOf(provider.create(slackChannel));

  expect(message).toContain("The service says: [redacted] is taken.");
  expect(partial).toBeUndefined();

  await provider.create(slackChannel);
  expect(service.channels()).toHaveLength(1);
});

test.each<[string, FaultRule, number]>([
  ["its answer was lost", { reset: "after" }, 1],
  ["its request was interrupted", { reset: "before" }, 0],
  ["its answer cannot be used", { garbage: true }, 1],
  ["the answer has no id", { status: 200, body: { data: { id: "" } } }, 0],
  ["a proxy gave up", { status: 504, body: "<html>Gateway timeout</html>" }, 0],
])("a channel is not created again by one process if %s", async (_case, rule, created) => {
  fault("create", rule);
  const { message: first, partial } = await refusalOf(provider.create(slackChannel));

  expect(partial).toBeUndefined();
  expect(first).toMatch(/^POST .* "Ops on-call" \(slack\) /);

  for (const declared of [slackChannel, { ...slackChannel }]) {
    const again = await refusalOf(provider.create(declared));
    expect(again.message).toContain(first);
  }

  // Once for all, as the engine does not show the errors of a create that a hook repeats.
  expect(stack.messages.join("\n").split(first)).toHaveLength(2);
  expect(service.requests).toHaveLength(1);

  await provider.create({ ...slackChannel, label: "Another" });
  expect(service.channels()).toHaveLength(created + 1);
});

test("a channel whose create returned only an id is recorded and not created again", async () => {
  answer({ id: "channel-9" });
  const { message, partial } = await refusalOf(provider.create(slackChannel));

  expect(message).toMatch(
    /id channel-9\) was created, but the rest of the service's response cannot be used \(label.*\): run `pulumi up` again to complete its record, which does not create another channel unless the resource has the option replaceOnChanges: take that out first$/,
  );

  const known = { ...slackChannel, ...FLAGS, secondaryValue: null };
  const outs = { ...known, ...factsOf("channel-9", "slack"), unread: true };
  expect(partial).toEqual({ id: "channel-9", properties: outs });

  const { inputs } = await provider.check(slackChannel, slackChannel);
  expect(await provider.diff("channel-9", outs, inputs)).toMatchObject({ changes: false });
  expect(await provider.update("channel-9", outs, inputs)).toEqual({ outs });
  expect(await provider.create(slackChannel)).toEqual({ id: "channel-9", outs });
  expect(stack.messages.join("\n")).toContain(
    "was created by an earlier attempt of this run: it is not",
  );
  expect(service.requests).toHaveLength(1);
});

test("a channel whose create returned only an id is named alone if its record is too large for a message", async () => {
  answer({ id: "channel-9" });
  const value = `https://hooks.slack.example/slack-secret/${"x".repeat(20_000)}`;
  const { message, partial } = await refusalOf(provider.create({ ...slackChannel, value }));

  expect(message).toMatch(/id channel-9\) was created, but the rest .* cannot be used/);
  expect(message).toMatch(/so the next `pulumi up` creates another one: remove this one first$/);
  expect(message).not.toContain("does not create another channel");
  expect(partial).toBeUndefined();
});

const NO_IDS = ["half \ud83d", "..", " ", "x; curl|sh", "a/b", "x".repeat(65)];

test.each([...Object.values(UNKNOWN_VALUES), ...NO_IDS])(
  "a channel whose id %j cannot be recorded is named, and not created again by the process",
  async (id) => {
    // Whether or not the rest of the answer can be used.
    const rest = wireChannel({ label: "Ops on-call", type: "slack" });
    answer(id === ".." ? { id } : { ...rest, id });
    const { message, partial } = await refusalOf(provider.create(slackChannel));

    expect(message).toMatch(
      /created with an id that cannot be recorded.* look for .* in the service/,
    );
    expect(message).toContain('"Ops on-call"');
    expect(partial).toBeUndefined();

    await refusalOf(provider.create(slackChannel));
    expect(service.requests).toHaveLength(1);
  },
);

describe("a channel", () => {
  test("whose label is secret is named without it, even in errors of the service", async () => {
    const hidden = { ...slackChannel, secretLabel: true };
    fault("create", { reset: "after" });
    const first = await failure(provider.create(hidden));
    const again = await failure(provider.create(hidden));
    await provider.delete("channel-1", hidden);

    expect(again).toBe(
      `Notification channel "[secret]" (slack, domain ${DOMAIN}) is not created again in this run. ${first}`,
    );
    expect([again, ...stack.messages].join("\n")).not.toContain("Ops on-call");

    const { inputs } = await provider.check({}, hidden);
    expect(inputs).toEqual(hidden);
  });

  test.each(["create-only", "managed"])(
    "is dropped by a delete if stack config lists it: %s",
    async (lifecycle) => {
      const first = "7f0c9a52-6a7e-4a0e-9f3b-5f6a3c1d2e11";
      const abandoning = stackOf({ abandon: `${first.toUpperCase()}, another-1 ,, channel-3` });
      const shared = abandoning.provider();
      for (const id of [first, "another-1"])
        await shared.delete(id, { ...slackChannel, lifecycle });

      const line = (id: string) =>
        `Notification channel "Ops on-call" (slack, domain ${DOMAIN}, id ${id}) is removed from this stack and stays in the service, because domain-monitoring:abandon lists it`;

      // What is the same for all of them is explained once.
      expect(abandoning.messages).toEqual([
        `${line(first)}. It keeps notifying: delete it in the domain's notification settings`,
        line("another-1"),
      ]);
    },
  );

  test("leaves the state with a warning that says what stays", async () => {
    await provider.delete("channel-1", slackChannel);
    expect(onlyMessage(stack)).toBe(
      `"Ops on-call" (id channel-1, domain ${DOMAIN}) stays. The service documents no way to delete a channel, so this one keeps notifying: delete it in the domain's notification settings`,
    );
  });

  test.each([
    [`to ${SLACK_URL}\nteam`, SLACK_URL, "to [redacted] team"],
    ["to slack-secret\nof two lines", "slack-secret\nof two lines", "to [redacted]"],
    ["first\nsecond\u001b[31m\u2028third", null, "first second third"],
    [{ of: "another version" }, { of: "another version" }, "?"],
  ])("leaves the state with one line, whatever its label is: %j", async (label, value, shown) => {
    await provider.delete("channel-1", { ...slackChannel, label, value });
    const warning = onlyMessage(stack);
    expect(warning).toContain(`"${shown}" (id channel-1, domain ${DOMAIN}) stays`);
    expect(warning).toMatch(/^[ -~]+$/);
  });

  test("is reported in check if its destination looks wrong for its type", async () => {
    const checked = await provider.check({}, { ...slackChannel, value: "not a URL" });
    expect(checked.failures).toEqual([]);
    expect(onlyMessage(stack)).toMatch(
      /^Notification channel "Ops on-call" .*: value does not look/,
    );
  });

  test("whose response has other values than declared is reported by their names, and recorded as declared", async () => {
    const flags = { ssl_notifications_enabled: false, whois_notifications_enabled: false };
    answer(wireChannel({ id: "channel-9", label: "Other", type: "slack", ...flags }));
    const given = { dnsNotificationsEnabled: false, sslNotificationsEnabled: true };
    const declared = { ...slackChannel, ...given };
    const { id, outs } = await provider.create(declared);

    expect(outs).toMatchObject({ ...declared, channelId: id, adopted: true });

    // Nothing was declared of whois, so the service decides.
    const title = `Notification channel "Ops on-call" (slack, domain ${DOMAIN}, id channel-9)`;
    const others = ["label", "dnsNotificationsEnabled", "sslNotificationsEnabled"].map(
      (name) =>
        `${title}: the service responded with another ${name} than was declared: look at the channel in the service`,
    );

    // Nothing deletes it, so nobody is told to hand it over.
    const doubt =
      "the service responded with a channel other than the declared one: look at the channel in the service";

    expect(stack.messages).toEqual([...others, `${title}: ${doubt}`]);
  });
});

test("a provider without settings compares and deletes, and says what it needs in a check and a create", async () => {
  const unset = providerWith({});
  const { changes } = await unset.diff("channel-1", slackChannel, slackChannel);
  expect(changes).toBe(false);

  await unset.delete("channel-1", slackChannel);
  const [{ reason = "" } = {}] = (await unset.check({}, slackChannel)).failures;
  expect(reason).toContain("domain-monitoring:baseUrl");
  expect(await failure(unset.create(slackChannel))).toBe(reason);
});
