/** The provider as the engine runs it: in the SDK's own process, from the constant text, over gRPC, against a real server. */
import { UNKNOWN } from "../../src/common/markers";
import { PROVIDER_TEXT } from "../../src/names";
import type { Properties } from "../../src/provider/boundary";
import { type Emulator, startEmulator } from "../../src/testing/emulator";
import { failureOf } from "../support/failure";
import { CallFailure, type ProviderClient } from "../support/provider-client";
import { hasPrinted } from "../support/run";
import {
  DOMAIN,
  EMAIL,
  emailChannel,
  SLACK_URL,
  slackChannel,
  WEBHOOK_URL,
  webhookChannel,
} from "./support/channels";
import { startHoldingService } from "./support/holding-service";
import { type ProcessOptions, startProvider } from "./support/provider-process";

const TOKEN = "token-secret-0123456789";
const SECRETS = [TOKEN, SLACK_URL, WEBHOOK_URL, EMAIL, "slack-secret", "webhook-secret", "email-secret"];

const FLAGS = {
  whoisNotificationsEnabled: true,
  dnsNotificationsEnabled: true,
  sslNotificationsEnabled: true,
};

const processes: ProviderClient[] = [];

async function start(options?: ProcessOptions): Promise<ProviderClient> {
  const started = await startProvider(options);
  processes.push(started);
  return started;
}

function stackConfig(baseUrl: string, tuning: Record<string, string> = {}): Record<string, string> {
  return { "domain-monitoring:baseUrl": baseUrl, "domain-monitoring:apiToken": TOKEN, ...tuning };
}

function expectNoSecret(text: string): void {
  for (const secret of SECRETS) expect(text).not.toContain(secret);
}

/** What the engine is told about a call that fails; it never holds a secret. */
async function refusalOf(call: Promise<unknown>): Promise<CallFailure> {
  const failure = await failureOf(call, CallFailure);
  expect(failure.code).toBe(2);
  expectNoSecret(failure.message);
  return failure;
}

let emulator: Emulator;
let provider: ProviderClient;

beforeAll(async () => {
  emulator = await startEmulator({ token: TOKEN });
  provider = await start({ config: stackConfig(emulator.url), loadsAll: true });
});

/** One of its own for each test, as a process remembers the creates that may have been carried out. */
let channel: Properties;
let count = 0;

beforeEach(() => {
  emulator.reset();
  channel = { ...slackChannel, value: `${SLACK_URL}-${++count}` };
});

afterEach(() => {
  for (const { printed } of processes) expectNoSecret(printed);
});

afterAll(async () => {
  await Promise.all(processes.map((started) => started.stop()));
  await emulator.close();
});

