"use strict";
/**
 * The tests that match one of the patterns, in place of all but those of a release.
 * @param {string[]} testMatch patterns from the package's root on
 */
module.exports = (testMatch) => ({
  ...require("../../jest.config.cjs"),
  rootDir: `${__dirname}/../..`,
  testPathIgnorePatterns: [],
  testMatch,
});
