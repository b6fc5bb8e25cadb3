/** `report`: its exit codes, its choice of domains and changes, and the files that it writes. */
import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { useEmulator } from "../support/emulator";
import { temporaryDirectory } from "../support/temporary";
import { accountOf, inDays, runInProcess } from "./command";

const LONG = "long";
const SHORT = "short";

const service = useEmulator({
  domains: [
    {
      id: LONG,
      domain: "long.example.com",
      label: "Long",
      expiresAt: inDays(400),
      whoisChanges: [{ id: "w1", createdAt: `${inDays(-100)} 10:00:00` }, { id: "w2" }],
      dnsChanges: [{ id: "d1" }],
    },
    { id: SHORT, domain: "short.example.com", expiresAt: inDays(20) },
  ],
});

const run = (...args: string[]) => runInProcess(["report", ...args], { env: accountOf(service) });
const json = async (...args: string[]) => {
  const { code, stdout, stderr } = await run(...args, "--format", "json");
  return { code, stderr, report: JSON.parse(stdout) };
};

it("exits with 0 if all is well and prints a table by default", async () => {
  const { code, stdout, stderr } = await run("--domain", LONG);
  expect(code).toBe(0);
  expect(stdout).toMatch(/^Domain report, .* UTC\n.*\n\n1 domain: 1 pass\n$/s);
  expect(stdout).toMatch(/^long\.example\.com {2}pass +– /m);
  // There are no progress and no colors without a terminal.
  expect(stderr).toBe("");
  expect(stdout).not.toContain("\u001b");
});

it("exits with 2 if a registration is below the minimum, which is 30 days by default", async () => {
  expect(await run("--domain", LONG, SHORT)).toMatchObject({ code: 2, stderr: "" });
  const lenient = await run("--domain", LONG, SHORT, "--minimum-days", "10");
  expect(lenient).toMatchObject({ code: 0, stderr: "" });
});

it("exits with 1 if one of many domains does not exist, and prints the others in the order given", async () => {
  const { code, report } = await json("--domain", SHORT, "nobody", LONG);
  expect(code).toBe(1);
  expect(report.version).toBe(1);
  expect(report.summary).toEqual({ domains: 3, pass: 1, warn: 0, fail: 1, unknown: 1 });
  expect(report.domains.map(({ id }: { id: string }) => id)).toEqual([SHORT, "nobody", LONG]);
  expect(report.domains[1]).toMatchObject({
    verdict: "unknown",
    domain: null,
    registration: null,
    findings: [{ about: "domain", verdict: "unknown", failure: { kind: "http", status: 404 } }],
  });
});

it.each([
  ["listDnsChanges", "dns", "whois"],
  ["listWhoisChanges", "whois", "dns"],
] as const)("prints the rest and marks the gap if %s fails", async (operation, about, other) => {
  service.fault({ operation, status: 500, times: 9 });
  const { code, stderr, report } = await json("--domain", LONG);
  const line = `^error: long\\.example\\.com: ${about.toUpperCase()} changes could not be determined: GET \\S+: got 500, [^\n]*\n$`;
  expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringMatching(line) });
  expect(report.domains[0]).toMatchObject({
    verdict: "unknown",
    registration: { status: "ok" },
    changes: [{ kind: other }],
    findings: [{ about, verdict: "unknown", failure: { kind: "http", status: 500 } }],
  });
});

it("lists the changes of the last 30 days, or those since a given date", async () => {
  const recent = await json("--domain", LONG);
  const all = await json("--domain", LONG, "--since", "2001-01-01");
  const ids = ({ report }: typeof recent) =>
    report.domains[0].changes.map(({ id }: { id: string }) => id);

  expect(ids(recent)).toHaveLength(2);
  expect(ids(recent)).not.toContain("w1");
  expect(ids(all).at(-1)).toBe("w1");
  expect(all.report.since).toBe("2001-01-01");
});