describe("a channel's life", () => {
  test("makes one channel with one request", async () => {
    const checked = await provider.check(webhookChannel);
    expect(checked.failures).toEqual([]);
    expect(checked.inputs).toEqual({
      ...webhookChannel,
      dnsNotificationsEnabled: false,
      __provider: PROVIDER_TEXT,
    });

    const { id, properties: outs } = await provider.create(checked.inputs);
    expect(emulator.channels()).toMatchObject([{ id, ...webhookChannel }]);
    expect(outs).toEqual({
      ...webhookChannel,
      ...FLAGS,
      dnsNotificationsEnabled: false,
      __provider: PROVIDER_TEXT,
      channelId: id,
      typeHuman: "Webhook",
      isProtected: false,
      isDisabled: false,
      disabledReason: null,
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/),
    });

    expect(await provider.diff(id, outs, checked.inputs)).toEqual({
      changes: "none",
      diffs: [],
      replaces: [],
      deleteBeforeReplace: false,
    });
    expect(await provider.read(id, outs)).toEqual({
      id,
      properties: outs,
      inputs: checked.inputs,
      hasProperties: true,
    });
    const refused = { ...checked.inputs, onOrphan: "error" };
    expect(await provider.diff(id, outs, refused)).toMatchObject({ changes: "some", replaces: [] });
    expect(await provider.update(id, outs, refused)).toEqual({ ...outs, onOrphan: "error" });
    await provider.delete(id, outs);

    expect(emulator.channels()).toHaveLength(1);
    expect(emulator.requests).toHaveLength(1);
  });

  test("works with null for the destination and without all optional inputs", async () => {
    const { properties: outs } = await provider.create({ ...slackChannel, value: null });
    expect(emulator.channels()).toMatchObject([
      { ...slackChannel, ...FLAGS, value: null, secondaryValue: null },
    ]);
    expect(outs).toMatchObject({ value: null, secondaryValue: null, ...FLAGS });
  });

  test("reads back what was passed to get, and nothing more", async () => {
    const given = { domainId: DOMAIN, label: "Adopted" };
    expect(await provider.read("channel-7", given)).toEqual({
      id: "channel-7",
      hasProperties: true,
      properties: { ...given, channelId: "channel-7", __provider: PROVIDER_TEXT },
      inputs: { ...given, __provider: PROVIDER_TEXT },
    });
    expect(emulator.requests).toEqual([]);
  });

  test("accepts unknown values in a preview", async () => {
    const declared = { ...emailChannel, label: UNKNOWN, value: UNKNOWN, dnsNotificationsEnabled: [UNKNOWN] };
    expect(await provider.check(declared)).toMatchObject({
      failures: [],
      inputs: { label: UNKNOWN, value: UNKNOWN, dnsNotificationsEnabled: [UNKNOWN] },
    });
    expect(await provider.diff("channel-1", emailChannel, declared)).toMatchObject({
      changes: "some",
      replaces: ["label", "value", "dnsNotificationsEnabled"],
    });
  });

  test("reports all problems of its inputs, without the property name that would make the engine print the value", async () => {
    const wrong = {
      ...webhookChannel,
      label: "x",
      value: "ftp://webhook-secret",
      secondaryValue: "email-secret",
    };
    const { failures } = await provider.check(wrong);
    expect(failures.map(({ property }) => property)).toEqual(["", "", ""]);
    expectNoSecret(failures.map(({ reason }) => reason).join("\n"));
    expect(emulator.requests).toEqual([]);
  });
});

describe("a channel that stays in the service", () => {
  const title = `Notification channel "Ops on-call" (slack, domain ${DOMAIN}, id stays-behind)`;

  test("is named on standard error when it is deleted, and before it is replaced", async () => {
    await provider.delete("stays-behind", slackChannel);
    await provider.diff("stays-behind", slackChannel, { ...slackChannel, value: WEBHOOK_URL });
    await hasPrinted(provider.started, /is to be replaced \(changed: value\)/);
    const lines = provider.printed.split("\n").filter((line) => line.includes("stays-behind"));
    expect(lines).toEqual([
      expect.stringContaining(`warning: ${title} leaves this stack. This package cannot delete it`),
      expect.stringContaining(`warning: ${title} is to be replaced (changed: value)`),
    ]);
    expect(emulator.requests).toEqual([]);
  });

  test("is reported without its destination, even if its label repeats it", async () => {
    await provider.delete("told-twice", { ...slackChannel, label: `to ${SLACK_URL}` });
    await hasPrinted(provider.started, /id told-twice\) leaves this stack/);
    expect(provider.printed).toContain('"to [redacted]" (slack');
  });

  test("with onOrphan error fails a preview's diff and a delete, with the fix in the message", async () => {
    const refusing = { ...slackChannel, onOrphan: "error" };
    const calls = [
      provider.delete("stays-behind", refusing),
      provider.diff("stays-behind", refusing, { ...refusing, label: "Another" }),
    ];
    for (const call of calls) {
      const { message } = await refusalOf(call);
      expect(message).toContain(title);
      expect(message).toContain('declare the channel as it was with onOrphan "warn", run `pulumi up`');
    }
    // The process prints message and stack of such an error: no line of a stack is there.
    expect(provider.printed).not.toMatch(/^\s+at /m);
  });
});

