/**
 * `report` as the only check of a night: its judgement with and without a rules file.
 * test/docs/stories.test.ts has a file with several kinds of rules.
 */
import { useEmulator } from "../support/emulator";
import { accountOf, fileWith, inDays, runInProcess, stackFile } from "./command";

const domains = [{ id: "fine", domain: "fine.example" }];
const service = useEmulator({ lifecycle: "managed", domains });
const run = (...args: string[]) => runInProcess(["report", ...args], { env: accountOf(service) });

it("without a file, a certificate has to last for 14 days", async () => {
  const id = service.addDomain({ ssl: { expiresAt: inDays(13) } });
  const { code, stdout } = await run("--domain", id);
  expect(code).toBe(2);
  expect(stdout).toContain(", 13 days left, 14 required");
});

it("without a file, what is wrong with components and what has changed is shown and not judged", async () => {
  const seed = { domain: "odd.example", dns: { checkStatus: "FAILED" }, whoisChanges: [{}] };
  const { code, stdout } = await run("--domain", service.addDomain(seed));
  expect(code).toBe(0);
  expect(stdout).toMatch(/^Changes\n {2}odd\.example, .*registrar: /m);
  expect(stdout).toMatch(
    /^For your information\n {2}odd\.example: its DNS check has the status FAILED: /m,
  );
});

it("a finding has the same key every night until it gets worse, on one line", async () => {
  const id = service.addDomain({ id: "soon", domain: "soon.example", provider: "Evil -->\n# x" });
  const rules = fileWith("registration: { minimumDays: 30, warnDays: 60, registrars: [A] }");
  const keys = async (days: number) => {
    service.updateDomain(id, { expiresAt: inDays(days) });
    const { stdout } = await run("--all", "--rules", rules, "--format", "json");
    return JSON.parse(stdout).findings.map(({ key }: { key: string }) => key);
  };

  const nights = [
    "fine/registrar/unexpected_Example_Registrar/fail",
    "soon/registrar/unexpected_Evil_--_x/fail",
    "soon/registration/expiring/fail",
  ];

  expect(await keys(20)).toEqual(nights);
  expect(await keys(19)).toEqual(nights);
  expect(await keys(40)).toContain("soon/registration/expiring/warn");
  expect(await keys(-3)).toContain("soon/registration/expired/fail");
});

it("--all says which domains with rules the account lacks, and still judges the others", async () => {
  service.addDomain({ id: "short", domain: "short.example", expiresAt: inDays(3) });
  const rules = fileWith("domains:\n  FINE.example.: {}\n  old.example: { registration: null }");
  const { code, stdout, stderr } = await run("--all", "--rules", rules);
  expect({ code, stderr }).toEqual({ code: 2, stderr: "" });
  expect(stdout).toMatch(/short\.example: expires on/);
  expect(stdout).toMatch(
    /old\.example: is not in the account, but has rules: find out where it went, or /,
  );

  const { domains } = JSON.parse((await run("--all", "--rules", rules, "--format", "json")).stdout);
  const name = "old.example";
  expect(domains.at(-1)).toMatchObject({ id: name, domain: name, verdict: "fail" });
  expect(await run("--domain", "fine", "--rules", rules)).toMatchObject({ code: 0 });
});

it.each([
  ["2026-01-01", "Changes since 2026-01-01."],
  ["none", "Changes were not read."],
])("the header says what is required, and with --since %s: %s", async (since, changes) => {
  const rules = fileWith("registration: null");
  const { stdout } = await run("--domain", "fine", "--since", since, "--rules", rules);

  expect(stdout.split("\n")[1]).toBe(
    `Required: registrations not judged, certificates 14 days. ${changes}`,
  );
});

it("a group that matches no domain is a note, if all of the account was read", async () => {
  const rules = fileWith('groups: { none: { names: ["*.de"] }, some: { names: ["fine.*"] } }');
  const notesOf = async (...args: string[]) =>
    JSON.parse((await run(...args, "--rules", rules, "--format", "json")).stdout).notes;

  expect(await notesOf("--all")).toEqual([
    "groups.none matches no domain (*.de): correct its names, or remove it",
  ]);
  expect(await notesOf("--domain", "fine")).toEqual([]);
});

it("the terminal folds fine domains beyond twenty, and remarks by their issuer, the rarest first", async () => {
  for (let index = 0; index < 30; index += 1)
    service.addDomain({
      domain: `${index}.example`,
      ssl: { hasChangedRecently: true, issuer: index === 7 ? "Evil CA" : "Let's Encrypt" },
    });

  service.addDomain({ domain: "short.example", expiresAt: inDays(3) });
  const lines = (await run("--all")).stdout.trimEnd().split("\n");
  expect(lines).toContain("and 11 more that are fine");
  expect(lines.filter((line) => / pass /.test(line))).toHaveLength(20);
  expect(lines.slice(lines.indexOf("For your information") + 1).slice(0, 2)).toEqual([
    "  7.example: its certificate has changed recently, and its issuer is Evil CA",
    expect.stringMatching(/^ {2}29 domains \(.* and 26 more\): its certificate .* Let's Encrypt$/),
  ]);

  expect(lines.slice(-4)).toEqual([
    "Violations",
    expect.stringMatching(/^ {2}short\.example: expires on /),
    "",
    "32 domains: 31 pass, 1 fail",
  ]);
});

// What is found by comparing: report-channels.test.ts.
it("findings about recorded channels can be accepted, and need a stack and the list", async () => {
  const id = "00000000-0000-4000-8000-000000000000";
  const stack = stackFile([{ id, inputs: { domainId: "fine" } }]);
  const accept = `{ accept: [{ about: channels, until: ${inDays(9)}, reason: moved }] }`;
  const rules = fileWith(`channels: { recorded: true }\ndomains: { fine.example: ${accept} }`);
  const given = ["--all", "--rules", rules, "--from-stack", stack];
  const { code, stdout } = await run(...given, "--format", "json");
  const text = expect.stringMatching(/^channel channel-0 .* is gone .*: moved\)$/);
  expect(code).toBe(0);
  expect(JSON.parse(stdout).domains[0].findings).toMatchObject([{ verdict: "warn", text }]);
  expect(await run("--all", "--rules", rules)).toEqual({
    code: 1,
    stdout: "",
    stderr:
      "error: channels.recorded compares the service with stacks: pass their deployments with --from-stack, or remove it from the rules file\n",
  });

  service.fault({ operation: "listNotificationChannels", status: 404, times: 9 });
  const failed = await run(...given);
  expect(failed.code).toBe(1);
  expect(failed.stderr).toMatch(/^error: fine\.example: channels could not be determined: .*\n$/);
});
