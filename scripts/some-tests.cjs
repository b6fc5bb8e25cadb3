"use strict";
/**
 * A jest configuration that runs some of the tests, in one project: next to `projects`, jest ignores a `testMatch`.
 * @param {string[]} testMatch patterns from the package's root on
 */
module.exports = (testMatch) => {
  const { projects, maxWorkers, reporters, testTimeout } = require("../jest.config.cjs");
  const { displayName: _, ...project } = projects.at(-1);
  return { ...project, maxWorkers, reporters, testTimeout, rootDir: `${__dirname}/..`, testMatch };
};
