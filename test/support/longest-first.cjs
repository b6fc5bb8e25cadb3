/** Starts the files that last longest first, so that none of them is alone at the end; the others by their last duration. */
const path = require("node:path");
const { default: Sequencer } = require("@jest/test-sequencer");

const root = path.join(__dirname, "../..");

/** Of what has not run here yet: the longest, in seconds of two busy cores. */
const EXPECTED = {
  "test/docs/typescript-blocks.test.ts": 41,
  "test/e2e/examples.test.ts": 37,
  "test/testing/parity/replacing-and-deleting.test.ts": 17,
  "test/testing/parity/creating-and-updating.test.ts": 14,
  "test/e2e/life.test.ts": 11,
  "test/program/component-life.test.ts": 9,
  "test/package/consumers.test.ts": 8,
  "test/e2e/adoption.test.ts": 8,
  "test/testing/parity/projects-in-files.test.ts": 8,
  "test/testing/engine/projects.test.ts": 7,
};

module.exports = class LongestFirst extends Sequencer {
  time(test) {
    const file = path.relative(root, test.path).replaceAll(path.sep, "/");
    return super.time(test) ?? 1000 * (EXPECTED[file] ?? 1);
  }
};
