/**
 * Domains by name and all domains of an account: the requests to the service, and the messages if
 * it has no list of domains.
 */
import { startEmulator } from "../../packages/domain-monitoring-emulator/src";
import { useEmulator } from "../support/emulator";
import { accountOf, inDays, runInProcess, secretInput, stackFile } from "./command";

const COM = "11111111-1111-4111-8111-111111111111";
const ORG = "22222222-2222-4222-8222-222222222222";
const IDN = "33333333-3333-4333-8333-333333333333";
const CHANNEL = "44444444-4444-4444-8444-444444444444";
const COMMANDS = ["report", "channels"];

const service = useEmulator({
  lifecycle: "managed",
  domains: [
    { id: ORG, domain: "example.org" },
    { id: COM, domain: "Example.com", channels: [{ id: CHANNEL, label: "On-call" }] },
    { id: IDN, domain: "b\u00fccher.example" },
  ],
});

const run = (args: string[], of = service) => runInProcess(args, { env: accountOf(of) });

/** The number of requests of each operation. */
function asked(of = service): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { operation } of of.requests)
    counts[operation ?? ""] = (counts[operation ?? ""] ?? 0) + 1;
  return counts;
}

const idsOf = (text: string) => JSON.parse(text).domains.map(({ id }: { id: string }) => id);

describe("domains by name", () => {
  it.each(COMMANDS)("%s takes names and ids in their order", async (command) => {
    const names = ["b\u00fccher.example", ORG, "EXAMPLE.com.", "xn--bcher-kva.example", COM];
    const args = ["--format", "json", "--domain", ...names];
    const { code, stdout, stderr } = await run([command, ...args]);

    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(idsOf(stdout)).toEqual([IDN, ORG, COM]);
    // No request asks for a name or an id, because the list has the answer.
    expect(asked()).toMatchObject({ listDomains: 1 });
    expect(asked()).not.toHaveProperty("getDomain");
  });

  it("needs no list for ids, and asks for one that the list does not have", async () => {
    expect((await run(["report", "--domain", COM, ORG])).code).toBe(0);
    expect(asked()).toEqual({ getDomain: 2, listWhoisChanges: 2, listDnsChanges: 2 });

    // A number is an id, although an address may be written as one.
    const args = ["report", "--format", "json", "--domain", "example.org", "4001"];
    const { code, stdout } = await run(args);
    expect(code).toBe(1);
    expect(idsOf(stdout)).toEqual([ORG, "4001"]);
    expect(asked()).toMatchObject({ listDomains: 1, getDomain: 3 });
  });

  it.each(COMMANDS)("%s names what it did not find", async (command) => {
    service.addDomain({ id: CHANNEL, domain: "EXAMPLE.ORG", label: "Second" });
    const names = ["exmaple.com", "example.org", "https://example.com/", "example.com"];
    const args = ["--domain", ...names, "--format", "json"];
    const { code, stdout, stderr } = await run([command, ...args]);

    expect(code).toBe(1);
    expect(idsOf(stdout)).toEqual(["exmaple.com", "example.org", "https://example.com/", COM]);
    // The messages: test/program/domains-by-name.test.ts.
    expect(stderr).toContain('domain "exmaple.com"');
    expect(stderr).toContain(`${ORG} ("example.org"), ${CHANNEL} ("Second")`);
    expect(stderr.trimEnd().split("\n")).toHaveLength(3);
  });
});

describe("--all", () => {
  it.each([
    [["report", "--since", "none"], 2, {}],
    [["report"], 2, { listWhoisChanges: 60, listDnsChanges: 60 }],
    [["channels"], 0, { listNotificationChannels: 60 }],
  ])("asks of 60 domains only what the list lacks (%j)", async (command, exitCode, others) => {
    const domains = Array.from({ length: 60 }, (_, index) => ({
      id: `${String(index).padStart(8, "0")}-0000-4000-8000-000000000000`,
      domain: `domain-${String(index).padStart(2, "0")}.example`,
      expiresAt: inDays(index === 7 ? 10 : 400),
    }));
    await using large = await startEmulator({
      lifecycle: "managed",
      domains: domains.toReversed(),
      perPage: 6,
    });
    const { code, stdout } = await run([...command, "--all", "--format", "json"], large);

    expect(code).toBe(exitCode);
    // The domains are sorted by name.
    expect(idsOf(stdout)).toEqual(domains.map(({ id }) => id));

    const { listDomains = 0, ...rest } = asked(large);
    expect(rest).toEqual(others);
    // There are ten pages; some may be read again to prove that no domain moved.
    expect(listDomains).toBeGreaterThanOrEqual(10);
    expect(listDomains).toBeLessThan(20);
  });

  it("asks for the domains of a stack that the account no longer has", async () => {
    const file = stackFile([
      { inputs: { domainId: "gone" } },
      { inputs: { domainId: secretInput({ ciphertext: "c2VjcmV0" }) } },
    ]);
    const args = ["channels", "--all", "--from-stack", file, "--format", "json"];
    const { code, stdout } = await run(args);
    expect(code).toBe(1);
    expect(idsOf(stdout)).toEqual([COM, IDN, ORG, "gone"]);
    const { domains, notes } = JSON.parse(stdout);
    expect(domains[3].failure.status).toBe(404);
    // The domain that the stack does not show is one of all domains.
    expect(notes).toEqual([]);
  });

  it("shows on a terminal how far the list is, and then the domains", async () => {
    const options = { env: accountOf(service), onTerminal: true };
    const { stderr } = await runInProcess(["report", "--all"], options);
    const shown = stderr.split("\r\u001b[K");

    expect(shown.slice(0, 6)).toEqual([
      "",
      "0 domains listed",
      "1 domains listed",
      "2 domains listed",
      "3 domains listed",
      "0 of 3 domains",
    ]);
    expect(shown.slice(-2)).toEqual(["3 of 3 domains", ""]);
  });

  it("is not fine with an account that has no domain", async () => {
    await using empty = await startEmulator({ domains: [] });
    expect(await run(["report", "--all"], empty)).toEqual({
      code: 1,
      stdout: "",
      stderr:
        "error: the account has no domain, or the API token may see none: check the base address, and whose token it is\n",
    });
  });
});

describe("a service without the list", () => {
  const words = "got 404, the service has no list of domains here (an experimental operation)";

  beforeEach(() => service.fault({ operation: "listDomains", status: 404, times: "always" }));

  it("is one line for --all, which says to give ids", async () => {
    const { code, stdout, stderr } = await run(["report", "--all"]);
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toMatch(
      /^error: --all needs the list of domains: GET \/api\/domains\?page=1: [^\n]*give the domain's id, a UUID: [^\n]*\n$/,
    );
    expect(stderr).toContain(words);
  });

  it("is one line for names, and what has an id is shown", async () => {
    const args = ["--domain", "example.com", COM, "example.org", "--format", "json"];
    const { code, stdout, stderr } = await run(["report", ...args]);
    expect(code).toBe(1);
    expect(JSON.parse(stdout).domains).toMatchObject([
      { id: "example.com", domain: null },
      { id: COM, domain: "Example.com" },
      { id: "example.org", domain: null },
    ]);
    expect(stderr).toMatch(/^error: 2 domains \(example\.com, example\.org\): [^\n]*\n$/);
    expect(stderr).toContain(words);
  });
});
