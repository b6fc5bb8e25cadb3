"use strict";
// Checks that a tag may be released: it matches the version, and the version has a dated changelog entry and a kept state.
//
//     npm run release -- check v0.1.0
const fs = require("node:fs");
const path = require("node:path");

const root = path.join(__dirname, "..");

/** Everything that is missing, one line each. */
function problemsOf(tag, directory = root) {
  const read = (...names) => fs.readFileSync(path.join(directory, ...names), "utf8");
  const { version } = JSON.parse(read("package.json"));
  const problems = [];
  if (tag !== `v${version}`) problems.push(`the tag is ${tag}, but package.json has version ${version}`);
  const headings = read("CHANGELOG.md").split("\n");
  if (!headings.some((line) => /^## \[(.+)\] - \d{4}-\d\d-\d\d$/.exec(line)?.[1] === version))
    problems.push(`CHANGELOG.md has no line "## [${version}] - " with the day of the release`);
  if (!fs.existsSync(path.join(directory, "test", "upgrades", `state-${version}.json`)))
    problems.push(
      `test/upgrades/state-${version}.json is missing: npm run release -- record-state writes it`,
    );
  return problems;
}

if (require.main === module) {
  const [tag] = process.argv.slice(2);
  const problems = tag === undefined ? ["which tag? npm run release -- check v0.1.0"] : problemsOf(tag);
  for (const problem of problems) process.stderr.write(`release: ${problem}\n`);
  if (problems.length > 0) process.exitCode = 1;
}

module.exports = { problemsOf };