describe("a create that the service rejects", () => {
  const path = `POST /api/domains/${DOMAIN}/notification-channels`;

  test.each([
    [401, "the API token was not accepted: check that it is current and belongs to this base address"],
    [402, "the account's subscription does not cover this: check the subscription"],
    [403, "the API token lacks a permission: use a token with the required scope"],
    [404, "not found: check the domain's id and the base address"],
    [409, "the request was refused: check the arguments"],
  ])("with %d says what that means and what to do", async (status, meaning) => {
    emulator.fault({ status, body: { message: `refused ${SLACK_URL} and ${TOKEN}` } });
    const { message, partial } = await refusalOf(provider.create(slackChannel));
    expect(message).toMatch(new RegExp(`^${path}: answered ${status}, ${meaning}`));
    expect(message).toContain("The service says: refused [redacted] and [redacted]");
    expect(partial).toBeUndefined();
    expect(emulator.channels()).toEqual([]);
  });

  test("for a domain that does not exist says so", async () => {
    const { message } = await refusalOf(provider.create({ ...slackChannel, domainId: "no/such domain" }));
    expect(message).toContain("/api/domains/no%2Fsuch%20domain/notification-channels: answered 404");
  });

  test("with 422 quotes the service's messages by field", async () => {
    const errors = { value: [`${SLACK_URL} is not reachable.`], label: ["Is taken.", "Is dull."] };
    emulator.fault({ status: 422, body: { message: "Invalid.", errors } });
    const { message } = await refusalOf(provider.create(slackChannel));
    expect(message).toContain("answered 422, the values were refused: correct them");
    expect(message).toContain("value: [redacted] is not reachable.; label: Is taken. Is dull.");
  });

  test("with 422 and more text than a trailer can carry still fails with a message", async () => {
    const fields = Array.from({ length: 20 }, (_, index): [string, string[]] => [
      `field${index}`,
      Array.from({ length: 5 }, () => "漢".repeat(300)),
    ]);
    emulator.fault({ status: 422, body: { errors: Object.fromEntries(fields) } });
    const { message } = await refusalOf(provider.create(slackChannel));
    expect(message).toContain("answered 422, the values were refused");
  });

  test("with a text that cannot be encoded still fails with a message", async () => {
    emulator.fault({ status: 422, body: { message: "half of an emoji: \ud83d" } });
    expect((await refusalOf(provider.create(slackChannel))).message).toContain("half of an emoji: \ufffd");
  });

  test("with 429 is sent again when the service allows it", async () => {
    emulator.fault({ status: 429, headers: { "Retry-After": "0" } });
    await provider.create(slackChannel);
    expect(emulator.requests).toHaveLength(2);
    expect(emulator.channels()).toHaveLength(1);
  });
});

