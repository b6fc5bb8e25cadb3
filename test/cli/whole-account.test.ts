/**
 * Domains by name and all domains of an account: the requests to the service, and the messages if
 * it has no list of domains.
 */
import {
  type Emulator,
  type EmulatorOptions,
  startEmulator,
} from "../../packages/domain-monitoring-emulator/src";
import { accountOf, inDays, runInProcess, secretInput, stackFile } from "./command";

const COM = "11111111-1111-4111-8111-111111111111";
const ORG = "22222222-2222-4222-8222-222222222222";
const IDN = "33333333-3333-4333-8333-333333333333";
const CHANNEL = "44444444-4444-4444-8444-444444444444";
const COMMANDS = [["report", "--since", "none"], ["report"], ["channels"]];
let service: Emulator;

beforeEach(() => start());
afterEach(() => service.close());

async function start(options: EmulatorOptions = {}): Promise<void> {
  await service?.close();
  service = await startEmulator({
    lifecycle: "managed",
    domains: [
      { id: ORG, domain: "example.org" },
      { id: COM, domain: "Example.com", channels: [{ id: CHANNEL, label: "On-call" }] },
      { id: IDN, domain: "b\u00fccher.example" },
    ],
    ...options,
  });
}

/** This many domains, some of which end too soon. */
const many = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    id: `${String(index).padStart(8, "0")}-0000-4000-8000-000000000000`,
    domain: `domain-${String(index).padStart(4, "0")}.example`,
    expiresAt: inDays(index % 100 === 7 ? 10 : 400),
  }));

const run = (args: string[], options: Partial<Parameters<typeof runInProcess>[1]> = {}) =>
  runInProcess(args, { env: accountOf(service), ...options });

const json = (text: string) => JSON.parse(text);

/** The number of requests of each operation. */
function asked(): Record<string, number> {
  const names = service.requests.map(({ operation }) => operation ?? "");
  return Object.fromEntries(
    names.map((name) => [name, names.filter((one) => one === name).length]),
  );
}

const idsOf = (text: string) => json(text).domains.map(({ id }: { id: string }) => id);

describe("domains by name", () => {
  it.each(COMMANDS)("%s takes names and ids in their order", async (...command) => {
    const names = ["b\u00fccher.example", ORG, "EXAMPLE.com.", "xn--bcher-kva.example", COM];
    const args = [...command, "--format", "json", "--domain", ...names];
    const { code, stdout, stderr } = await run(args);

    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(idsOf(stdout)).toEqual([IDN, ORG, COM]);
    // No request asks for a name or an id, because the list has the answer.
    expect(asked()).toMatchObject({ listDomains: 1 });
    expect(asked()).not.toHaveProperty("getDomain");
  });

  it("needs no list for ids, and asks for one that the list does not have", async () => {
    expect((await run(["report", "--domain", COM, ORG])).code).toBe(0);
    expect(asked()).toMatchObject({ getDomain: 2 });
    expect(asked()).not.toHaveProperty("listDomains");

    const args = ["report", "--format", "json", "--domain", "example.org", "elsewhere"];
    const { code, stdout } = await run(args);
    expect(code).toBe(1);
    expect(idsOf(stdout)).toEqual([ORG, "elsewhere"]);
    expect(asked()).toMatchObject({ listDomains: 1, getDomain: 3 });
  });

  it.each(COMMANDS)("%s names what it did not find", async (...command) => {
    service.addDomain({ id: CHANNEL, domain: "EXAMPLE.ORG", label: "Second" });
    const names = ["exmaple.com", "example.org", "https://example.com/", "example.com"];
    const args = [...command, "--domain", ...names, "--format", "json"];
    const { code, stdout, stderr } = await run(args);

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
    [["report"], 2, { listWhoisChanges: 500, listDnsChanges: 500 }],
    [["channels"], 0, { listNotificationChannels: 500 }],
  ])("asks of 500 domains only what the list lacks (%j)", async (command, exitCode, others) => {
    const domains = many(500);
    await start({ domains: domains.toReversed(), perPage: 50 });
    const { code, stdout } = await run([...command, "--all", "--format", "json"]);

    expect(code).toBe(exitCode);
    // The domains are sorted by name.
    expect(idsOf(stdout)).toEqual(domains.map(({ id }) => id));

    const { listDomains = 0, ...rest } = asked();
    expect(rest).toEqual(others);
    // There are ten pages; some may be read again to prove that no domain moved.
    expect(listDomains).toBeGreaterThanOrEqual(10);
    expect(listDomains).toBeLessThan(20);
  });

  it("marks what a stack has recorded, and asks for the stack's domains that the account no longer has", async () => {
    const file = stackFile([
      { id: CHANNEL, inputs: { domainId: COM } },
      { inputs: { domainId: "gone" } },
      { inputs: { domainId: secretInput({ ciphertext: "c2VjcmV0" }) } },
    ]);
    const args = ["channels", "--all", "--from-stack", file, "--format", "json"];
    const { code, stdout } = await run(args);
    expect(code).toBe(1);
    expect(idsOf(stdout)).toEqual([COM, IDN, ORG, "gone"]);
    expect(json(stdout).domains[0].channels).toMatchObject([{ id: CHANNEL, recorded: true }]);
    expect(json(stdout).domains[3].failure.status).toBe(404);
    // The domain that the stack does not show is one of all domains.
    expect(json(stdout).notes).toEqual([]);
  });

  it("shows on a terminal how far the list is, and then the domains", async () => {
    const { stderr } = await run(["report", "--all"], { onTerminal: true });
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
    await start({ domains: [] });
    expect(await run(["report", "--all"])).toEqual({
      code: 1,
      stdout: "",
      stderr:
        "error: the account has no domain, or the API token may see none: check the base address, and whose token it is\n",
    });
  });

  it("is refused together with --domain, before anything is asked", async () => {
    const { code, stdout, stderr } = await run(["report", "--all", "--domain", COM]);
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toMatch(
      /^error: --all and --domain cannot be combined: leave one of them out\n/,
    );
    expect(service.requests).toEqual([]);
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

    const domains: { id: string; domain: string | null }[] = json(stdout).domains;
    expect(domains.map(({ id }) => id)).toEqual(["example.com", COM, "example.org"]);
    expect(domains.filter(({ domain }) => domain === null)).toHaveLength(2);
    expect(stderr).toMatch(/^error: 2 domains \(example\.com, example\.org\): [^\n]*\n$/);
    expect(stderr).toContain(words);
  });
});
