"use strict";
// Checks that a tag may be released: it matches the version, the version has a dated changelog
// entry and a kept state, and no place still has the placeholder for the owner.
//
//     npm run release -- check [v0.1.0]
const fs = require("node:fs");
const path = require("node:path");
const { PACKAGES, root } = require("../packed.cjs");
const { identityOf, places } = require("./owner.cjs");

/**
 * Everything that is missing, one line each. `repository` is where the release runs, as OWNER/NAME,
 * if that is known.
 */
function problemsOf({ tag, repository }, directory = root) {
  const read = (...names) => fs.readFileSync(path.join(directory, ...names), "utf8");
  const manifest = JSON.parse(read("package.json"));
  const { version } = manifest;
  const problems = [];
  if (tag !== undefined && tag !== `v${version}`)
    problems.push(`the tag is ${tag}, but package.json has version ${version}`);
  for (const one of PACKAGES) {
    const other = JSON.parse(read(one, "package.json"));
    if (other.version !== version)
      problems.push(
        `${other.name} has version ${other.version}: all packages are released as ${version}`,
      );
    const file = path.posix.join(one, "CHANGELOG.md");
    const headings = read(file).split("\n");
    if (!headings.some((line) => /^## \[(.+)\] - \d{4}-\d\d-\d\d$/.exec(line)?.[1] === version))
      problems.push(`${file} has no line "## [${version}] - " with the day of the release`);
  }
  if (!fs.existsSync(path.join(directory, "test", "upgrades", `state-${version}.json`)))
    problems.push(
      `test/upgrades/state-${version}.json is missing: npm run release -- record-state writes it`,
    );
  for (const place of places(directory))
    problems.push(`${place} has no owner yet: npm run release -- owner NAME writes it everywhere`);
  // A release that runs elsewhere would offer downloads where there are none.
  const { slug } = identityOf(manifest);
  if (repository !== undefined && slug !== repository)
    problems.push(`package.json is of ${slug}, but this runs in ${repository}`);
  return problems;
}

if (require.main === module) {
  const problems = problemsOf({ tag: process.argv[2], repository: process.env.GITHUB_REPOSITORY });
  for (const problem of problems) process.stderr.write(`release: ${problem}\n`);
  if (problems.length > 0) process.exitCode = 1;
}

module.exports = { problemsOf };
