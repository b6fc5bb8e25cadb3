/** Messages of a provider. life.test.ts has what becomes of a channel. */

import { type Emulator, startEmulator } from "../../packages/domain-monitoring-emulator/src";
import type { ResourceProvider } from "../../src/provider/boundary";
import { channel as wireChannel } from "../client/support/wire";
import { failureOf } from "../support/failure";
import { providerWith } from "./support/channel-stack";
import { DOMAIN, expectNoSecret, SLACK_URL, slackChannel, TOKEN } from "./support/channels";

const STAYS =
  "This package cannot delete channels, so what is replaced or removed stays in the service and keeps sending notifications";

const SECOND = "22222222-2222-4222-8222-222222222222";
const THIRD = "33333333-3333-4333-8333-333333333333";

const CLEAN_UP =
  "To stop its notifications, remove the channel in the Notifications tab of its domain";

let emulator: Emulator;
let provider: ResourceProvider;
let warnings: string[];

function configure(further: Record<string, string> = {}): void {
  warnings = [];
  const settings = { baseUrl: emulator.url, apiToken: TOKEN, maxRetries: "0", ...further };

  provider = providerWith(settings, (line) => warnings.push(line));
}

beforeAll(async () => {
  emulator = await startEmulator({ token: TOKEN, lifecycle: "managed" });
});

beforeEach(() => {
  emulator.reset();
  configure();
});

afterEach(() => expectNoSecret(warnings.join()));
afterAll(() => emulator.close());

function refuseDeletes(): void {
  emulator.fault({ operation: "deleteNotificationChannel", status: 403, times: "always" });
}

const messageOf = async (call: Promise<unknown>) => (await failureOf(call)).message;

describe("a channel", () => {
  test("a channel whose label is secret is named without it, even in errors of the service", async () => {
    const hidden = { ...slackChannel, secretLabel: true };
    emulator.fault({ operation: "createNotificationChannel", reset: "after" });
    const messages = [
      await messageOf(provider.create(hidden)),
      await messageOf(provider.create(hidden)),
    ];

    await provider.delete("channel-1", hidden);
    messages.push(...warnings);

    expect(messages.join("\n")).toContain('Notification channel "[secret]" (slack, domain');
    expect(messages.join("\n")).not.toContain("Ops on-call");

    const { inputs } = await provider.check({}, hidden);

    expect(inputs).toEqual(hidden);
  });

  test.each(["create-only", "managed"])(
    "is dropped from the state by a delete if stack config lists it, with lifecycle %s",
    async (lifecycle) => {
      const first = "7f0c9a52-6a7e-4a0e-9f3b-5f6a3c1d2e11";
      configure({ abandon: `${first.toUpperCase()}, another-1 ,, channel-3` });
      for (const id of [first, "another-1"])
        await provider.delete(id, { ...slackChannel, lifecycle });

      // What is the same for all of them is explained once.
      const explained = (id: string) =>
        id === first ? `. It keeps sending notifications. ${CLEAN_UP}` : "";

      expect(warnings).toEqual(
        [first, "another-1"].map(
          (id) =>
            `Notification channel "Ops on-call" (slack, domain ${DOMAIN}, id ${id}) is removed from this stack and stays in the service, because stack config domain-monitoring:abandon lists it${explained(id)}`,
        ),
      );
    },
  );

  test("is added to those that are listed already by the command that a refused delete advises", async () => {
    configure({ abandon: "channel-1" });
    refuseDeletes();
    const refused = { ...slackChannel, lifecycle: "managed" };

    for (const [id, ids] of [
      [SECOND, `channel-1,${SECOND}`],
      [THIRD, `channel-1,${SECOND},${THIRD}`],
    ] as const)
      expect(await messageOf(provider.delete(id, refused))).toContain(
        `\`pulumi config set domain-monitoring:abandon ${ids}\``,
      );
  });

  test("leaves the state with a warning that says what stays", async () => {
    await provider.delete("channel-1", slackChannel);

    expect(warnings).toEqual([
      `Notification channel "Ops on-call" (slack, domain ${DOMAIN}, id channel-1) is removed from this stack and stays in the service. ${STAYS}. ${CLEAN_UP}`,
    ]);
  });

  test.each([
    [`to ${SLACK_URL}\nteam`, SLACK_URL, "to [redacted] team"],
    ["to slack-secret\nof two lines", "slack-secret\nof two lines", "to [redacted]"],
    ["first\nsecond\u001b[31m\u2028third", null, "first second third"],
    [{ of: "another version" }, { of: "another version" }, "?"],
  ])(
    "leaves the state with a one-line warning, whatever its label holds: %j",
    async (label, value, shown) => {
      await provider.delete("channel-1", { ...slackChannel, label, value });
      const [warning, ...others] = warnings;

      expect(warning).toContain(`"${shown}" (slack, domain ${DOMAIN}, id channel-1) `);
      expect(warning).toMatch(/^[ -~]+$/);
      expect(others).toEqual([]);
    },
  );

  test("is reported in check if its destination looks wrong for its type", async () => {
    const checked = await provider.check({}, { ...slackChannel, value: "not a URL" });

    expect(checked.failures).toEqual([]);
    expect(warnings).toEqual([
      `Notification channel "Ops on-call" (slack, domain ${DOMAIN}): value does not look like the https webhook URL that a channel of type slack usually has: check it`,
    ]);
  });

  test("a channel whose response has other values than declared is reported by their names, and recorded as declared", async () => {
    const other = { label: "Other", type: "slack", ssl_notifications_enabled: false };

    const created_at = new Date().toISOString().slice(0, 19).replace("T", " ");
    const data = {
      ...wireChannel({ id: "channel-9", ...other, created_at }),
      whois_notifications_enabled: false,
    };

    emulator.fault({ status: 201, body: { data } });
    const declared = {
      ...slackChannel,
      dnsNotificationsEnabled: false,
      sslNotificationsEnabled: true,
    };

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

    expect(warnings).toEqual([...others, `${title}: ${doubt}`]);
  });
});

test("a provider without settings compares and deletes, and says what it needs in a check and a create", async () => {
  const unset = providerWith({});

  expect(await unset.diff("channel-1", slackChannel, slackChannel)).toMatchObject({
    changes: false,
  });

  await unset.delete("channel-1", slackChannel);
  const reason =
    "the base address of the service is not set: run `pulumi config set domain-monitoring:baseUrl https://…` " +
    "or set the environment variable DOMAIN_MONITORING_BASE_URL";

  expect((await unset.check({}, slackChannel)).failures).toEqual([{ property: "", reason }]);
  expect(await messageOf(unset.create(slackChannel))).toBe(reason);
});
