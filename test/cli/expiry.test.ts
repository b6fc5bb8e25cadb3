import { writeFileSync } from "node:fs";
import path from "node:path";
import { type Emulator, startEmulator } from "../../packages/domain-monitoring-emulator/src";
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

  /**
   * Returns the exit code, the lines, and the verdicts of the JSON, which has to state the same
   * code.
   */
  async function judge(...args: string[]) {
    const { code, stdout, stderr } = await run(...args);

    expect(stderr).toBe("");

    const json = JSON.parse((await run(...args, "--json")).stdout);

    expect(json.exitCode).toBe(code);

    return { code, lines: stdout.trimEnd().split("\n"), json };
  }

  it.each([
    [`${LONG} ${SHORT} --minimum-days 10`, "pass", /^pass {5}short\.example\.com expires on /],
    [`${LONG} ${SHORT} --minimum-days 30`, "fail", /^fail {5}short\.example\.com expires on /],
    [
      `${LONG} ${NEW} --minimum-days 30`,
      "warn",
      /^warn {5}new\.example\.com has no expiry date yet: .*; was added on .* and is not checked yet/,
    ],
    [
      `${LONG} dateless --minimum-days 30`,
      "fail",
      /^fail {5}dateless\.example has no expiry date, although WHOIS was checked/,
    ],
    [
      `${NEW} --minimum-days 30 --on-unknown warn`,
      "warn",
      /^warn {5}new\.example\.com has no expiry date yet/,
    ],
    [
      `${SHORT} --minimum-days 10 --warn-days 30`,
      "warn",
      /^warn {5}short\.example\.com expires on \S+, 20 days left, with a warning below 30: renew it soon$/,
    ],
    [
      "old --minimum-days 30 --maximum-age-hours 24",
      "fail",
      /^fail {5}old\.example .* as far as known/,
    ],
    [
      "shop --minimum-days 30 --certificate-days 14",
      "fail",
      /^fail {5}shop\.example .*; its certificate expires on \S+, 2 days left, 14 required: renew it$/,
    ],
    [
      "off --minimum-days 30 --certificate-days 14",
      "pass",
      /^pass {5}off\.example .*; its certificate is not monitored: switch its checks on in the service$/,
    ],
    ["hostile --minimum-days 1", "pass", /^pass {5}a b expires on /],
  ])("--domain %s is a %s: %p", async (args, verdict, line) => {
    const expiresAt = inDays(400);
    const ssl = { expiresAt: inDays(2), lastConsideredValidAt: null };
    const whois = { lastCheckedAt: `${inDays(-3)}T10:00:00.000000Z` };
    service.addDomain({ id: "old", domain: "old.example", expiresAt, whois });
    service.addDomain({ id: "dateless", domain: "dateless.example", expiresAt: null });
    service.addDomain({ id: "shop", domain: "shop.example", expiresAt, ssl });
    service.addDomain({ id: "off", domain: "off.example", expiresAt, ssl: { isEnabled: false } });
    service.addDomain({ id: "hostile", domain: "a\u001b[2J\nb", expiresAt });

    const { code, lines, json } = await judge("--domain", ...args.split(" "));

    expect(code).toBe(verdict === "fail" ? 2 : 0);
    expect(json.domains.at(-1).verdict).toBe(verdict);

    const numbers = json.domains.length > 1 ? [expect.stringMatching(/^2 domains: \d pass/)] : [];

    expect(lines.slice(json.domains.length - 1)).toEqual([expect.stringMatching(line), ...numbers]);
  });

  it("reads rules for all and for single domains from a file, but prefers options", async () => {
    const rules = path.join(temporaryDirectory(), "rules.yaml");
    writeFileSync(
      rules,
      `registration: { minimumDays: 30 }
domains:
  GONE.example.com: { accept: [{ about: registration, until: ${inDays(9)}, reason: "given up, ticket 4711" }] }
  short.example.com: { registration: { minimumDays: 15 } }
`,
    );

    const args = ["--domain", LONG, SHORT, GONE, "--rules", rules];
    const { code, lines } = await judge(...args);

    expect(code).toBe(0);
    expect(lines).toEqual([
      expect.stringMatching(/^pass {5}long/),
      expect.stringMatching(/^pass {5}short/),
      expect.stringMatching(/^warn {5}gone\..* \(accepted until \S+: given up, ticket 4711\)$/),
      "3 domains: 2 pass, 1 warn",
    ]);

    expect((await judge(...args, "--minimum-days", "25")).json).toMatchObject({
      rule: { minimumDays: 25, warnDays: null, certificateDays: null },
      exitCode: 2,
      domains: [{ verdict: "pass" }, { verdict: "fail" }, { verdict: "warn", overridden: true }],
    });
  });

  it("shows an exception that has ended beside the registration, which lasts", async () => {
    const rules = path.join(temporaryDirectory(), "rules.yaml");
    const accept = `[{ about: registration, until: ${inDays(-2)}, reason: sold }]`;
    writeFileSync(rules, `domains: { long.example.com: { accept: ${accept} } }`);
    const { code, lines } = await judge("--domain", LONG, "--minimum-days", "30", "--rules", rules);

    expect({ code, lines }).toEqual({
      code: 0,
      lines: [
        expect.stringMatching(
          /^warn {5}long\.example\.com expires on \S+, 400 days left; its exception about registration ended on /,
        ),
      ],
    });
  });

  it("judges as report does: what is null is not judged, and a certificate is required only as a component", async () => {
    const rules = path.join(temporaryDirectory(), "rules.yaml");
    service.addDomain({
      id: "off",
      domain: "off.example",
      expiresAt: null,
      ssl: { isEnabled: false },
    });

    const none = 'groups: { none: { names: ["off.*"], registration: null } }';
    writeFileSync(
      rules,
      `registration: { minimumDays: 30 }\ncertificate: { minimumDays: 1 }\n${none}`,
    );

    const args = ["--domain", "off", "--rules", rules];

    expect((await judge(...args)).lines).toEqual([
      "pass     off.example has a registration that is not judged; its certificate is not monitored: switch its checks on in the service",
    ]);

    writeFileSync(
      rules,
      `certificate: { minimumDays: 1 }\ncomponents: { required: [ssl, dns] }\n${none}`,
    );

    const { code, json } = await judge(...args, "--minimum-days", "30");

    expect(code).toBe(2);
    expect(json.domains).toMatchObject([
      { verdict: "fail", actBy: null, certificate: { status: "unmonitored" }, overridden: false },
    ]);
  });

  it("exits with 1 if one of many domains does not exist, and still evaluates the others", async () => {
    const { code, stdout, stderr } = await run(
      "--domain",
      LONG,
      "nobody",
      SHORT,
      "--minimum-days",
      "30",
    );

    expect(code).toBe(1);
    expect(stdout.split("\n")).toEqual([
      expect.stringMatching(/^pass /),
      expect.stringMatching(/^unknown {2}nobody: GET \/api\/domains\/nobody: got 404/),
      expect.stringMatching(/^fail /),
      "3 domains: 1 pass, 1 fail, 1 unknown",
      "",
    ]);

    expect(stderr).toMatch(/^error: domain nobody: GET \/api\/domains\/nobody: got 404, [^\n]*\n$/);
  });

  it("prints JSON in a stable format", async () => {
    const args = [
      "--domain",
      SHORT,
      "nobody",
      "--minimum-days",
      "30",
      "--maximum-age-hours",
      "48",
      "--json",
    ];

    const { stdout } = await run(...args);
    const parts = ["domain", "status", "expiresAt", "actBy", "checkedAt", "certificate"];
    const unknown = Object.fromEntries([...parts, "overridden"].map((part) => [part, null]));

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
          certificate: null,
          overridden: false,
          message: expect.stringContaining("short.example.com expires on"),
          failure: null,
        },
        {
          id: "nobody",
          verdict: "unknown",
          ...unknown,
          message: expect.stringContaining("got 404"),
          failure: { kind: "http", status: 404 },
        },
      ],
      notes: [],
    });
  });

  it("adds the ids of an exported stack on standard input to the given ones", async () => {
    const input = stackExport([LONG, secretInput({ ciphertext: "v1:abc" }), SHORT]);
    const args = ["expiry", "--domain", SHORT, "--from-stack", "-", "--minimum-days", "10"];
    const { code, stdout } = await runInProcess(args, { env: accountOf(service), input });

    expect(code).toBe(0);
    expect(stdout.split("\n")).toEqual([
      "note: channel channel-1 was skipped: its domainId is a secret, so pass the id with --domain",
      expect.stringMatching(/^pass {5}short/),
      expect.stringMatching(/^pass {5}long/),
      "2 domains: 2 pass",
      "",
    ]);
  });

  it.each([[[]], [["--from-stack", "-"]]])("says that there are no domains (%j)", async (given) => {
    const args = ["expiry", ...given, "--minimum-days", "30"];
    expect(await runInProcess(args, { env: accountOf(service), input: stackExport([]) })).toEqual({
      code: 1,
      stdout: "",
      stderr: expect.stringMatching(
        /^error: no domains selected: pass --domain ID, --all, or [^\n]*\n$/,
      ),
    });
  });

  it.each([
    [
      "--domain long",
      "--minimum-days is missing: pass it, or set registration.minimumDays in the --rules file",
    ],
    [
      "--domain long --minimum-days 30 --warn-days 20",
      "--warn-days is below --minimum-days: raise it",
    ],
    [
      "--domain long --minimum-days 1 --certificate-days soon",
      "It is not a whole number from 0 to 36500: use one such as 30.",
    ],
    [
      "--domain long --minimum-days=-1",
      "It is not a whole number from 0 to 36500: use one such as 30.",
    ],
    [
      "--domain long --minimum-days 36501",
      "It is not a whole number from 0 to 36500: use one such as 30.",
    ],
    [
      "--domain long --minimum-days 1 --maximum-age-hours 0",
      "It is not a number above 0: use one such as 48.",
    ],
    ["--domain long --minimum-days 1 --on-unknown shrug", "Allowed choices are error, warn."],
    ["--domain= --minimum-days 1", "An id or a name must not be empty."],
    [
      "--domain --minimum-days 30",
      "--domain needs an id or a name, and this looks like an option: check that the",
    ],
    ["--minimum-days 1 --domain", "option '--domain <domain...>' argument missing"],
    ["--domain long --minimum-days 1 --format html", "Allowed choices are table, json."],
    ["--domain long --minimum-days 1 --api-token x", "unknown option '--api-token'"],
    [
      "--domain long --minimum-days 1 --base-url https://user:hunter2@example.com",
      "error: --base-url: the base address contains a user name",
    ],
  ])("rejects %s in one line and exits with 1", async (args, message) => {
    const { code, stdout, stderr } = await run(...args.split(" "));

    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toMatch(/^error: .*\n$/);
    expect(stderr).toContain(message);
    expect(stderr).not.toContain("hunter2");
    expect(service.requests).toEqual([]);
  });

  it("never prints the token, even if the service echoes it", async () => {
    service.fault({
      status: 402,
      times: 99,
      body: { message: `no such token: ${service.token}` },
    });

    for (const format of [[], ["--json"]]) {
      const { code, stdout, stderr } = await run(
        "--domain",
        LONG,
        SHORT,
        "--minimum-days",
        "1",
        ...format,
      );

      expect(code).toBe(1);
      expect(stdout).toContain("no such token: [redacted]");
      expect(stdout + stderr).not.toContain(service.token);
    }
  });
});
