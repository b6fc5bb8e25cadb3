/** A rate limit is waited for, which test/client/rate-limits.test.ts shows in its cases: a pipeline that is told to run again would only meet the same limit again. */
import { openAccount } from "../../src/cli/account";
import { type Emulator, startEmulator } from "../../src/testing/emulator";
import { accountOf, inDays, runInProcess } from "./command";

let service: Emulator;
const ids = ["a", "b", "c"];

beforeEach(async () => {
  service = await startEmulator({ domains: ids.map((id) => ({ id, expiresAt: inDays(400) })) });
});
afterEach(() => service.close());

const run = (args: string[]) =>
  runInProcess(args, { env: { ...accountOf(service), DOMAIN_MONITORING_MAX_RETRIES: "3" } });

const report = ["report", "--format", "json", "--domain", ...ids];
const expiry = ["expiry", "--minimum-days", "30", "--domain", ...ids];

it.each([
  ["report", report, 9],
  ["expiry", expiry, 3],
])("retries after each rate limit, as often as settings allow (%s)", async (_, args, questions) => {
  service.fault({ status: 429, times: 3, headers: { "Retry-After": "0.01" } });
  const { code } = await run(args);
  expect(code).toBe(0);
  expect(service.requests).toHaveLength(3 + questions);
});

it("waits longer than a call of a program would", async () => {
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
  service.fault({ status: 429, times: 99, headers: { "Retry-After": "301" } });
  const { code, stdout } = await run(expiry);
  expect(code).toBe(1);
  expect(stdout).toContain("It asks to wait 301 s, longer than the 300 s that this call may take");
  expect(service.requests.length).toBeLessThanOrEqual(ids.length);
});
