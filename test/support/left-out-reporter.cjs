"use strict";
// Says what was left out and why, in one line for each reason, and closes with one plain line of counts.

const { engineVersion } = require("../../scripts/real-engine.cjs");

class LeftOutReporter {
  onRunComplete(_contexts, results) {
    const leftOut = results.testResults
      .flatMap((file) => file.testResults)
      .filter((test) => test.status === "pending" || test.status === "todo");
    const reasons = new Map();
    for (const test of leftOut) {
      const reason = reasonOf(test);
      reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
    }
    for (const [reason, count] of reasons)
      process.stdout.write(`\nLeft out, ${count}: ${reason}\n`);
    const { numPassedTests, numFailedTests, numFailedTestSuites } = results;
    const failed = numFailedTests > 0 ? numFailedTests : numFailedTestSuites;
    process.stdout.write(
      `\nTests: ${numPassedTests} passed, ${failed} failed, ${leftOut.length} skipped\n`,
    );
  }
}

/** Why a test was left out, which many may have in common. */
function reasonOf({ fullName, ancestorTitles }) {
  if (!fullName.includes("on the real engine")) return ancestorTitles[0] ?? fullName;
  const version = engineVersion();
  if (version === undefined)
    return "what runs on the real engine: `npm run test:engine` runs it, with `pulumi` on PATH";
  return `${ancestorTitles[0]}, because \`pulumi\` is ${version} here`;
}

module.exports = LeftOutReporter;
