/** Jest's runner, which leaves out the test files after the first one in which the active mutant has been noticed. */
const { default: Runner } = require("jest-runner");

module.exports = class UntilNoticed extends Runner {
  async runTests(tests, watcher, options) {
    let noticed = false;
    this.on("test-file-success", ([, { numFailingTests }]) => {
      noticed ||= numFailingTests > 0;
    });
    this.on("test-file-failure", () => {
      noticed = true;
    });
    for (const test of tests) {
      if (noticed && process.env.__STRYKER_ACTIVE_MUTANT__ !== undefined) return;
      await super.runTests([test], watcher, options);
    }
  }
};
