/** The changelog, and the checks that a release makes on it. */
import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { temporaryDirectory } from "../support/temporary";
import { PACKAGES, read } from "./support/packed";

type Check = (given: { tag?: string; repository?: string }, directory: string) => string[];
const { problemsOf }: { problemsOf: Check } = require("../../scripts/release/check.cjs");
const { version }: { version: string } = require("../../package.json");

it("the changelog follows Keep a Changelog and has this version", () => {
  const headings = read("CHANGELOG.md").match(/^##+ .*$/gm) ?? [];
  const [unreleased, current, ...before] = headings.filter((line) => line.startsWith("## "));

  expect(unreleased).toBe("## [Unreleased]");
  expect(current?.startsWith(`## [${version}] - `)).toBe(true);
  expect(current).toMatch(/ - (\d{4}-\d\d-\d\d|not yet published)$/);

  for (const heading of before) expect(heading).toMatch(/^## \[\d+\.\d+\.\d+\] - \d{4}-\d\d-\d\d$/);
  const kinds = headings.filter((line) => line.startsWith("### "));
  expect(kinds.length).toBeGreaterThan(0);

  for (const kind of kinds)
    expect(kind).toMatch(/^### (Added|Changed|Deprecated|Removed|Fixed|Security)$/);
});

describe("a release", () => {
  let directory: string;
  const write = (file: string, text: string) => writeFileSync(path.join(directory, file), text);

  beforeEach(() => {
    directory = temporaryDirectory();
    const repository = { url: "git+https://github.com/acme/pulumi-domain-monitoring.git" };
    for (const one of PACKAGES) {
      mkdirSync(path.join(directory, one), { recursive: true });
      write(`${one}/package.json`, JSON.stringify({ version: "1.2.3", repository }));
      write(`${one}/CHANGELOG.md`, "## [Unreleased]\n\n## [1.2.3] - 2026-01-31\n");
    }

    mkdirSync(path.join(directory, "test/upgrades"), { recursive: true });
    execFileSync("git", ["init", "--quiet"], { cwd: directory });
    write("test/upgrades/state-1.2.3.json", "{}");
  });

  it("is accepted if its tag matches version, changelog and kept state", () => {
    const repository = "acme/pulumi-domain-monitoring";
    expect(problemsOf({ tag: "v1.2.3", repository }, directory)).toEqual([]);
    expect(problemsOf({}, directory)).toEqual([]);
  });

  it("is rejected with everything that is missing", () => {
    write("CHANGELOG.md", "## [Unreleased]\n\n## [1.2.3] - not yet published\n");
    rmSync(path.join(directory, "test/upgrades/state-1.2.3.json"));
    for (const name of ["domain-monitoring-emulator", "pulumi-offline"])
      write(`packages/${name}/package.json`, JSON.stringify({ name, version: "1.2.2" }));

    const owner = ["REPLACE", "WITH", "OWNER"].join("_");
    write("page.md", `one\n${owner}/x\nio.github.${owner.toLowerCase()}\n`);
    const why = "has no owner yet: npm run release -- owner NAME writes it everywhere";
    expect(problemsOf({ tag: "v1.2.4", repository: "someone/fork" }, directory)).toEqual([
      "the tag is v1.2.4, but package.json has version 1.2.3",
      'CHANGELOG.md has no line "## [1.2.3] - " with the day of the release',
      "domain-monitoring-emulator has version 1.2.2: all packages are released as 1.2.3",
      "pulumi-offline has version 1.2.2: all packages are released as 1.2.3",
      "test/upgrades/state-1.2.3.json is missing: npm run release -- record-state writes it",
      `page.md:2 ${why}`,
      `page.md:3 ${why}`,
      // The plugin would be downloaded from the repository in package.json.
      "package.json is of acme/pulumi-domain-monitoring, but this runs in someone/fork",
    ]);
  });
});
