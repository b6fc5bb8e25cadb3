/** `report --previous`: new and resolved findings since an earlier report. */
import { writeFileSync } from "node:fs";
import path from "node:path";
import { type Emulator, startEmulator } from "domain-monitoring-emulator";
import { temporaryDirectory } from "../support/temporary";
import { accountOf, inDays, runInProcess } from "./command";

let service: Emulator;
let earlier: string;

beforeEach(async () => {
  earlier = path.join(temporaryDirectory(), "report.json");
  service = await startEmulator({
    lifecycle: "managed",
    domains: [
      { id: "a", domain: "a.example", expiresAt: inDays(9) },
      { id: "b", domain: "b.example", expiresAt: inDays(9) },
    ],
  });
});

afterEach(() => service.close());

const run = (...args: string[]) => runInProcess(["report", ...args], { env: accountOf(service) });

const keep = async (...args: string[]) =>
  writeFileSync(earlier, (await run(...args, "--json")).stdout);

async function compare(...args: string[]) {
  const { stdout } = await run(...args, "--previous", earlier, "--json");
  const { domains, resolved, notes } = JSON.parse(stdout);
  const findings = domains.flatMap((one: { id: string; findings: { isNew: boolean }[] }) =>
    one.findings.map(({ isNew }) => `${one.id} ${isNew}`),
  );

  return {
    findings,
    resolved: resolved.map(({ id }: { id: string }) => id),
    notes,
  };
}

it("a known finding is new again only if it has become worse", async () => {
  await keep("--all");
  service.updateDomain("a", { expiresAt: inDays(8) });
  service.updateDomain("b", { expiresAt: inDays(-8) });
  expect(await compare("--all")).toMatchObject({ findings: ["a false", "b true"], resolved: [] });
});

it("every format shows that a missing finding is resolved", async () => {
  await keep("--all");
  service.updateDomain("a", { expiresAt: inDays(400) });
  service.removeDomain("b");
  service.addDomain({ id: "c", domain: "c.example", expiresAt: inDays(3) });

  expect(await compare("--all")).toMatchObject({ findings: ["c true", "b true"], resolved: ["a"] });

  const table = (await run("--all", "--previous", earlier)).stdout;

  expect(table).toMatch(/^3 domains: 1 pass, 2 fail; 2 new, 1 resolved$/m);
  expect(table).toMatch(
    /^Violations\n {2}new: b\.example: has left the account: .*\n {2}new: c\.example: expires on /m,
  );

  expect(table).toMatch(/^Resolved\n {2}a\.example: expires on .*\n\n/m);

  for (const format of ["markdown", "html"])
    expect((await run("--all", "--previous", earlier, "--format", format)).stdout).toMatch(
      /new: c\.example: .*Resolved<?.*a\.example: expires/s,
    );
});

it("an unread domain is not resolved: it failed, or was not selected", async () => {
  await keep("--all");

  expect(await compare("--domain", "a")).toMatchObject({ findings: ["a false"], resolved: [] });

  service.fault({ operation: "listDnsChanges", status: 500, times: "always" });
  service.updateDomain("a", { expiresAt: inDays(400) });

  expect(await compare("--all")).toMatchObject({ resolved: [] });
});

it.each([
  ["that is not there", undefined, /could not be read \(ENOENT\)/],
  ["that is no report", "{}", /is not a report: use the output of `report --format json`/],
])("an earlier report %s is a note, and stops no alarm", async (_, text, note) => {
  if (text !== undefined) writeFileSync(earlier, text);
  const { findings, notes } = await compare("--all");

  expect(findings).toEqual(["a true", "b true"]);
  expect(notes).toEqual([
    expect.stringMatching(/^everything counts as new, because there is no earlier report: /),
  ]);

  expect(notes[0]).toMatch(note);
  expect((await run("--all", "--previous", earlier)).code).toBe(2);
});

it("without an earlier report nothing is said to be new", async () => {
  const { resolved, domains } = JSON.parse((await run("--all", "--json")).stdout);
  expect({ resolved, isNew: domains[0].findings[0].isNew }).toEqual({
    resolved: null,
    isNew: null,
  });
});

