/**
 * What a provider does for a channel from its check to its delete, and after each failure of a
 * create. channel.test.ts has its messages; test/e2e/life.test.ts and test/plugin have the same
 * over the wire.
 */

import {
  type Emulator,
  type FaultRule,
  startEmulator,
} from "../../packages/domain-monitoring-emulator/src";
import {
  type Properties,
  type ResourceProvider,
  UNKNOWN_VALUES,
} from "../../src/provider/boundary";
import { channel as wireChannel } from "../client/support/wire";
import { failureOf } from "../support/failure";
import { providerWith } from "./support/channel-stack";
import {
  DOMAIN,
  expectNoSecret,
  FLAGS,
  factsOf,
  SLACK_URL,
  SQL_TS,
  slackChannel,
  TOKEN,
  webhookChannel,
} from "./support/channels";

describe("a channel", () => {
  const channel = slackChannel;
  let emulator: Emulator;
  let provider: ResourceProvider;
  let warnings: string[];

  beforeAll(async () => {
    emulator = await startEmulator({ token: TOKEN });
  });

  beforeEach(() => {
    emulator.reset();
    warnings = [];
    provider = providerWith({ baseUrl: emulator.url, apiToken: TOKEN }, (line) =>
      warnings.push(line),
    );
  });

  afterEach(() => expectNoSecret(warnings.join()));
  afterAll(() => emulator.close());

  const fault = (rule: FaultRule) =>
    emulator.fault({ operation: "createNotificationChannel", ...rule });

  const answer = (data: object) => fault({ status: 201, body: { data } });

  /** The message that the engine gets about a call that fails: never a secret. */
  async function refusalOf(call: Promise<unknown>) {
    const error: Error & { id?: string; properties?: Properties } = await failureOf(call);
    expectNoSecret(error.message);
    const { message, id, properties } = error;

    return { message, partial: properties && { id, properties } };
  }

  test("is made by one request from check to delete, which leaves it in the service", async () => {
    const { inputs, failures } = await provider.check({}, webhookChannel);

    expect({ inputs, failures }).toEqual({ inputs: webhookChannel, failures: [] });

    const { id, outs } = await provider.create(inputs);

    expect(emulator.channels()).toMatchObject([{ id, ...webhookChannel }]);
    expect(outs).toEqual({ ...FLAGS, ...webhookChannel, ...factsOf(id, "Webhook", SQL_TS) });

    expect(await provider.diff(id, outs, inputs)).toEqual({
      changes: false,
      diffs: [],
      replaces: [],
    });

    expect(await provider.read(id, outs)).toEqual({ id, props: outs });

    // Facts that the service has stated are kept.
    const recorded = { ...outs, isDisabled: true, disabledReason: "bounced", isProtected: true };

    expect(await provider.update(id, recorded, inputs)).toEqual({ outs: recorded });

    await provider.delete(id, outs);

    expect(emulator.channels()).toHaveLength(1);
    expect(emulator.requests).toHaveLength(1);
  });

  test("has no destination if null is declared, which a refresh leaves in the record", async () => {
    const { inputs } = await provider.check({}, { ...slackChannel, value: null });
    const { id, outs } = await provider.create(inputs);

    expect(emulator.channels()).toMatchObject([{ id, value: null, secondaryValue: null }]);
    expect(outs).toMatchObject({ value: null, secondaryValue: null });
    expect(await provider.read(id, outs)).toEqual({ id, props: outs });
    expect(await provider.diff(id, outs, inputs)).toMatchObject({ changes: false });
  });

  test("is named when it is to be replaced and when it is removed from the stack", async () => {
    const { id, outs } = await provider.create(channel);
    await provider.diff(id, outs, { ...channel, label: "Another" });
    await provider.delete("stays-behind", outs);
    const printed = warnings.join("\n");
    const title = `Notification channel "Ops on-call" (slack, domain ${DOMAIN}, id`;

    expect(printed).toContain(`${title} ${id})`);
    expect(printed).toContain(`${title} stays-behind)`);
  });

  test.each([
    ["quotes a destination", `${SLACK_URL} is taken.`, "The service says: [redacted] is taken."],
    ["is longer than a trailer can be", "漢字 ".repeat(20_000), "漢字 漢字"],
    ["cannot be encoded", "half of an emoji: \ud83d", "half of an emoji:"],
  ])("may be created after a refusal whose text %s", async (_case, text, expected) => {
    fault({ status: 422, body: { message: text } });
    const { message, partial } = await refusalOf(provider.create(channel));

    expect(message).toContain(expected);
    expect(partial).toBeUndefined();

    await provider.create(channel);

    expect(emulator.channels()).toHaveLength(1);
  });

  test.each<[string, FaultRule, number]>([
    ["its answer was lost", { reset: "after" }, 1],
    ["its request was interrupted", { reset: "before" }, 0],
    ["its answer cannot be used", { garbage: true }, 1],
    ["the answer has no id", { status: 200, body: { data: { id: "" } } }, 0],
    ["a proxy gave up", { status: 504, body: "<html>Gateway timeout</html>" }, 0],
  ])(
    "is not created again by the same process if %s, and another one is",
    async (_case, rule, created) => {
      fault(rule);
      const { message: first, partial } = await refusalOf(provider.create(channel));

      expect(partial).toBeUndefined();
      expect(first).toMatch(/^POST .* "Ops on-call" \(slack\) /);

      for (const declared of [channel, { ...channel }]) {
        const again = await refusalOf(provider.create(declared));
        expect(again.message).toBe(
          `Notification channel "Ops on-call" (slack, domain ${DOMAIN}) is not created again in this run. ${first}`,
        );
      }

      // Once for all, as the engine does not show the errors of a create that a hook repeats.
      expect(warnings.join("\n").split(first)).toHaveLength(2);
      expect(emulator.requests).toHaveLength(1);

      await provider.create({ ...channel, label: "Another" });

      expect(emulator.channels()).toHaveLength(created + 1);
    },
  );

  test("a channel whose create returned only an id is recorded and not created again", async () => {
    answer({ id: "channel-9" });
    const { message, partial } = await refusalOf(provider.create(channel));

    expect(message).toMatch(
      /id channel-9\) was created, but the rest of the service's response cannot be used \(label.*\): run `pulumi up` again to complete its record, which does not create another channel unless the resource has the option replaceOnChanges: take that out first$/,
    );

    const outs = {
      ...channel,
      ...FLAGS,
      secondaryValue: null,
      ...factsOf("channel-9", "slack"),
      unread: true,
    };

    expect(partial).toEqual({ id: "channel-9", properties: outs });

    const { inputs } = await provider.check(channel, channel);

    expect(await provider.diff("channel-9", outs, inputs)).toMatchObject({ changes: false });
    expect(await provider.update("channel-9", outs, inputs)).toEqual({ outs });
    expect(await provider.create(channel)).toEqual({ id: "channel-9", outs });

    expect(warnings.join("\n")).toContain(
      "id channel-9) was created by an earlier attempt of this run: it is not created again",
    );

    expect(emulator.requests).toHaveLength(1);
  });

  test("a channel whose create returned only an id is named alone if its record is too large for a message", async () => {
    answer({ id: "channel-9" });
    const value = `https://hooks.slack.example/slack-secret/${"x".repeat(20_000)}`;
    const { message, partial } = await refusalOf(provider.create({ ...channel, value }));

    expect(message).toMatch(/id channel-9\) was created, but the rest .* cannot be used/);
    expect(message).toMatch(/so the next `pulumi up` creates another one: remove this one first$/);
    expect(message).not.toContain("does not create another channel");
    expect(partial).toBeUndefined();
  });

  test.each([
    ...Object.values(UNKNOWN_VALUES),
    "half \ud83d",
    "..",
    " ",
    "x; curl|sh",
    "a/b",
    "x".repeat(65),
  ])(
    "is named if its id %j cannot be recorded, and is not created again by the same process",
    async (id) => {
      // Whether or not the rest of the answer can be used.
      answer(
        id === ".." ? { id } : { ...wireChannel({ label: "Ops on-call", type: "slack" }), id },
      );

      const { message, partial } = await refusalOf(provider.create(channel));

      expect(message).toMatch(
        /was created with an id that cannot be recorded.* look for .* in the service/,
      );

      expect(message).toContain('"Ops on-call"');
      expect(partial).toBeUndefined();

      const again = await refusalOf(provider.create(channel));

      expect(again.message).toContain("is not created again in this run");
      expect(emulator.requests).toHaveLength(1);
    },
  );
});
