/** A rate limit is waited for: a pipeline that is told to run again would only meet the same limit again. */
import { openAccount } from "../../src/cli/account";
import { type Emulator, type EmulatorOptions, startEmulator } from "../../src/testing/emulator";
import { accountOf, inDays, runInProcess } from "./command";

let service: Emulator;
const ids = ["a", "b", "c"];

afterEach(() => service.close());

async function start(options: EmulatorOptions = {}): Promise<void> {
  service = await startEmulator({ domains: ids.map((id) => ({ id, expiresAt: inDays(400) })), ...options });
}

/** No further attempts within a call, so that each 429 ends one. */
const run = (args: string[], env: Record<string, string> = {}) =>
  runInProcess(args, { env: { ...accountOf(service), ...env } });

const report = ["report", "--format", "json", "--domain", ...ids];
const expiry = ["expiry", "--minimum-days", "30", "--domain", ...ids];

it("finishes a report that needs more requests than the limit allows", async () => {
  await start({ rateLimit: { requests: 5, perSeconds: 1 } });
  const { code, stdout, stderr } = await run(report);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(JSON.parse(stdout).summary).toEqual({ domains: 3, ok: 3, attention: 0, error: 0 });
});

it.each([
  ["report", report, 9],
  ["expiry", expiry, 3],
])("retries as often as the rate limit requires (%s)", async (_, args, questions) => {
  await start();
  service.fault({ status: 429, times: 10, headers: { "Retry-After": "0.01" } });
  const { code } = await run(args);
  expect(code).toBe(0);
  expect(service.requests).toHaveLength(10 + questions);
});

it("waits longer than a call of a program would", async () => {
  await start();
  service.fault({ status: 429, headers: { "Retry-After": "299" } });
  const ending = new AbortController();
  const given = process.env;
  process.env = { DOMAIN_MONITORING_API_TOKEN: service.token };
  // Aborted only once it waits: a call that gives up ends with the 429.
  const { client } = await openAccount(service.url, () => setImmediate(() => ending.abort()));
  process.env = given;
  const failed = await client.domains.get("a", { signal: ending.signal }).catch((error: unknown) => error);
  await client.close();
  expect(failed).toMatchObject({ kind: "aborted" });
});

it("fails at once if the rate limit lasts longer than the deadline", async () => {
  await start();
  service.fault({ status: 429, times: 99, headers: { "Retry-After": "301" } });
  const { code, stdout } = await run(expiry, { DOMAIN_MONITORING_MAX_RETRIES: "3" });
  expect(code).toBe(1);
  expect(stdout).toContain("It asks to wait 301 s, longer than the 300 s that this call may take");
  expect(service.requests.length).toBeLessThanOrEqual(ids.length);
});

it("fails if the rate limit admits no request until the deadline", async () => {
  await start();
  service.fault({ status: 429, times: 9999, headers: { "Retry-After": "0.05" } });
  const { code, stdout } = await run(report, { DOMAIN_MONITORING_TIMEOUT_SECONDS: "0.3" });
  expect(code).toBe(1);
  expect(JSON.parse(stdout).summary).toEqual({ domains: 3, ok: 0, attention: 0, error: 3 });
});

it("does not wait as long for a 429 without a delay, or for another failure", async () => {
  await start();
  service.fault({ status: 429, times: 3 });
  expect((await run(expiry)).code).toBe(1);
  service.fault({ status: 503, times: 3, headers: { "Retry-After": "0.01" } });
  expect((await run(expiry)).code).toBe(1);
  expect(service.requests).toHaveLength(6);
});

it("says in its help how long it waits", async () => {
  await start();
  for (const command of ["report", "expiry"]) {
    const { stdout } = await runInProcess([command, "--help"]);
    expect(stdout).toContain("DOMAIN_MONITORING_TIMEOUT_SECONDS  deadline of a whole call (default: 300)");
    expect(stdout).toContain("The command waits for a rate limit");
  }
});
