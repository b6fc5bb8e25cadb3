/**
 * `report` as the only check of a night: its judgement with and without a rules file, and its
 * requests to the service.
 */
import { writeFileSync } from "node:fs";
import path from "node:path";
import { type Emulator, startEmulator } from "../../packages/domain-monitoring-emulator/src";
import { temporaryDirectory } from "../support/temporary";
import { accountOf, inDays, runInProcess, stackFile } from "./command";

const CHANGE = "3f0c1111-1111-4111-8111-111111111111";
const since = inDays(-100);

let service: Emulator;
let rules: string;

beforeEach(async () => {
  service = await startEmulator({
    lifecycle: "managed",
    domains: [{ id: "fine", domain: "fine.example" }],
  });

  rules = path.join(temporaryDirectory(), "domain-monitoring.yaml");
});

afterEach(() => service.close());

const run = (...args: string[]) => runInProcess(["report", ...args], { env: accountOf(service) });

/** The exit code, and the findings as `domain verdict: text`. */
async function judge(...args: string[]) {
  const { code, stdout } = await run(...args, "--json");
  const { domains } = JSON.parse(stdout);
  const found = domains.flatMap(
    ({ id, findings }: { id: string; findings: Record<string, string>[] }) =>
      findings.map(({ verdict, text }) => `${id} ${verdict}: ${text}`),
  );

  return { code, found };
}

const asked = () => service.requests.map(({ operation }) => operation).sort();

it("without a file, a certificate has to last for 14 days", async () => {
  const id = service.addDomain({ id: "shop", ssl: { expiresAt: inDays(13) } });
  const { code, stdout } = await run("--domain", id, "--json");
  const text = expect.stringMatching(
    /^its certificate expires on .*, 13 days left, 14 required: renew it$/,
  );

  expect(code).toBe(2);
  expect(JSON.parse(stdout).domains).toMatchObject([
    { findings: [{ verdict: "fail", text }], certificate: { status: "expiring", daysLeft: 13 } },
  ]);
});

it("without a file, what is wrong with components and what has changed is shown and not judged", async () => {
  const seed = { domain: "odd.example", dns: { checkStatus: "FAILED" }, whoisChanges: [{}] };

  const { code, stdout } = await run("--domain", service.addDomain(seed));

  expect(code).toBe(0);
  expect(stdout).toMatch(/^Changes\n {2}odd\.example, .*registrar: /m);
  expect(stdout).toMatch(
    /^Not required by a rule\n {2}odd\.example: its DNS check has the status FAILED: /m,
  );
});

it("options come before the bounds of a command and of its file", async () => {
  const id = service.addDomain({
    id: "soon",
    expiresAt: inDays(40),
    ssl: { expiresAt: inDays(20) },
  });

  writeFileSync(rules, "registration: { minimumDays: 50 }\ncertificate: { minimumDays: 30 }");

  expect(await judge("--domain", id)).toMatchObject({ code: 0 });
  expect((await judge("--domain", id, "--rules", rules)).found).toHaveLength(2);

  const given = ["--minimum-days", "10", "--warn-days", "60", "--certificate-days", "5"];

  expect(await judge("--domain", id, "--rules", rules, ...given)).toEqual({
    code: 0,
    found: [
      expect.stringMatching(/^soon warn: expires .* with a warning below 60: renew it soon$/),
    ],
  });
});

it("one rules file judges several kinds of findings and accepts one of them", async () => {
  service.addDomain({ id: "moved", domain: "moved.example", whoisChanges: [{ id: CHANGE }] });
  service.addDomain({ id: "broken", domain: "broken.example", dns: { checkStatus: "FAILED" } });

  service.addDomain({
    id: "parked",
    domain: "parked.example",
    expiresAt: inDays(3),
    ssl: { isEnabled: false },
  });

  const file = (reviewed: string) => `
components: { required: [whois, dns, ssl] }
changes:
  since: ${since}
  reviewed:
${reviewed}
domains:
  Parked.Example.:
    components: { required: [] }
    accept: [{ about: registration, until: ${inDays(30)}, reason: "given up, ticket 4711" }]
`;

  writeFileSync(rules, file(""));
  const { code, found } = await judge("--all", "--rules", rules);

  expect(code).toBe(2);
  expect(found).toEqual([
    expect.stringMatching(
      /^broken fail: its DNS check has the status FAILED: see why in the service$/,
    ),
    "moved fail: unreviewed change, registrar: Former Registrar → Example Registrar",
    expect.stringMatching(/^parked warn: expires .* \(accepted until .*: given up, ticket 4711\)$/),
  ]);

  service.updateDomain("broken", { dns: { checkStatus: "HEALTHY" } });
  for (const [format, pattern] of PASTED) {
    const { stdout } = await run("--all", "--rules", rules, "--format", format);
    const block = pattern.exec(stdout)?.[1] ?? "";

    expect(block).toBe(`    - ${CHANGE} # moved.example, registrar, ${inDays(0)}\n`);

    const pasted = path.join(temporaryDirectory(), "pasted.yaml");
    writeFileSync(pasted, file(block));

    expect(await judge("--all", "--rules", pasted)).toMatchObject({
      code: 0,
      found: [expect.stringMatching(/^parked/)],
    });
  }
});

