import fc from "fast-check";
import { UNKNOWN } from "../../src/common/markers";
import { guard, PROVIDER_KEY, type Properties } from "../../src/provider/boundary";
import { normalise, SERVICE_INPUTS } from "../../src/provider/inputs";
import { notificationChannelProvider } from "../../src/provider/notification-channel";
import {
  anyChannel,
  factsOf,
  SLACK_URL,
  slackChannel,
  WEBHOOK_URL,
  webhookChannel,
} from "./support/channels";

/** Compares without any configuration: whoever asked the network here would fail. */
async function diff(olds: Properties, news: Properties) {
  const warnings: string[] = [];
  const provider = guard(notificationChannelProvider((line) => warnings.push(line)));
  return { ...(await provider.diff("channel-1", olds, news)), warnings };
}

/** What the state holds of a channel that was created. */
function outputsOf(channel: Properties): Properties {
  return {
    ...normalise(channel),
    ...factsOf("channel-1", "Slack", "2026-01-31 08:30:00"),
    [PROVIDER_KEY]: "the text of an earlier version",
  };
}

const NO_CHANGE = { changes: false, diffs: [], replaces: [], deleteBeforeReplace: false, warnings: [] };

describe("comparing a channel with what is declared", () => {
  test("finds no change between any channel and itself", async () => {
    await fc.assert(
      fc.asyncProperty(anyChannel, async (channel) => {
        expect(await diff(normalise(channel), normalise(channel))).toEqual(NO_CHANGE);
      }),
    );
  });

  test("finds no change between any channel's outputs and its inputs as declared", async () => {
    await fc.assert(
      fc.asyncProperty(anyChannel, fc.string(), async (channel, text) => {
        expect(await diff(outputsOf(channel), { ...channel, [PROVIDER_KEY]: text })).toEqual(NO_CHANGE);
      }),
    );
  });

  test("finds exactly the inputs in which two channels differ, in either direction", async () => {
    await fc.assert(
      fc.asyncProperty(anyChannel, anyChannel, async (one, other) => {
        const [before, after] = [
          normalise({ ...one, onOrphan: null }),
          normalise({ ...other, onOrphan: null }),
        ];
        const expected = SERVICE_INPUTS.filter((name) => (before[name] ?? null) !== (after[name] ?? null));
        expect((await diff(before, after)).replaces).toEqual(expected);
        expect((await diff(after, before)).replaces).toEqual(expected);
      }),
    );
  });

  test.each(["whoisNotificationsEnabled", "dnsNotificationsEnabled", "sslNotificationsEnabled"])(
    "treats a missing, a null and a true %s as equal",
    async (name) => {
      const forms = [undefined, null, true];
      for (const before of forms) {
        for (const after of forms) {
          expect(await diff({ ...slackChannel, [name]: before }, { ...slackChannel, [name]: after })).toEqual(
            NO_CHANGE,
          );
        }
      }
    },
  );

  test.each(["value", "secondaryValue", "onOrphan"])(
    "treats a missing and a null %s as equal",
    async (name) => {
      const [missing, none] = [
        { ...slackChannel, [name]: undefined },
        { ...slackChannel, [name]: null },
      ];
      expect(await diff(missing, none)).toEqual(NO_CHANGE);
      expect(await diff(none, missing)).toEqual(NO_CHANGE);
    },
  );

  test.each(SERVICE_INPUTS)("treats an unknown %s as changed", async (name) => {
    const { replaces } = await diff(outputsOf(slackChannel), { ...slackChannel, [name]: UNKNOWN });
    expect(replaces).toEqual([name]);
  });

  test("treats an unknown value as changed even if both are unknown, also inside other values", async () => {
    const unknown = { ...slackChannel, label: UNKNOWN, value: [UNKNOWN] };
    expect((await diff(unknown, unknown)).replaces).toEqual(["label", "value"]);
    expect((await diff(slackChannel, unknown)).replaces).toEqual(["label", "value"]);
  });

  test("finds no change if a refresh passes inputs and outputs in reverse", async () => {
    expect(await diff(slackChannel, outputsOf(slackChannel))).toEqual(NO_CHANGE);
  });

  test("ignores outputs that only the service sets", async () => {
    const drifted = {
      ...outputsOf(slackChannel),
      isDisabled: true,
      disabledReason: "bounced",
      typeHuman: "?",
    };
    expect(await diff(drifted, slackChannel)).toEqual(NO_CHANGE);
  });

  test("takes over what is declared where nothing is recorded but an id: another channel would be created", async () => {
    const { warnings, ...found } = await diff({ channelId: "channel-1" }, slackChannel);
    const diffs = ["domainId", "label", "type", "value"];
    expect(found).toEqual({ changes: true, diffs, replaces: [], deleteBeforeReplace: false });
    expect(warnings).toEqual([
      'Notification channel "Ops on-call" (slack, domain 11111111-1111-4111-8111-111111111111, id channel-1) is taken over as ' +
        "it is declared. The service cannot be asked for it: make sure that this id and these values are the channel's",
    ]);
    expect(await diff({}, {})).toEqual({ ...NO_CHANGE });
  });

  test.each(["domainId", "label", "type"])(
    "compares what is recorded if that is a %s alone",
    async (name) => {
      const { replaces, warnings } = await diff({ [name]: slackChannel[name] }, slackChannel);
      expect(replaces).toEqual(["domainId", "label", "type", "value"].filter((each) => each !== name));
      expect(warnings).toEqual([expect.stringContaining("is to be replaced")]);
    },
  );
});

