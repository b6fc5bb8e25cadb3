/**
 * The provider as the engine runs it: in the SDK's own process, from the constant text, over gRPC, against a real server. Its
 * decisions and words are proven in channel.test.ts and diff.test.ts; here, that they cross the wire.
 */
import { PROVIDER_TEXT } from "../../src/names";
import type { Properties } from "../../src/provider/boundary";
import { type Emulator, type FaultRule, startEmulator } from "../../src/testing/emulator";
import { closeAll } from "../client/support/cleanup";
import { gate, held, startService, succeed } from "../client/support/service";
import { failureOf } from "../support/failure";
import { CallFailure, type ProviderClient } from "../support/provider-client";
import { hasPrinted } from "../support/run";
import {
  DOMAIN,
  expectNoSecret,
  FLAGS,
  factsOf,
  SLACK_URL,
  SQL_TS,
  slackChannel,
  TOKEN,
  WEBHOOK_URL,
  webhookChannel,
} from "./support/channels";
import { type ProcessOptions, startProvider } from "./support/provider-process";

const processes: ProviderClient[] = [];

async function start(options?: ProcessOptions): Promise<ProviderClient> {
  const started = await startProvider(options);
  processes.push(started);
  return started;
}

function stackConfig(baseUrl: string, tuning: Record<string, string> = {}): Record<string, string> {
  return { "domain-monitoring:baseUrl": baseUrl, "domain-monitoring:apiToken": TOKEN, ...tuning };
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

afterEach(async () => {
  for (const { printed } of processes) expectNoSecret(printed);
  await closeAll();
});

afterAll(async () => {
  await Promise.all(processes.map((started) => started.stop()));
  await emulator.close();
});

test("A channel's life makes one channel with one request", async () => {
  const checked = await provider.check(webhookChannel);
  expect(checked.failures).toEqual([]);
  expect(checked.inputs).toEqual({ ...webhookChannel, __provider: PROVIDER_TEXT });

  const { id, properties: outs } = await provider.create(checked.inputs);
  expect(emulator.channels()).toMatchObject([{ id, ...webhookChannel }]);
  expect(outs).toEqual({
    ...FLAGS,
    ...webhookChannel,
    ...factsOf(id, "Webhook", SQL_TS),
    __provider: PROVIDER_TEXT,
  });

  const unchanged = { changes: "none", diffs: [], replaces: [], deleteBeforeReplace: false };
  expect(await provider.diff(id, outs, checked.inputs)).toEqual(unchanged);
  const read = { id, properties: outs, inputs: checked.inputs, hasProperties: true };
  expect(await provider.read(id, outs)).toEqual(read);
  const refusing = { ...checked.inputs, onOrphan: "error" };
  expect(await provider.diff(id, outs, refusing)).toMatchObject({ changes: "some", replaces: [] });
  expect(await provider.update(id, outs, refusing)).toEqual({ ...outs, onOrphan: "error" });
  await provider.delete(id, outs);

  expect(emulator.channels()).toHaveLength(1);
  expect(emulator.requests).toHaveLength(1);
});

test("A channel that stays in the service is named on standard error, or the call is refused without a stack", async () => {
  const title = `Notification channel "Ops on-call" (slack, domain ${DOMAIN}, id stays-behind)`;
  await provider.delete("stays-behind", slackChannel);
  await provider.diff("stays-behind", slackChannel, { ...slackChannel, value: WEBHOOK_URL });
  await hasPrinted(provider.started, /is to be replaced \(changed: value\)/);
  const lines = provider.printed.split("\n").filter((line) => line.includes("stays-behind"));
  expect(lines).toEqual([
    expect.stringContaining(`warning: ${title} leaves this stack. This package cannot delete it`),
    expect.stringContaining(`warning: ${title} is to be replaced (changed: value)`),
  ]);
  const refused = await refusalOf(provider.delete("stays-behind", { ...slackChannel, onOrphan: "error" }));
  expect(refused.message).toContain(`${title} is not deleted`);
  // The process prints message and stack of such an error.
  expect(provider.printed).not.toMatch(/^\s+at /m);
  expect(emulator.requests).toEqual([]);
});

describe("a create that the service rejects", () => {
  test.each([
    ["quotes the service", `${SLACK_URL} is taken.`, "The service says: [redacted] is taken."],
    ["fails though it says more than a trailer can carry", "漢字 ".repeat(20_000), "漢字 漢字"],
    [
      "fails though what it says cannot be encoded",
      "half of an emoji: \ud83d",
      "half of an emoji: [redacted]",
    ],
  ])("%s", async (_case, message, said) => {
    emulator.fault({ status: 422, body: { message } });
    const refused = await refusalOf(provider.create(slackChannel));
    expect(refused.message).toContain(said);
    expect(refused.partial).toBeUndefined();
    expect(emulator.channels()).toEqual([]);
  });

  test("with 429 is sent again when the service allows it", async () => {
    emulator.fault({ status: 429, headers: { "Retry-After": "0" } });
    await provider.create(slackChannel);
    expect(emulator.requests).toHaveLength(2);
    expect(emulator.channels()).toHaveLength(1);
  });
});

test.each<[string, FaultRule, number]>([
  ["a failure of the service", { status: 502, body: "<html>Bad gateway</html>", times: 9 }, 0],
  ["a lost answer", { reset: "after" }, 1],
  ["half of an answer", { reset: "body" }, 1],
  ["an interrupted request, which may have arrived", { reset: "before" }, 0],
  ["an answer of success without an id", { status: 200, body: { data: { id: "" } } }, 0],
])("A create that ends with %s is not sent again", async (_case, rule, created) => {
  emulator.fault(rule);
  const { message, partial } = await refusalOf(provider.create(channel));
  expect(message).toContain(
    `The channel "Ops on-call" (slack) of domain ${DOMAIN} may have been created anyway: look for it in the service`,
  );
  expect(partial).toBeUndefined();
  expect(emulator.requests).toHaveLength(1);
  expect(emulator.channels()).toHaveLength(created);
});

describe("a channel of which only the id could be read", () => {
  const create = async (declared: Properties) => {
    emulator.fault({ status: 201, body: { data: { id: "channel-9" } } });
    return refusalOf(provider.create(declared));
  };

  test("is passed to the engine as partly created, and completed by an update without a request", async () => {
    const { message, partial } = await create(channel);
    const properties = {
      ...channel,
      ...FLAGS,
      secondaryValue: null,
      ...factsOf("channel-9", "slack"),
      __provider: PROVIDER_TEXT,
    };
    expect(partial).toEqual({ id: "channel-9", properties, reasons: [message] });

    const { inputs } = await provider.check(channel, channel);
    expect(await provider.diff("channel-9", properties, inputs)).toMatchObject({ changes: "none" });
    expect(await provider.update("channel-9", properties, inputs)).toEqual(properties);
    expect(emulator.requests).toHaveLength(1);
  });

  test("is reported as a failure that names it if the properties are too large for a gRPC message", async () => {
    const value = `https://hooks.slack.example/slack-secret/${"x".repeat(20_000)}`;
    const { message, partial } = await create({ ...channel, value });
    expect(message).toContain("id channel-9) was created, but");
    expect(partial).toBeUndefined();
  });
});

describe("configuration of the process", () => {
  test("is taken from stack config before the environment, also for concurrent first calls", async () => {
    const started = await start({
      config: { "domain-monitoring:baseUrl": emulator.url },
      env: { DOMAIN_MONITORING_BASE_URL: "http://127.0.0.1:1", DOMAIN_MONITORING_API_TOKEN: TOKEN },
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
    const reason =
      "the base address of the service is not set: run `pulumi config set domain-monitoring:baseUrl https://…` " +
      "or set the environment variable DOMAIN_MONITORING_BASE_URL";
    expect((await started.check(slackChannel)).failures).toEqual([{ property: "", reason }]);
    expect(await refusalOf(started.create(slackChannel))).toMatchObject({ message: reason });
  });

  test("limits the requests in flight of 64 concurrent creates", async () => {
    const { opened, open } = gate();
    const service = await startService([held(opened, succeed)]);
    const started = await start({
      config: stackConfig(service.url, { "domain-monitoring:concurrency": "5" }),
    });
    const creates = Array.from({ length: 64 }, () => started.create(slackChannel));
    await service.arrived(5);
    // Whoever answers this call in between would have sent a sixth request by now.
    await started.check(slackChannel);
    expect(service.requests).toHaveLength(5);
    open();
    await Promise.all(creates);
    expect(service.created).toBe(64);
  });
});