/** The lines to paste, in each format for people. */
const PASTED = [
  ["table", /^changes:\n {2}reviewed:\n((?: {4}- .*\n)+)\n/m],
  ["markdown", /^~~~yaml\nchanges:\n {2}reviewed:\n((?: {4}- .*\n)+)~~~$/m],
  ["html", /<pre>changes:\n {2}reviewed:\n((?: {4}- .*\n)+)<\/pre>/],
] as const;

it("a change is judged since the date of the rule, even one that is too old to be listed", async () => {
  const whoisChanges = [inDays(-90), inDays(-200)].map((day) => ({ createdAt: `${day} 10:00:00` }));
  service.addDomain({ id: "moved", whoisChanges });
  writeFileSync(rules, `changes: { since: ${since} }`);
  const { stdout } = await run("--domain", "moved", "--rules", rules, "--json");
  const [{ findings, whoisChanges: listed }] = JSON.parse(stdout).domains;

  expect(findings).toHaveLength(1);
  expect(listed.count).toBe(0);
});

it("each domain is read once, and its changes only of the kinds that have to be reviewed", async () => {
  await run("--domain", "fine");

  expect(asked()).toEqual(["getDomain", "listDnsChanges", "listWhoisChanges"]);

  service.reset();
  writeFileSync(rules, `changes: { since: ${since}, kinds: [whois] }`);
  await run("--all", "--rules", rules);

  expect(asked()).toEqual(["listDomains", "listWhoisChanges"]);
});

it.each(["report", "expiry --minimum-days 30"])(
  "%s --all says which domains with rules the account lacks, and still judges the others",
  async (command) => {
    service.addDomain({ id: "short", domain: "short.example", expiresAt: inDays(3) });

    writeFileSync(rules, "domains:\n  FINE.example.: {}\n  old.example: { registration: null }");
    const args = [...command.split(" "), "--all", "--rules", rules];
    const { code, stdout, stderr } = await runInProcess(args, { env: accountOf(service) });

    expect({ code, stderr }).toEqual({ code: 2, stderr: "" });
    expect(stdout).toMatch(/short\.example:? expires on/);
    expect(stdout).toMatch(
      /old\.example:? is not in the account, but has rules: find out where it went, or /,
    );

    const { domains } = JSON.parse(
      (await runInProcess([...args, "--json"], { env: accountOf(service) })).stdout,
    );

    expect(domains.at(-1)).toMatchObject({
      id: "old.example",
      domain: "old.example",
      verdict: "fail",
    });

    const chosen = [...command.split(" "), "--domain", "fine", "--rules", rules];

    expect(await runInProcess(chosen, { env: accountOf(service) })).toMatchObject({ code: 0 });
  },
);

it("an exception about a date that no registry publishes does not accept another registrar", async () => {
  service.addDomain({ id: "de", domain: "shop.de", expiresAt: null, provider: "Evil" });

  const accept = `[{ about: registration, until: ${inDays(30)}, reason: no dates }]`;
  writeFileSync(
    rules,
    `registration: { registrars: [Example Registrar] }\ndomains: { shop.de: { accept: ${accept} } }`,
  );

  expect(await judge("--all", "--rules", rules)).toMatchObject({
    code: 2,
    found: [
      expect.stringMatching(/^de fail: its registrar is Evil: /),
      expect.stringMatching(/^de warn: /),
    ],
  });
});

it("a change whose sets are equal is none, and a certificate that changed recently is shown", async () => {
  const [oldValue, newValue] = [
    ["ns1.example.net", "ns2.example.net"],
    ["NS2.example.net.", "ns1.example.net"],
  ];

  service.addDomain({
    id: "same",
    domain: "same.example",
    whoisChanges: [{ fieldChanged: "nameservers", oldValue, newValue }],
    ssl: { hasChangedRecently: true },
  });

  writeFileSync(rules, `changes: { since: ${since} }`);
  const { code, stdout } = await run("--domain", "same", "--rules", rules);

  expect(code).toBe(0);
  expect(stdout).not.toContain("nameservers");
  expect(stdout).toMatch(
    /^ {2}same\.example: its certificate has changed recently, and its issuer is /m,
  );
});

