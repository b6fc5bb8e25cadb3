/** Jest's runner without counting coverage: for the test files that reach what has bounds only in other processes. */
const { default: TestRunner } = require("jest-runner");

module.exports = class UncoveredRunner extends TestRunner {
  constructor(globalConfig, context) {
    super({ ...globalConfig, collectCoverage: false }, context);
  }
};
