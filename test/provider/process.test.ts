/** How the provider's process is configured, in the SDK's own process and from the constant text. Its calls: life.test.ts. */
import { startEmulator } from "../../src/testing/emulator";
import { expectNoSecret, slackChannel, TOKEN } from "./support/channels";
import { startProvider } from "./support/provider-process";

test("stack config goes before the environment, also for concurrent first calls", async () => {
  await using emulator = await startEmulator({ token: TOKEN });
  const provider = await startProvider({
    config: { "domain-monitoring:baseUrl": emulator.url },
    env: { DOMAIN_MONITORING_BASE_URL: "http://127.0.0.1:1", DOMAIN_MONITORING_API_TOKEN: TOKEN },
  });
  try {
    // All of these are among the first calls, one of which configures the provider.
    const checks = Array.from({ length: 4 }, () => provider.check(slackChannel));
    await Promise.all([
      ...Array.from({ length: 8 }, () => provider.create(slackChannel)),
      provider.diff("channel-1", slackChannel, slackChannel),
      provider.read("channel-1", slackChannel),
    ]);
    for (const { failures } of await Promise.all(checks)) expect(failures).toEqual([]);
    expect(emulator.channels()).toHaveLength(8);
    expectNoSecret(provider.printed);
  } finally {
    await provider.stop();
  }
});