describe("the warning before a replacement", () => {
  test("names the channel that stays behind, what changed and what to do", async () => {
    const { warnings } = await diff(outputsOf(slackChannel), { ...slackChannel, label: "Another label" });
    expect(warnings).toEqual([
      'Notification channel "Ops on-call" (slack, domain 11111111-1111-4111-8111-111111111111, id channel-1) ' +
        "is to be replaced (changed: label). This package cannot delete it, so it stays in the service and " +
        "goes on notifying. Remove it in the service's own settings of that domain if nobody is to be notified",
    ]);
  });

  test("contains neither the old nor the new destination, even if the label repeats it", async () => {
    const olds = { ...outputsOf(slackChannel), label: `see ${SLACK_URL}` };
    const { warnings } = await diff(olds, { ...slackChannel, value: WEBHOOK_URL });
    expect(warnings).toHaveLength(1);
    expect(warnings.join()).not.toContain(SLACK_URL);
    expect(warnings.join()).not.toContain(WEBHOOK_URL);
    expect(warnings.join()).toContain('"see [redacted]"');
  });

  test("does not treat a webhook's method as a secret", async () => {
    const channel = { ...webhookChannel, label: "INPUT team" };
    const { warnings } = await diff(outputsOf(channel), { ...channel, type: "slack" });
    expect(warnings.join()).toContain('"INPUT team"');
  });

  test("is one line, whatever the label contains", async () => {
    const channel = { ...slackChannel, label: "first\nsecond\u001b[31m\u2028third" };
    const { warnings } = await diff(outputsOf(channel), { ...channel, type: "discord" });
    expect(warnings).toEqual([expect.stringContaining('"first second third"')]);
  });

  test("is absent if nothing is replaced", async () => {
    expect((await diff(outputsOf(slackChannel), { ...slackChannel, onOrphan: "error" })).warnings).toEqual(
      [],
    );
  });
});

describe("onOrphan", () => {
  test.each([
    ["set to error", undefined, "error"],
    ["set back to warn", "error", "warn"],
    ["removed", "error", undefined],
    ["that is unknown", undefined, UNKNOWN],
  ])("%s is a change without a replacement", async (_what, before, after) => {
    const olds = outputsOf({ ...slackChannel, onOrphan: before });
    expect(await diff(olds, { ...slackChannel, onOrphan: after })).toEqual({
      ...NO_CHANGE,
      changes: true,
      diffs: ["onOrphan"],
    });
  });

  test.each([
    ["recorded", { onOrphan: "error" }, {}],
    ["declared", {}, { onOrphan: "error" }],
    ["both", { onOrphan: "error" }, { onOrphan: "error" }],
  ])("error, %s, rejects a replacement and says how to allow it", async (_where, before, after) => {
    const olds = outputsOf({ ...slackChannel, ...before });
    const news = { ...slackChannel, ...after, value: "https://hooks.slack.example/another" };
    await expect(diff(olds, news)).rejects.toThrow(
      new Error(
        'Notification channel "Ops on-call" (slack, domain 11111111-1111-4111-8111-111111111111, id channel-1) ' +
          "would be replaced. This package cannot delete it, so it stays in the service and goes on notifying. " +
          'onOrphan is "error", so this is refused: declare the channel as it was with onOrphan "warn", ' +
          "run `pulumi up`, then try again",
      ),
    );
  });

  test("error does not reject an unknown input, which may turn out to be equal", async () => {
    const channel = { ...slackChannel, onOrphan: "error" };
    const { replaces, warnings } = await diff(outputsOf(channel), { ...channel, label: UNKNOWN });
    expect(replaces).toEqual(["label"]);
    expect(warnings).toEqual([expect.stringContaining("may be replaced (not known yet: label)")]);
    await expect(diff(outputsOf(channel), { ...channel, label: UNKNOWN, type: "discord" })).rejects.toThrow(
      "refused",
    );
  });
});

test("a managed channel of which nothing but an id is recorded is taken over with what is declared", async () => {
  const { warnings, ...difference } = await diff({}, { ...slackChannel, lifecycle: "managed" });
  const diffs = ["domainId", "label", "type", "value", "lifecycle"];
  expect(difference).toEqual({ changes: true, diffs, replaces: [], deleteBeforeReplace: false });
  expect(warnings).toEqual([expect.stringContaining("what is declared is set, the destination too")]);
});
