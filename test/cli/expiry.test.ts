import { writeFileSync } from "node:fs";
import path from "node:path";
import { type Emulator, startEmulator } from "../../src/testing/emulator";
import { temporaryDirectory } from "../support/temporary";
import { accountOf, inDays, runInProcess, secretInput, stackExport } from "./command";

const LONG = "long";
const SHORT = "short";
const GONE = "gone";
const NEW = "new";

describe("pulumi-domain-monitoring expiry", () => {
  let service: Emulator;

  beforeEach(async () => {
    service = await startEmulator({
      domains: [
        { id: LONG, domain: "long.example.com", expiresAt: inDays(400) },
        { id: SHORT, domain: "short.example.com", expiresAt: inDays(20) },
        { id: GONE, domain: "gone.example.com", expiresAt: inDays(-20) },
        { id: NEW, domain: "new.example.com", checked: false },
      ],
    });
  });
  afterEach(() => service.close());

  const run = (...args: string[]) => runInProcess(["expiry", ...args], { env: accountOf(service) });

  it("exits with 0 if every registration lasts long enough", async () => {
    const { code, stdout, stderr } = await run("--domain", LONG, SHORT, "--minimum-days", "10");
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /^ok {8}long\.example\.com expires on .*\nok {8}short\.example\.com expires on .*\n$/,
    );
    expect(stderr).toBe("");
  });

  it.each([
    [SHORT, "expiring  short.example.com expires on"],
    [GONE, "expired   gone.example.com expired on"],
    [NEW, "unknown   new.example.com has no expiry date yet"],
  ])("exits with 2 for a domain that is %s, and says so in one line", async (id, line) => {
    const { code, stdout, stderr } = await run("--domain", LONG, "--domain", id, "--minimum-days", "30");
    expect(code).toBe(2);
    expect(stdout.split("\n")).toEqual([expect.stringMatching(/^ok /), expect.stringContaining(line), ""]);
    expect(stderr).toBe("");
  });

  it("warns of a registration that ends soon, with exit code 0, and the line says so", async () => {
    const args = ["--domain", SHORT, "--minimum-days", "10", "--warn-days", "30"];
    const { code, stdout } = await run(...args);
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /^expiring {2}short\.example\.com expires on \S+, in 20 days, fewer than the 30 days of the warning: renew it soon\n$/,
    );
    expect(JSON.parse((await run(...args, "--json")).stdout)).toMatchObject({
      exitCode: 0,
      domains: [{ verdict: "warn", severity: "warning", status: "expiring" }],
    });
  });

  it("looks at certificates if days of them are required, and begins the line with their state", async () => {
    const ssl = { expiresAt: inDays(2), lastConsideredValidAt: null };
    service.addDomain({ id: "shop", domain: "shop.example.com", expiresAt: inDays(400), ssl });
    service.addDomain({
      id: "off",
      domain: "off.example.com",
      expiresAt: inDays(400),
      ssl: { isEnabled: false },
    });
    const args = ["--domain", "shop", "off", "--minimum-days", "30"];
    expect((await run(...args)).code).toBe(0);
    const { code, stdout } = await run(...args, "--certificate-days", "14", "--on-unknown", "warn");
    expect(code).toBe(2);
    expect(stdout).toMatch(
      /^expiring {2}shop\.example\.com expires on \S+, in 400 days; its certificate expires on \S+, in 2 days, and 14 days are required: renew it\nunmonitored {2}off\.example\.com .*; its certificate is not monitored: switch its checks on in the service \(accepted by --on-unknown warn\)\n$/,
    );
    const json = JSON.parse((await run(...args, "--certificate-days", "14", "--json")).stdout);
    expect(json.domains).toMatchObject([
      { verdict: "fail", status: "ok", severity: "error", certificate: { status: "expiring", daysLeft: 2 } },
      {
        verdict: "fail",
        status: "ok",
        severity: "error",
        certificate: { status: "unmonitored" },
      },
    ]);
  });

  it("takes the rules from a file, with others for single domains, and options before it", async () => {
    const rules = path.join(temporaryDirectory(), "rules.yaml");
    writeFileSync(
      rules,
      `registration: { minimumDays: 30 }
domains:
  GONE.example.com: { accept: { until: ${inDays(9)}, reason: "given up, ticket 4711" } }
  short.example.com: { registration: { minimumDays: 15 } }
`,
    );
    const args = ["--domain", LONG, SHORT, GONE, "--rules", rules];
    const { code, stdout } = await run(...args);
    expect(code).toBe(0);
    expect(stdout.split("\n")).toEqual([
      expect.stringMatching(/^ok {8}long/),
      expect.stringMatching(/^ok {8}short/),
      expect.stringMatching(
        /^expired {3}gone\.example\.com .* \(accepted until \S+: given up, ticket 4711\)$/,
      ),
      "",
    ]);
    const json = JSON.parse((await run(...args, "--minimum-days", "25", "--json")).stdout);
    expect(json).toMatchObject({
      rule: { minimumDays: 25, warnDays: null, certificateDays: null },
      exitCode: 2,
      domains: [{ verdict: "pass" }, { verdict: "fail" }, { verdict: "warn", overridden: true }],
    });
  });

  it("exits with 2 if the last check is older than allowed", async () => {
    const whois = { lastCheckedAt: `${inDays(-3)}T10:00:00.000000Z` };
    service.addDomain({ id: "old", domain: "old.example.com", expiresAt: inDays(400), whois });
    const args = ["--domain", "old", "--minimum-days", "30", "--maximum-age-hours"];
    expect((await run(...args, "240")).code).toBe(0);
    const { code, stdout } = await run(...args, "24");
    expect(code).toBe(2);
    expect(stdout).toMatch(/^stale {5}old\.example\.com expires on .* as far as known/);
  });

  it("accepts an unknown expiry if the option says so, and prints that it did", async () => {
    const args = ["--domain", NEW, "--minimum-days", "30", "--on-unknown", "warn"];
    const { code, stdout } = await run(...args);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^unknown .*\(accepted by --on-unknown warn\)\n$/);
    const json = JSON.parse((await run(...args, "--json")).stdout);
    expect(json.domains[0]).toMatchObject({ verdict: "warn", status: "unknown", expiresAt: null });
  });

  it("never accepts an expiry date that cannot be read", async () => {
    service.addDomain({ id: "odd", domain: "odd.example.com", expiresAt: "next spring" });
    const args = ["--domain", "odd", "--minimum-days", "30", "--on-unknown", "warn"];
    const { code, stdout } = await run(...args);
    expect(code).toBe(2);
    expect(stdout).toMatch(/^unknown {3}odd\.example\.com has an expiry date that /);
  });

  it("exits with 1 if one of many domains does not exist, and still evaluates the others", async () => {
    const { code, stdout, stderr } = await run("--domain", LONG, "nobody", SHORT, "--minimum-days", "30");
    expect(code).toBe(1);
    expect(stdout.split("\n")).toEqual([
      expect.stringMatching(/^ok /),
      expect.stringMatching(/^error {5}nobody: GET \/api\/domains\/nobody: answered 404/),
      expect.stringMatching(/^expiring /),
      "",
    ]);
    expect(stderr).toMatch(/^error: domain nobody: GET \/api\/domains\/nobody: answered 404, [^\n]*\n$/);
  });

  it("prints JSON in a stable format", async () => {
    const args = ["--domain", SHORT, "nobody", "--minimum-days", "30", "--maximum-age-hours", "48", "--json"];
    const { stdout } = await run(...args);
    expect(JSON.parse(stdout)).toEqual({
      version: 1,
      judgedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      rule: {
        minimumDays: 30,
        warnDays: null,
        certificateDays: null,
        maximumAgeHours: 48,
        onUnknown: "error",
      },
      exitCode: 1,
      domains: [
        {
          id: SHORT,
          verdict: "fail",
          domain: "short.example.com",
          status: "expiring",
          expiresAt: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
          actBy: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
          checkedAt: expect.stringMatching(/Z$/),
          severity: "error",
          certificate: null,
          overridden: false,
          message: expect.stringContaining("short.example.com expires on"),
          failure: null,
        },
        {
          id: "nobody",
          verdict: "error",
          domain: null,
          status: null,
          expiresAt: null,
          actBy: null,
          checkedAt: null,
          severity: null,
          certificate: null,
          overridden: null,
          message: expect.stringContaining("answered 404"),
          failure: { kind: "http", status: 404 },
        },
      ],
      notes: [],
    });
  });

  it("prints the same JSON with --format json", async () => {
    const args = ["--domain", LONG, "--minimum-days", "30"];
    const printed = async (...format: string[]) => {
      const { stdout } = await run(...args, ...format);
      return stdout.replace(/"judgedAt": .*/, "");
    };
    expect(await printed("--format", "json")).toBe(await printed("--json"));
    expect(await printed("--format", "table")).toBe(await printed());
  });

  it("reads each domain once, however often its id is given", async () => {
    const { stdout } = await run("--domain", LONG, LONG, "--domain", LONG, "--minimum-days", "30");
    expect(stdout.split("\n")).toHaveLength(2);
    expect(service.requests).toHaveLength(1);
  });

  it("takes ids from an exported stack on standard input, after those given, and notes what it skipped", async () => {
    const input = stackExport([LONG, secretInput({ ciphertext: "v1:abc" }), SHORT]);
    const args = ["expiry", "--domain", SHORT, "--from-stack", "-", "--minimum-days", "10"];
    const { code, stdout } = await runInProcess(args, { env: accountOf(service), input });
    expect(code).toBe(0);
    expect(stdout.split("\n")).toEqual([
      expect.stringMatching(/^ok {8}short/),
      expect.stringMatching(/^ok {8}long/),
      "note: channel channel-1 was skipped: its domainId is a secret, so give the id by --domain",
      "",
    ]);
  });

  it("says in one line that there are no domains, and exits with 1", async () => {
    const without = await run("--minimum-days", "30");
    const empty = await runInProcess(["expiry", "--from-stack", "-", "--minimum-days", "30"], {
      env: accountOf(service),
      input: stackExport([]),
    });
    for (const finished of [without, empty]) {
      expect(finished).toMatchObject({ code: 1, stdout: "" });
      expect(finished.stderr).toMatch(
        /^error: no domains given: give ids or names by --domain, --all, or .*\n$/,
      );
    }
  });

  it.each([
    [
      ["--domain", LONG],
      "no number of days is required: give --minimum-days, or registration.minimumDays in the file of --rules",
    ],
    [
      ["--domain", LONG, "--minimum-days", "30", "--warn-days", "20"],
      "a warning below 20 days comes later than the violation below 30 days: raise --warn-days, or warnDays in the",
    ],
    [
      ["--domain", LONG, "--minimum-days", "1", "--certificate-days", "soon"],
      "Give a whole number from 0 to",
    ],
    [
      ["--domain", LONG, "--rules", "none.yaml"],
      "none.yaml could not be read (ENOENT): check the path given to",
    ],
    [["--domain", LONG, "--minimum-days=-1"], "Give a whole number from 0 to 36500."],
    [["--domain", LONG, "--minimum-days", "36501"], "Give a whole number from 0 to 36500."],
    [["--domain", LONG, "--minimum-days", "1", "--maximum-age-hours", "0"], "Give a number above 0."],
    [["--domain", LONG, "--minimum-days", "1", "--on-unknown", "shrug"], "Allowed choices are error, warn."],
    [["--domain", "", "--minimum-days", "1"], "An id or a name must not be empty."],
    [
      ["--domain", "--minimum-days", "30"],
      "--domain needs an id or a name, and this looks like an option: check that the",
    ],
    [["--domain", LONG, "-x", "--minimum-days", "1"], "unknown option '-x'"],
    [["--minimum-days", "1", "--domain"], "option '--domain <domain...>' argument missing"],
    [["--domain", LONG, "--minimum-days", "1", "--format", "html"], "Allowed choices are table, json."],
    [["--domain", LONG, "--minimum-days", "1", "--api-token", "x"], "unknown option '--api-token'"],
  ])("rejects %j in one line and exits with 1", async (args, message) => {
    const { code, stdout, stderr } = await run(...args);
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toMatch(/^error: .*\n$/);
    expect(stderr).toContain(message);
    expect(service.requests).toEqual([]);
  });

  it("says which variable has a token that cannot be one, and exits with 1", async () => {
    const env = { ...accountOf(service), DOMAIN_MONITORING_API_TOKEN: "two words" };
    expect(await runInProcess(["expiry", "--domain", LONG, "--minimum-days", "1"], { env })).toEqual({
      code: 1,
      stdout: "",
      stderr:
        "error: environment variable DOMAIN_MONITORING_API_TOKEN: the API token holds a space, a line break or a character outside ASCII: give the token alone\n",
    });
  });

  it("uses --base-url before the environment, and never repeats a password in it", async () => {
    const env = { ...accountOf(service), DOMAIN_MONITORING_BASE_URL: "https://wrong.example.com" };
    const args = ["expiry", "--domain", LONG, "--minimum-days", "1", "--base-url"];
    expect(await runInProcess([...args, service.url], { env })).toMatchObject({ code: 0 });
    const refused = await runInProcess([...args, "https://user:hunter2@example.com"], { env });
    expect(refused).toMatchObject({ code: 1, stdout: "" });
    expect(refused.stderr).toMatch(/^error: --base-url: the base address carries a user name/);
    expect(refused.stderr).not.toContain("hunter2");
  });

  it("never prints the token, even if the service echoes it", async () => {
    service.fault({ status: 402, times: 99, body: { message: `no such token: ${service.token}` } });
    for (const format of [[], ["--json"]]) {
      const { code, stdout, stderr } = await run("--domain", LONG, SHORT, "--minimum-days", "1", ...format);
      expect(code).toBe(1);
      expect(stdout).toContain("no such token: [redacted]");
      expect(stdout + stderr).not.toContain(service.token);
    }
  });

  it("prints a malicious name as one harmless line", async () => {
    service.addDomain({ id: "hostile", domain: "a\u001b[2J\nb", expiresAt: inDays(400) });
    const { stdout } = await run("--domain", "hostile", "--minimum-days", "1");
    expect(stdout).toMatch(/^ok {8}a b expires on [^\n]*\n$/);
  });
});
