/** Unreadable records of the service: each is named with the reason, and the others are judged. */
import type { DomainChannels } from "../../src/cli/channels/list";
import type { DomainReport, Report } from "../../src/cli/report/model";
import { useEmulator } from "../support/emulator";
import { type Fields, serveOddly } from "../support/odd-list";
import { accountOf, fileWith, inDays, runInProcess, stackFile } from "./command";

const COM = "11111111-1111-4111-8111-111111111111";
const NET = "22222222-2222-4222-8222-222222222222";
const ORG = "33333333-3333-4333-8333-333333333333";
const ONE = "44444444-4444-4444-8444-444444444444";
const TWO = "55555555-5555-4555-8555-555555555555";

const service = useEmulator({
  lifecycle: "managed",
  domains: [
    { id: COM, domain: "example.com", channels: [{ id: ONE }, { id: TWO, label: "Desk" }] },
    { id: NET, domain: "example.net", expiresAt: inDays(5) },
    { id: ORG, domain: "example.org" },
  ],
});

const run = (...args: string[]) => runInProcess(args, { env: accountOf(service) });

/** Lists the domains, but changes the record of one into another format. */
const breakDomain = (id: string, change: (record: Fields) => unknown = withoutTypes) =>
  serveOddly(service, "listDomains", "", (record) => (record.id === id ? change(record) : record));

function withoutTypes({ components, ...record }: Fields): Fields {
  return { ...record, components: { ...(components as Fields), dns: { enabled_records: "A,MX" } } };
}

const REASON = new RegExp(
  `1 record cannot be read \\(${ORG}, components\\.dns\\.is_enabled: expected a boolean; `,
);

type Entry = Partial<DomainReport & DomainChannels>;

describe("a domain that cannot be read in the list of an account", () => {
  it.each(["report", "channels"])("is named by %s, and the others are judged", async (command) => {
    await breakDomain(ORG);
    const { code, stdout, stderr } = await run(command, "--all", "--format", "json");
    expect(code).toBe(1);

    const entries: Entry[] = JSON.parse(stdout).domains;
    expect(entries.map(({ id }) => id)).toEqual([COM, NET, ORG]);
    if (command === "report")
      expect(entries.map(({ verdict }) => verdict)).toEqual(["pass", "fail", "unknown"]);

    const { failure, findings } = entries[2] ?? {};
    expect(failure?.message ?? findings?.[0]?.text).toMatch(REASON);
    expect(stderr).toMatch(new RegExp(`^error: ${ORG}: .*: the service may have changed.*\\n$`));
  });

  it("is named by its position if it shows no id", async () => {
    // The newest domain comes first.
    await breakDomain(COM, () => ({ domain: "example.com" }));
    const { code, stdout } = await run("report", "--all");
    expect(code).toBe(1);
    expect(stdout).toMatch(/^example\.net +fail /m);
    expect(stdout).toMatch(/^example\.org +pass /m);
    expect(stdout).toMatch(
      /^ {2}number \d: the domain could not be determined: 1 record cannot be read \(number \d, id: expected a string; /m,
    );
  });

  it("may be a domain that the rules file names", async () => {
    await breakDomain(ORG, () => null);
    const rules = fileWith("domains: { example.org: { registration: { minimumDays: 60 } } }");
    const { code, stdout } = await run("report", "--all", "--rules", rules, "--format", "json");
    expect(code).toBe(1);
    expect(JSON.parse(stdout).summary).toMatchObject({ domains: 3, unknown: 1, fail: 1, pass: 1 });
  });
});

describe("a channel that cannot be read", () => {
  const breakChannel = (change: (record: Fields) => unknown) =>
    serveOddly(service, "listNotificationChannels", `/${COM}/notification-channels`, (record) =>
      record.id === TWO ? change(record) : record,
    );

  it("is named, and the others are listed", async () => {
    await breakChannel((record) => ({ ...record, type: null }));
    const { code, stdout } = await run("channels", "--domain", COM, "--format", "json");
    const { domains } = JSON.parse(stdout);

    expect(code).toBe(1);
    expect(domains[0].channels.map(({ id }: Entry) => id)).toEqual([ONE]);
    expect(domains[0].failure.message).toContain(
      `1 record cannot be read (${TWO}, type: expected a string)`,
    );

    const { stdout: table } = await run("channels", "--domain", COM);
    expect(table).toMatch(
      /^1 channel of 1 domain\n[\s\S]*^Not listed\n {2}example\.com: .*1 record cannot be read/m,
    );
  });

  it.each([TWO, 5])("is not gone, whatever it shows as its id (%j)", async (id) => {
    await breakChannel((record) => ({ ...record, id, type: null }));
    const file = stackFile([ONE, TWO].map((id) => ({ id, inputs: { domainId: COM } })));
    const rules = fileWith("registration: null\ncertificate: null\nchannels: { recorded: true }");
    const args = ["--since", "none", "--rules", rules, "--from-stack", file];
    const { code, stdout } = await run("report", ...args, "--format", "json");
    const { findings }: Report = JSON.parse(stdout);
    expect(code).toBe(1);
    expect(findings).toMatchObject([{ about: "channels", state: "undetermined" }]);
  });
});

it("a change that cannot be read is named, and the other changes are shown", async () => {
  for (const id of [ONE, TWO]) service.addChange(COM, "whois", { id });
  await serveOddly(service, "listWhoisChanges", `/${COM}/changes/whois`, (record) =>
    record.id === TWO ? { ...record, field_changed: null } : record,
  );

  const { code, stdout } = await run("report", "--domain", COM, "--format", "json");
  expect(code).toBe(1);

  const [{ findings, changes }] = JSON.parse(stdout).domains;
  const words = `^WHOIS changes could not be determined: .*1 record cannot be read \\(${TWO}, field_changed: expected a string\\)`;
  const text = expect.stringMatching(words);
  expect(findings).toMatchObject([{ about: "whois", verdict: "unknown", text }]);
  expect(changes).toContainEqual(expect.objectContaining({ id: ONE }));
});
