"use strict";
// Says what was left out and why, and closes with one plain line of counts.

const { engineVersion } = require("../../scripts/real-engine.cjs");

class LeftOutReporter {
  onRunComplete(_contexts, results) {
    const leftOut = results.testResults
      .flatMap((file) => file.testResults)
      .filter((test) => test.status === "pending" || test.status === "todo");
    if (leftOut.length > 0) {
      const needsCommand = (test) => test.fullName.includes("on the real engine");
      const hasCommand = engineVersion() !== undefined;
      const engine = hasCommand ? 0 : leftOut.filter(needsCommand).length;
      const lines = [];
      if (engine > 0) {
        lines.push(
          `${engine} programs were not run on the real engine: there is no \`pulumi\` command on PATH.`,
        );
      }
      const other = leftOut.filter((test) => hasCommand || !needsCommand(test));
      for (const test of other) lines.push(`Left out: ${test.fullName}`);
      process.stdout.write(`\n${lines.join("\n")}\n`);
    }
    const { numPassedTests, numFailedTests, numFailedTestSuites } = results;
    const failed = numFailedTests > 0 ? numFailedTests : numFailedTestSuites;
    process.stdout.write(
      `\nTests: ${numPassedTests} passed, ${failed} failed, ${leftOut.length} skipped\n`,
    );
  }
}

module.exports = LeftOutReporter;
