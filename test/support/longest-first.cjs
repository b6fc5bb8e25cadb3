/** Starts the files that last longest first, so that none of them is alone at the end; the others by their last duration. */
const path = require("node:path");
const { default: Sequencer } = require("@jest/test-sequencer");

const root = path.join(__dirname, "../..");

/** Of what has not run here yet: the longest, in seconds of two busy cores. */
const EXPECTED = {
  "test/testing/parity/creating-and-updating.test.ts": 30,
  "test/testing/parity/replacing-and-deleting.test.ts": 30,
  "test/e2e/examples.test.ts": 80,
  "test/docs/typescript-blocks.test.ts": 50,
  "test/e2e/life.test.ts": 50,
  "test/testing/engine/projects.test.ts": 45,
  "test/testing/engine/leaks.test.ts": 35,
  "test/testing/engine/options.test.ts": 30,
};

module.exports = class LongestFirst extends Sequencer {
  time(test) {
    const file = path.relative(root, test.path).replaceAll(path.sep, "/");
    return super.time(test) ?? 1000 * (EXPECTED[file] ?? 1);
  }
};
