/** `check` starts a check by hand, once for each domain and component. */
import { type Emulator, startEmulator } from "../../packages/domain-monitoring-emulator/src";
import { runInProcess } from "./command";

const TOKEN = "check-token";
let service: Emulator;

beforeAll(async () => {
  service = await startEmulator({
    token: TOKEN,
    lifecycle: "managed",
    now: "2026-01-31T08:00:00Z",
  });
});

afterAll(() => service.close());
beforeEach(() => service.reset());

function run(...args: string[]) {
  const env = { DOMAIN_MONITORING_BASE_URL: service.url, DOMAIN_MONITORING_API_TOKEN: TOKEN };
  return runInProcess(["check", ...args], { env });
}

const checks = () =>
  service.requests.filter(({ method }) => method === "POST").map(({ path }) => path);

it("queues both checks of each domain", async () => {
  const { code, stdout } = await run("--domain", "example.com", "example.org");

  expect(code).toBe(0);
  expect(stdout.trim().split("\n")).toEqual([
    "example.com: the check of WHOIS data is queued",
    "example.com: the check of DNS data is queued",
    "example.org: the check of WHOIS data is queued",
    "example.org: the check of DNS data is queued",
  ]);

  expect(checks()).toHaveLength(4);
});

it("shows the refusal of a second check with the time of the first, and goes on", async () => {
  await run("--domain", "example.com", "--component", "whois");
  const { code, stdout, stderr } = await run("--domain", "example.com");

  expect(code).toBe(1);
  expect(stdout).toBe("example.com: the check of DNS data is queued\n");
  expect(stderr).toMatch(
    /^error: example\.com: the check of WHOIS data is not queued: POST \S+: got 429, refused/,
  );

  expect(stderr).toContain("It was last checked by hand at 2026-01-31T08:00:00.000000Z");
  expect(checks()).toHaveLength(3);
});

it("names a domain that the account lacks", async () => {
  const { code, stderr } = await run("--domain", "other.example");

  expect(code).toBe(1);
  expect(stderr).toContain('domain "other.example" is not one of the 3 domains of this account');
  expect(checks()).toEqual([]);
});