it("a reviewed change that no list has any more is a note, if every list was read", async () => {
  const rules = path.join(temporaryDirectory(), "rules.yaml");
  const known = "7f0c9a52-6a7e-4a0e-9f3b-5f6a3c1d2e11";
  service.addChange("a", "whois", { id: known, createdAt: `${inDays(-90)} 10:00:00` });
  writeFileSync(
    rules,
    `changes: { since: ${inDays(-9)}, reviewed: [${known.toUpperCase()}, gone-1] }`,
  );

  const notesOf = async (...args: string[]) =>
    JSON.parse((await run(...args, "--rules", rules, "--json")).stdout).notes;

  expect(await notesOf("--all")).toEqual([
    "changes.reviewed lists ids that no longer exist: remove gone-1",
  ]);

  expect(await notesOf("--domain", "a")).toEqual([]);

  service.fault({ operation: "listWhoisChanges", status: 500, times: "always" });

  expect(await notesOf("--all")).toEqual([]);
});

describe("a night of failing lists", () => {
  const findings = async (...args: string[]) => {
    const { stdout } = await run("--all", "--rules", rules, ...args, "--json");
    writeFileSync(earlier, stdout);
    const { domains, resolved } = JSON.parse(stdout);
    const found = domains.flatMap(
      (one: { id: string; findings: { kind: string; isNew: boolean; isKept: boolean }[] }) =>
        one.findings.map(({ kind, isNew, isKept }) => `${one.id} ${kind} ${isNew} ${isKept}`),
    );

    return { found, resolved };
  };

  let rules: string;

  beforeEach(() => {
    rules = path.join(temporaryDirectory(), "rules.yaml");
    writeFileSync(
      rules,
      `registration: { minimumDays: 1, registrars: [Example Registrar] }\nchanges: { since: ${inDays(-9)}, kinds: [whois, dns] }`,
    );
  });

  it("keeps the earlier findings, so that nothing old is new afterwards", async () => {
    service.addChange("a", "dns", {});
    service.addChange("a", "whois", {});
    service.updateDomain("a", { provider: "Evil" });
    await findings("--previous", earlier);
    service.fault({ operation: "listDnsChanges", status: 500, times: 2 });

    expect(await findings("--previous", earlier)).toEqual({
      found: [
        "a registrar false false",
        "a registrar false false",
        "a change false true",
        "a change true false",
        "b change true false",
      ],
      resolved: [],
    });

    service.addChange("b", "dns", {});
    const after = await findings("--previous", earlier);

    expect(after.found.toSorted()).toEqual([
      "a change false false",
      "a registrar false false",
      "a registrar false false",
      "b change true false",
    ]);

    expect(after.resolved).toHaveLength(2);
  });

  it("says once that a domain has left, and nothing of one that is back", async () => {
    await findings();
    service.removeDomain("b");

    expect((await findings("--previous", earlier)).found).toEqual(["b domain true false"]);
    expect(await findings("--previous", earlier)).toEqual({ found: [], resolved: [] });
  });
});

describe("report --input", () => {
  it("renders an earlier report in any format, with its exit code, and asks nothing", async () => {
    await keep("--all", "--title", "Kept");
    const table = (await run("--all", "--title", "Kept")).stdout.split("\n").slice(1);
    service.reset();
    const again = await run("--input", earlier);

    expect(again).toMatchObject({ code: 2, stderr: "" });
    expect(again.stdout.split("\n").slice(1)).toEqual(table);
    for (const format of ["html", "markdown", "junit", "prometheus"])
      expect((await run("--input", earlier, "--format", format)).stdout).toContain("a.example");

    expect(service.requests).toEqual([]);
  });

  it("is not combined with what is read or judged, and refuses what is no report", async () => {
    await keep("--all");

    expect(await run("--input", earlier, "--all")).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("'--input <file>' cannot be used with option '--all'"),
    });

    writeFileSync(earlier, "{}");

    expect(await run("--input", earlier)).toEqual({
      code: 1,
      stdout: "",
      stderr: `error: ${earlier} is not a report: use the output of \`report --format json\`\n`,
    });
  });
});
