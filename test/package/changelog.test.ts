/** The changelog, and what a release asks of it. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

const root = path.join(__dirname, "../..");
const {
  problemsOf,
}: { problemsOf: (tag: string, directory?: string) => string[] } = require("../../scripts/check-release.cjs");
const { version }: { version: string } = require("../../package.json");

const lines = readFileSync(path.join(root, "CHANGELOG.md"), "utf8").split("\n");
const versions = lines.filter((line) => line.startsWith("## "));

describe("the changelog", () => {
  it("begins with the unreleased changes, followed by the version of package.json", () => {
    expect(versions[0]).toBe("## [Unreleased]");
    expect(versions[1]).toMatch(new RegExp(`^## \\[${version.replaceAll(".", "\\.")}\\] - `));
  });

  it("has a date for every version except the one in preparation", () => {
    expect(versions[1]).toMatch(/ - (\d{4}-\d\d-\d\d|not yet published)$/);
    for (const heading of versions.slice(2))
      expect(heading).toMatch(/^## \[\d+\.\d+\.\d+\] - \d{4}-\d\d-\d\d$/);
  });

  it("uses the headings of Keep a Changelog", () => {
    const headings = lines.filter((line) => line.startsWith("### "));
    expect(headings.length).toBeGreaterThan(0);
    for (const heading of headings)
      expect(heading).toMatch(/^### (Added|Changed|Deprecated|Removed|Fixed|Security)$/);
  });
});

describe("a release", () => {
  let directory: string;

  beforeEach(() => {
    directory = mkdtempSync(path.join(tmpdir(), "release-"));
    mkdirSync(path.join(directory, "test/upgrades"), { recursive: true });
    writeFileSync(path.join(directory, "package.json"), '{ "version": "1.2.3" }');
    writeFileSync(path.join(directory, "CHANGELOG.md"), "## [Unreleased]\n\n## [1.2.3] - 2026-01-31\n");
    writeFileSync(path.join(directory, "test/upgrades/state-1.2.3.json"), "{}");
  });
  afterEach(() => {
    rmSync(directory, { recursive: true, force: true });
  });

  it("is accepted if tag, version, changelog and kept state match", () => {
    expect(problemsOf("v1.2.3", directory)).toEqual([]);
  });

  it("is rejected with everything that is missing", () => {
    writeFileSync(
      path.join(directory, "CHANGELOG.md"),
      "## [Unreleased]\n\n## [1.2.3] - not yet published\n",
    );
    rmSync(path.join(directory, "test/upgrades/state-1.2.3.json"));
    expect(problemsOf("v1.2.4", directory)).toEqual([
      "the tag is v1.2.4, but package.json has version 1.2.3",
      'CHANGELOG.md has no line "## [1.2.3] - " with the day of the release',
      "test/upgrades/state-1.2.3.json is missing: npm run release -- record-state writes it",
    ]);
  });
});
