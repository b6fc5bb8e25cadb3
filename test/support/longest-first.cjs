"use strict";
// The order of the test files. Where jest has no times of an earlier run, as in CI, it takes the
// largest files first, and leaves some of the longest to the end.
const { default: Sequencer } = require("@jest/test-sequencer");
const path = require("node:path");

/** The files that take longest, in this order. */
const LONGEST = [
  "test/plugin/languages",
  "test/e2e/lives",
  "test/docs/typescript-blocks",
  "packages/pulumi-offline/test/parity/dynamic-resources",
  "test/e2e/examples",
  "test/package/consumers",
  "test/program/requirements",
  "test/package/example-script",
].map((name) => require.resolve(path.join("../..", `${name}.test.ts`)));

module.exports = class LongestFirst extends Sequencer {
  sort(tests) {
    const place = (test) =>
      LONGEST.includes(test.path) ? LONGEST.indexOf(test.path) : LONGEST.length;
    return super.sort(tests).sort((one, other) => place(one) - place(other));
  }
};
