/** A connection's client tells of the service's rate limit. */
import { startEmulator } from "../../packages/domain-monitoring-emulator/src";
import { Connection } from "../../src/provider/connection";

test("says once that a rate limit makes calls wait", async () => {
  await using service = await startEmulator({ domains: [{ domain: "example.com" }] });
  service.fault({
    status: 429,
    times: 2,
    headers: { "Retry-After": "30" },
  });

  const warnings: string[] = [];
  const explicit = {
    baseUrl: service.url,
    apiToken: service.token,
    timeoutSeconds: 1,
  };

  const { client } = new Connection(explicit, (line) => warnings.push(line));

  // The deadline is too short to wait, so the test is over at once.
  for (let call = 1; call <= 2; call++)
    await expect(client.domains.get("one")).rejects.toThrow("It asks to wait 30 s");

  await client.close();

  expect(warnings).toEqual([
    expect.stringContaining("the service's rate limit is reached: waiting 30 s."),
  ]);
});
