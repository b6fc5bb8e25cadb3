/** How the provider's process is configured, in the SDK's own process and from the constant text. Its calls: life.test.ts. */
import { type Emulator, startEmulator } from "../../src/testing/emulator";
import { closeAll } from "../client/support/cleanup";
import { gate, held, startService, succeed } from "../client/support/service";
import { failureOf } from "../support/failure";
import type { ProviderClient } from "../support/provider-client";
import { expectNoSecret, slackChannel, TOKEN } from "./support/channels";
import { type ProcessOptions, startProvider } from "./support/provider-process";

const processes: ProviderClient[] = [];

async function start(options?: ProcessOptions): Promise<ProviderClient> {
  const started = await startProvider(options);
  processes.push(started);
  return started;
}

let emulator: Emulator;

beforeAll(async () => {
  emulator = await startEmulator({ token: TOKEN });
});
beforeEach(() => emulator.reset());

afterEach(async () => {
  for (const { printed } of processes) expectNoSecret(printed);
  await closeAll();
});

afterAll(async () => {
  await Promise.all(processes.map((started) => started.stop()));
  await emulator.close();
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
    expect(await failureOf(started.create(slackChannel))).toMatchObject({ message: reason });
  });

  test("limits the requests in flight of 64 concurrent creates", async () => {
    const { opened, open } = gate();
    const service = await startService([held(opened, succeed)]);
    const started = await start({
      config: {
        "domain-monitoring:baseUrl": service.url,
        "domain-monitoring:apiToken": TOKEN,
        "domain-monitoring:concurrency": "5",
      },
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