describe("a create with an unknown outcome", () => {
  const mayExist = `The channel "Ops on-call" (slack) of domain ${DOMAIN} may have been created anyway: look for it in the service`;

  test.each([500, 502, 503, 504])("after a %d is not sent again", async (status) => {
    emulator.fault({ status, body: "<html>Bad gateway</html>", times: 9 });
    const { message, partial } = await refusalOf(provider.create(channel));
    expect(message).toContain(`answered ${status}, a failure on the service's side`);
    expect(message).toContain(mayExist);
    expect(partial).toBeUndefined();
    expect(emulator.requests).toHaveLength(1);
  });

  test("after a lost response is not sent again, and one channel exists", async () => {
    emulator.fault({ reset: "after" });
    const { message, partial } = await refusalOf(provider.create(channel));
    expect(message).toContain("the connection broke before the answer was complete");
    expect(message).toContain(mayExist);
    expect(partial).toBeUndefined();
    expect(emulator.requests).toHaveLength(1);
    expect(emulator.channels()).toHaveLength(1);
  });

  test("after an incomplete response is not sent again, and one channel exists", async () => {
    emulator.fault({ reset: "body" });
    expect((await refusalOf(provider.create(channel))).message).toContain(mayExist);
    expect(emulator.requests).toHaveLength(1);
    expect(emulator.channels()).toHaveLength(1);
  });

  test("after an interrupted request is not sent again, as it may have arrived", async () => {
    emulator.fault({ reset: "before" });
    expect((await refusalOf(provider.create(channel))).message).toContain(mayExist);
    expect(emulator.requests).toHaveLength(1);
    expect(emulator.channels()).toEqual([]);
  });

  test.each([
    ["an HTML page", "<html>Welcome</html>", "answered 200 with an HTML page instead of JSON"],
    ["half of a JSON text", '{"data": {"id": "chan', "answered 200 with an HTML page instead of JSON"],
    [
      "JSON of another shape",
      { channel: {} },
      "answered 200 with JSON of an unexpected shape (data: expected an object)",
    ],
    ["an id that is no text", { data: { id: 7 } }, "answered 200 with JSON of an unexpected shape"],
    ["an empty id", { data: { id: "" } }, "answered 200 with JSON of an unexpected shape"],
  ])("after a response that is %s is not sent again", async (_what, body, problem) => {
    emulator.fault({ status: 200, body });
    const { message, partial } = await refusalOf(provider.create(channel));
    expect(message).toContain(problem);
    expect(message).toContain(mayExist);
    expect(partial).toBeUndefined();
    expect(emulator.requests).toHaveLength(1);
  });
});

describe("a channel of which only the id could be read", () => {
  const create = async (data: Record<string, unknown>, declared = channel) => {
    emulator.fault({ status: 201, body: { data } });
    return refusalOf(provider.create(declared));
  };

  test("is passed to the engine as partly created, with everything that the next up needs", async () => {
    const { message, partial } = await create({ id: "channel-9" });
    const reason =
      `Notification channel "Ops on-call" (slack, domain ${DOMAIN}, id channel-9) was created, but the rest of the ` +
      "service's answer cannot be used (";
    const next = "): run `pulumi up` again to complete its record, which creates no other one";
    expect(message.startsWith(reason)).toBe(true);
    expect(message.endsWith(next)).toBe(true);
    expect(partial).toEqual({
      id: "channel-9",
      properties: {
        ...channel,
        ...FLAGS,
        secondaryValue: null,
        channelId: "channel-9",
        typeHuman: "slack",
        isProtected: false,
        isDisabled: false,
        disabledReason: null,
        createdAt: "",
        __provider: PROVIDER_TEXT,
      },
      reasons: [message],
    });
  });

  test("is completed by an update without a request", async () => {
    const { partial } = await create({ id: "channel-9" });
    const requests = emulator.requests.length;
    const { inputs } = await provider.check(channel, channel);
    const properties = partial?.properties ?? {};
    expect(await provider.diff("channel-9", properties, inputs)).toMatchObject({ changes: "none" });
    expect(await provider.update("channel-9", properties, inputs)).toEqual(properties);
    expect(emulator.requests).toHaveLength(requests);
  });

  test("is named without its destination, even if its label repeats it", async () => {
    const { partial } = await create({ id: "channel-9" }, { ...channel, label: `to ${channel.value}` });
    expect(partial?.reasons).toEqual([expect.stringContaining('"to [redacted]"')]);
  });

  test("is reported as a failure that names it if the properties are too large for a gRPC message", async () => {
    const value = `https://hooks.slack.example/slack-secret/${"x".repeat(20_000)}`;
    const { message, partial } = await create({ id: "channel-9" }, { ...channel, value });
    expect(message).toContain("id channel-9) was created, but");
    expect(partial).toBeUndefined();
  });
});