it("the header says which changes were read, and since when they are listed and judged", async () => {
  const [, header] = (await run("--domain", "fine", "--since", "2026-01-01")).stdout.split("\n");

  expect(header).toBe(
    "Required: registrations 30 days, certificates 14 days. WHOIS and DNS changes: listed since 2026-01-01, not judged.",
  );

  writeFileSync(rules, `changes: { since: ${since} }\nregistration: null`);
  const [, judged] = (
    await run("--domain", "fine", "--since", "2026-01-01", "--rules", rules)
  ).stdout.split("\n");

  expect(judged).toBe(
    `Required: registrations not judged, certificates 14 days. WHOIS changes: listed since 2026-01-01, reviewed since ${since}.`,
  );
});

it("rules without an effect are notes, if all of the account was read", async () => {
  service.addChange("fine", "dns", {});
  writeFileSync(
    rules,
    `changes: { since: ${since}, kinds: [whois, dns], ignoreFields: [A, TXT, a_record] }
groups: { none: { names: ["*.de"] }, some: { names: ["fine.*"] } }`,
  );

  const notesOf = async (...args: string[]) =>
    JSON.parse((await run(...args, "--rules", rules, "--json")).stdout).notes;

  expect(await notesOf("--all")).toEqual([
    "groups.none matches no domain (*.de): correct its names, or remove it",
    "changes.ignoreFields has fields that no list has: a_record: correct or remove them",
  ]);

  expect(await notesOf("--domain", "fine")).toEqual([]);

  writeFileSync(rules, 'groups: { some: { names: ["fine.*"], changes: { fields: [A] } } }');

  expect(await notesOf("--domain", "fine")).toEqual([
    "groups.some.changes has no effect, because no changes are judged: add changes.since",
  ]);
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
  expect(lines.slice(lines.indexOf("Not required by a rule") + 1).slice(0, 2)).toEqual([
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

describe("recorded channels", () => {
  const idOf = (number: number) => `00000000-0000-4000-8000-00000000000${number}`;
  const stack = (...domainIds: (string | undefined)[]) =>
    stackFile(domainIds.map((domainId, index) => ({ id: idOf(index), inputs: { domainId } })));

  beforeEach(() => writeFileSync(rules, "channels: { recorded: true }"));

  it("are compared with the stacks, and findings can be accepted", async () => {
    service.addDomain({
      id: "shop",
      channels: [
        { id: idOf(1), isDisabled: true },
        { id: idOf(9), label: "By hand" },
      ],
    });

    const args = ["--all", "--rules", rules, "--from-stack", stack("fine", "shop")];
    const { code, found } = await judge(...args);

    expect(code).toBe(2);
    expect(found.sort()).toEqual([
      expect.stringMatching(/^fine fail: channel channel-0 .* is gone from fine\.example: /),
      expect.stringMatching(/^shop fail: channel "By hand" .* is in none of the given stacks: /),
      expect.stringMatching(/^shop fail: channel "Made by hand" .* is disabled by the service/),
    ]);

    const accept = `{ accept: [{ about: channels, until: ${inDays(9)}, reason: moved }] }`;
    writeFileSync(rules, `channels: { recorded: true }\ndomains: { fine.example: ${accept} }`);

    expect((await judge(...args)).found).toContainEqual(
      expect.stringMatching(/^fine warn: .*: moved\)$/),
    );
  });

  it("recorded channels of a domain that no stack shows are a verdict if all domains were read, and otherwise none", async () => {
    const hidden = ["--rules", rules, "--from-stack", stack(undefined)];
    const all = await run("--all", ...hidden);

    expect(all).toMatchObject({ code: 2, stderr: "" });
    expect(all.stdout).toMatch(/^1 domain: 1 pass; 1 channel of unknown domains$/m);
    expect(all.stdout).toMatch(/^Violations\n {2}channel channel-0 .* is gone from the account: /m);

    const one = await run("--domain", "fine", ...hidden);

    expect(one).toMatchObject({ code: 1 });
    expect(one.stdout).toMatch(
      /^Not determined\n {2}channel channel-0 .* does not show its domain/m,
    );
  });

  it("recorded channels that cannot be listed are not a verdict, and without a stack they are one line", async () => {
    service.fault({ operation: "listNotificationChannels", status: 404, times: 9 });

    const failed = await run("--all", "--rules", rules, "--from-stack", stack("fine"));

    expect(failed).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^error: domain fine, channels: .*\n$/),
    });

    expect(await run("--all", "--rules", rules)).toEqual({
      code: 1,
      stdout: "",
      stderr:
        "error: channels.recorded compares the service with stacks: pass their deployments with --from-stack, or remove it from the rules file\n",
    });
  });
});
