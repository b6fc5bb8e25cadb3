/** What records become: the name in messages, and what is given to the client. Outputs of other versions hold anything. */
import { toUpdate, UPDATABLE } from "../../src/provider/managed/changes";
import { title, toChannel } from "../../src/provider/record";
import { DOMAIN, SLACK_URL, slackChannel, webhookChannel } from "./support/channels";

const FLAGS = {
  whoisNotificationsEnabled: true,
  dnsNotificationsEnabled: true,
  sslNotificationsEnabled: true,
};

const notTexts: [string, unknown][] = [
  ["a number", 1234],
  ["an object", { secret: "x" }],
  ["null", null],
  ["undefined", undefined],
];

describe.each(notTexts)("a channel whose destination is %s", (_what, destination) => {
  const channel = { ...slackChannel, value: destination, secondaryValue: destination };

  test("has its name in messages", () => {
    expect(title(channel)).toBe(`Notification channel "Ops on-call" (slack, domain ${DOMAIN})`);
  });

  test("has none for the client", () => {
    expect(toChannel(channel)).toMatchObject({ value: null, secondaryValue: undefined });
  });
});

describe("an update", () => {
  test("has no key for an input that is left out", () => {
    const { label, type } = slackChannel;
    expect(toUpdate(slackChannel, UPDATABLE)).toStrictEqual({ label, type, value: SLACK_URL, ...FLAGS });
  });

  test("is empty if nothing but a destination that is null or left out is to be sent", () => {
    expect(toUpdate({ ...webhookChannel, value: null, secondaryValue: null }, ["value"])).toStrictEqual({});
    expect(toUpdate(slackChannel, ["secondaryValue"])).toStrictEqual({});
  });
});
