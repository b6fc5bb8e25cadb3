/** The changelog, and the checks that a release makes on it. */
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { temporaryDirectory } from "../support/temporary";

const {
  PACKAGES,
  root,
}: { PACKAGES: string[]; root: string } = require("../../scripts/packed.cjs");

type Check = (given: { tag?: string; repository?: string }, directory: string) => string[];
const { problemsOf }: { problemsOf: Check } = require("../../scripts/release/check.cjs");
const { version }: { version: string } = require("../../package.json");
const lines = readFileSync(path.join(root, "CHANGELOG.md"), "utf8").split("\n");

it("the changelog follows Keep a Changelog and has this version", () => {
  const headings = lines.filter((line) => /^##+ /.test(line));
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

  beforeEach(() => {
    directory = temporaryDirectory();
    const repository = { url: "git+https://github.com/acme/pulumi-domain-monitoring.git" };
    for (const one of PACKAGES) {
      const at = path.join(directory, one);
      mkdirSync(at, { recursive: true });
      writeFileSync(
        path.join(at, "package.json"),
        JSON.stringify({ version: "1.2.3", repository }),
      );

      writeFileSync(path.join(at, "CHANGELOG.md"), "## [Unreleased]\n\n## [1.2.3] - 2026-01-31\n");
    }

    mkdirSync(path.join(directory, "test/upgrades"), { recursive: true });
    execFileSync("git", ["init", "--quiet"], { cwd: directory });
    writeFileSync(path.join(directory, "test/upgrades/state-1.2.3.json"), "{}");
  });

  it("is accepted if its tag matches version, changelog and kept state", () => {
    const repository = "acme/pulumi-domain-monitoring";
    expect(problemsOf({ tag: "v1.2.3", repository }, directory)).toEqual([]);
    expect(problemsOf({}, directory)).toEqual([]);
  });

  it("is rejected with everything that is missing", () => {
    writeFileSync(
      path.join(directory, "CHANGELOG.md"),
      "## [Unreleased]\n\n## [1.2.3] - not yet published\n",
    );

    rmSync(path.join(directory, "test/upgrades/state-1.2.3.json"));
    for (const name of ["domain-monitoring-emulator", "pulumi-offline"]) {
      const file = path.join(directory, "packages", name, "package.json");
      writeFileSync(file, JSON.stringify({ name, version: "1.2.2" }));
    }

    const owner = ["REPLACE", "WITH", "OWNER"].join("_");
    writeFileSync(
      path.join(directory, "page.md"),
      `one\n${owner}/x\nio.github.${owner.toLowerCase()}\n`,
    );

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