it("writes several formats at once, by the endings of the files, and asks once", async () => {
  const directory = temporaryDirectory();
  const files = ["a.txt", "a.json", "a.md", "a.html", "a.prom", "a.xml"].map((name) =>
    path.join(directory, name),
  );
  const written = await run("--domain", LONG, SHORT, "--output", ...files);
  expect(written).toEqual({
    code: 2,
    stdout: `2 domains: 1 pass, 1 fail; written to ${files.join(", ")}\n`,
    stderr: "",
  });
  expect(readdirSync(directory).sort()).toEqual(files.map((file) => path.basename(file)).sort());
  expect(service.requests.filter(({ operation }) => operation === "getDomain")).toHaveLength(2);
  expect(files.map((file) => readFileSync(file, "utf8"))).toEqual([
    expect.stringMatching(/^Domain report, /),
    expect.stringMatching(/^\{\n {2}"version": 1,/),
    expect.stringMatching(/^## Domain report\n.*\| ❌ registration \| short\.example\.com \|/s),
    expect.stringMatching(/^<!doctype html>.*<svg .*short\.example\.com.*<\/html>\n$/s),
    expect.stringMatching(/^# HELP domain_monitoring_/),
    expect.stringMatching(/^<\?xml .*<\/testsuites>\n$/s),
  ]);
});

it("prints a format beside its files where one of them is -", async () => {
  const file = path.join(temporaryDirectory(), "report.json");
  const args = ["--domain", LONG, "--format", "markdown", "--output", "-", "--output", file];
  const { code, stdout } = await run(...args);
  expect(code).toBe(0);
  expect(stdout).toMatch(/^## Domain report\n/);
  expect(stdout).not.toContain("written to");
  expect(JSON.parse(readFileSync(file, "utf8")).exitCode).toBe(0);
});

it("leaves a file as it was where it cannot be replaced, and nothing beside it", async () => {
  const directory = temporaryDirectory();
  const file = path.join(directory, "report.md");
  mkdirSync(path.join(file, "full"), { recursive: true });

  const stderr = expect.stringMatching(/^error: .*report\.md could not be written \(\w+\): /);
  expect(await run("--domain", LONG, "--output", file)).toEqual({ code: 1, stdout: "", stderr });
  expect(readdirSync(directory)).toEqual(["report.md"]);
});

it("prints each cause of a failure once to standard error, unless a terminal shows the report", async () => {
  const file = path.join(temporaryDirectory(), "report.md");
  const ids = Array.from({ length: 9 }, (_, index) => `domain-${index}`);
  service.fault({ status: 400, times: 99 });
  expect(await run("--domain", ...ids, "--output", file)).toEqual({
    code: 1,
    stdout: `9 domains: 0 pass, 9 unknown; written to ${file}\n`,
    stderr:
      `error: 9 domains (${ids.join(", ")}): the domain could not be determined: ` +
      "GET /api/domains/…: got 400, the request was refused: check the arguments. The service says: Bad Request\n",
  });

  const options = { env: accountOf(service), onTerminal: true };
  const { stdout, stderr } = await runInProcess(["report", "--domain", ...ids], options);
  expect(stdout).toContain("got 400");
  expect(stderr).not.toContain("error:");
});

it.each([
  [["--domain", LONG, "--format", "pdf"], "Allowed choices are table, json, markdown, html, "],
  [["--domain", LONG, "--since", "2026-02-30"], "It is not a valid date: use one such as"],
  [["--domain", LONG, "--since", "2999-01-01"], "It is in the future (in UTC): give a time"],
  [["--domain", LONG, "--all"], "--all and --domain cannot be combined: leave one of them out"],
  [
    ["--domain", LONG, "--output", "a.pdf"],
    "a.pdf does not say its format: end it in .txt, .json, .md, .html, .prom or .xml, or use - for standard output",
  ],
])("rejects %j in one line before anything is asked, and exits with 1", async (args, message) => {
  const { code, stdout, stderr } = await run(...args);
  expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
  expect(stderr).toMatch(/^error: .*\n$/);
  expect(stderr).toContain(message);
  expect(service.requests).toEqual([]);
});