test("a value that the service records differently than declared is reported on standard error", async () => {
  const data = {
    id: "channel-differs",
    label: "Ops on-ca",
    type: "slack",
    type_human: "Slack",
    whois_notifications_enabled: true,
    dns_notifications_enabled: false,
    ssl_notifications_enabled: true,
    is_protected: false,
    is_disabled: false,
    disabled_reason: null,
    last_notification_sent_at: null,
    last_notification_sent_at_human: null,
    created_at: "2026-01-31 08:30:00",
    created_at_human: "now",
  };
  emulator.fault({ status: 201, body: { data } });
  const { properties: outs } = await provider.create({ ...slackChannel, dnsNotificationsEnabled: true });
  expect(outs).toMatchObject({ label: "Ops on-call", dnsNotificationsEnabled: true });
  await hasPrinted(provider.started, /another dnsNotificationsEnabled than was declared/);
  const lines = provider.printed.split("\n").filter((line) => line.includes("channel-differs"));
  expect(lines).toEqual([
    expect.stringContaining("the service answered with another label than was declared"),
    expect.stringContaining("the service answered with another dnsNotificationsEnabled than was declared"),
  ]);
});

describe("configuration of the process", () => {
  test("may come from the environment, also for concurrent first calls", async () => {
    const started = await start({
      env: { DOMAIN_MONITORING_BASE_URL: emulator.url, DOMAIN_MONITORING_API_TOKEN: TOKEN },
    });
    await Promise.all(Array.from({ length: 4 }, () => started.create(slackChannel)));
    expect(emulator.channels()).toHaveLength(4);
  });

  test("is taken from stack config before the environment", async () => {
    const started = await start({
      config: stackConfig(emulator.url),
      env: { DOMAIN_MONITORING_BASE_URL: "http://127.0.0.1:1", DOMAIN_MONITORING_API_TOKEN: "other" },
    });
    // All of these are among the first calls, one of which configures the provider.
    const checks = Array.from({ length: 4 }, () => started.check(slackChannel));
    await Promise.all([
      ...Array.from({ length: 8 }, () => started.create(slackChannel)),
      started.diff("channel-1", slackChannel, slackChannel),
      started.read("channel-1", slackChannel),
    ]);
    for (const { failures } of await Promise.all(checks)) expect(failures).toEqual([]);
    expect(emulator.channels()).toHaveLength(8);
  });

  test("that is missing is reported in one line by the check of a preview, and by a create", async () => {
    const started = await start();
    const line =
      "the base address of the service is not set: run `pulumi config set domain-monitoring:baseUrl https://…` " +
      "or set the environment variable DOMAIN_MONITORING_BASE_URL";
    const { failures: found } = await started.check(slackChannel);
    expect(found).toEqual([{ property: "", reason: line }]);
    expect(await started.diff("channel-1", slackChannel, slackChannel)).toMatchObject({ changes: "none" });
    await started.read("channel-1", slackChannel);
    await started.delete("channel-1", slackChannel);
    const failures = await Promise.all([1, 2].map(() => refusalOf(started.create(slackChannel))));
    expect(failures.map(({ message }) => message)).toEqual([line, line]);
  });

  test("that names an unreachable service fails with the cause, and nothing was sent", async () => {
    const gone = await startEmulator();
    await gone.close();
    const started = await start({ config: stackConfig(gone.url, { "domain-monitoring:maxRetries": "0" }) });
    const { message } = await refusalOf(started.create(slackChannel));
    expect(message).toContain(
      "could not reach the service (ECONNREFUSED): nothing listens there: check the host and port",
    );
    expect(message).not.toContain("may have been created");
  });

  test("limits the requests in flight of 64 concurrent creates", async () => {
    const service = await startHoldingService();
    try {
      const started = await start({
        config: stackConfig(service.url, { "domain-monitoring:concurrency": "5" }),
      });
      const creates = Array.from({ length: 64 }, () => started.create(slackChannel));
      await service.holds(5);
      // Whoever answers this call in between would have sent a sixth request by now.
      await started.check(slackChannel);
      expect(service.inFlight).toBe(5);
      service.release();
      const ids = (await Promise.all(creates)).map(({ id }) => id);
      expect(new Set(ids).size).toBe(64);
      expect(service.mostInFlight).toBe(5);
    } finally {
      await service.close();
    }
  });
});
