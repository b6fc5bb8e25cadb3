/** What counts as a change of a channel, and what is said before it is replaced. */
import { guard, PROVIDER_KEY, type Properties, UNKNOWN } from "../../src/provider/boundary";
import { notificationChannelProvider } from "../../src/provider/channel";
import { checkInputs, normalise, SERVICE_INPUTS } from "../../src/provider/record";
import { fc } from "../support/properties";
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

/** The recorded outputs of a channel that was created. */
function outputsOf(channel: Properties): Properties {
  const facts = factsOf("channel-1", "Slack", "2026-01-31 08:30:00");
  return { ...normalise(channel), ...facts, [PROVIDER_KEY]: "the text of an earlier version" };
}

const NO_CHANGE = { changes: false, diffs: [], replaces: [], warnings: [] };

describe("comparing a channel with what is declared", () => {
  test("finds no change between any channel's outputs and its declared inputs", async () => {
    await fc.assert(
      fc.asyncProperty(anyChannel, fc.string(), async (channel, text) => {
        const [outputs, inputs] = [outputsOf(channel), { ...channel, [PROVIDER_KEY]: text }];
        expect(await diff(outputs, inputs)).toEqual(NO_CHANGE);
        expect(await diff(inputs, outputs)).toEqual(NO_CHANGE);
      }),
    );
  });

  test("finds exactly the inputs in which two channels differ, in either direction", async () => {
    await fc.assert(
      fc.asyncProperty(anyChannel, anyChannel, async (one, other) => {
        const [before, after] = [normalise(one), normalise(other)];
        const expected = SERVICE_INPUTS.filter(
          (name) => (before[name] ?? null) !== (after[name] ?? null),
        );

        expect((await diff(before, after)).replaces).toEqual(expected);
        expect((await diff(after, before)).replaces).toEqual(expected);
      }),
    );
  });

  test("finds no change in what a service has tidied, or an earlier version recorded as declared", async () => {
    const untidy = { ...outputsOf(slackChannel), label: " Ops on-call\n", secondaryValue: "" };
    expect(await diff(untidy, slackChannel)).toEqual(NO_CHANGE);
    const { inputs } = checkInputs({ ...slackChannel, secondaryValue: "" });
    expect(await diff(outputsOf(slackChannel), inputs)).toEqual(NO_CHANGE);
  });

  test.each(SERVICE_INPUTS)("treats an unknown %s as changed, even if both are", async (name) => {
    for (const unknown of [UNKNOWN, [UNKNOWN]]) {
      const news = { ...slackChannel, [name]: unknown };
      expect((await diff(outputsOf(slackChannel), news)).replaces).toEqual([name]);
      expect((await diff(news, news)).replaces).toEqual([name]);
    }
  });

  test.each(["domainId", "label", "type"])("compares a record that is a %s alone", async (name) => {
    const { replaces, warnings } = await diff({ [name]: slackChannel[name] }, slackChannel);
    expect(replaces).toEqual(
      ["domainId", "label", "type", "value"].filter((each) => each !== name),
    );
    expect(warnings).toEqual([expect.stringContaining(") stays. ")]);
  });
});

describe("the warning before a replacement", () => {
  test("says that it may be, where nothing that changes is known", async () => {
    const unknown = { label: UNKNOWN, value: UNKNOWN };
    const { warnings } = await diff(slackChannel, { ...slackChannel, ...unknown });

    expect(warnings).toEqual([
      expect.stringContaining("may be replaced, and then stays (not known yet: label, value)"),
    ]);

    const unlabelled = await diff({ ...slackChannel, label: UNKNOWN }, slackChannel);
    expect(unlabelled.warnings).toEqual([expect.stringMatching(/^"\?" \(id .* stays/)]);
  });

  test("contains neither the old nor the new destination, even if the label repeats it", async () => {
    // Longer than the line has room for, so that a part of the destination would be left.
    const olds = { ...outputsOf(slackChannel), label: `${WEBHOOK_URL}, not ${SLACK_URL}` };
    const { warnings } = await diff(olds, { ...slackChannel, value: WEBHOOK_URL });
    expect(warnings).toEqual([expect.stringContaining('"[redacted], not [red')]);
  });

  test("does not treat a webhook's method as a secret", async () => {
    const channel = { ...webhookChannel, label: "INPUT team" };
    const { warnings } = await diff(outputsOf(channel), { ...channel, type: "slack" });
    expect(warnings.join()).toContain('"INPUT team"');
  });
});
