/** Starts the files that last longest first, so that none of them is alone at the end; the others by their last duration. */
const path = require("node:path");
const { default: Sequencer } = require("@jest/test-sequencer");

const root = path.join(__dirname, "../..");

/** Of what has not run here yet: the longest, in seconds of two busy cores. */
const EXPECTED = {
  "test/docs/typescript-blocks.test.ts": 41,
  "test/e2e/examples.test.ts": 37,
  "test/program/component-life.test.ts": 21,
  "test/e2e/managed-moving.test.ts": 17,
  "test/e2e/life.test.ts": 17,
  "test/e2e/adoption.test.ts": 17,
  "test/testing/parity/replacing-and-deleting.test.ts": 17,
  "test/testing/parity/creating-and-updating.test.ts": 14,
  "test/e2e/managed.test.ts": 13,
  "test/cli/report.test.ts": 12,
  "test/docs/shell-blocks.test.ts": 11,
  "test/e2e/transforms.test.ts": 11,
  "test/gitops/fleet.test.ts": 11,
  "test/e2e/failing.test.ts": 10,
  "test/gitops/exit-codes.test.ts": 10,
  "test/e2e/depends-on.test.ts": 9,
  "test/cli/expiry.test.ts": 9,
  "test/package/consumers.test.ts": 8,
  "test/cli/closed-pipes.test.ts": 8,
  "test/testing/parity/projects-in-files.test.ts": 8,
  "test/testing/engine/projects.test.ts": 7,
  "test/cli/doctor.test.ts": 7,
};

module.exports = class LongestFirst extends Sequencer {
  time(test) {
    const file = path.relative(root, test.path).replaceAll(path.sep, "/");
    return super.time(test) ?? 1000 * (EXPECTED[file] ?? 1);
  }
};
