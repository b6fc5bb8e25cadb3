/**
 * The SDK notes a stack trace with each of its promises, for `PULUMI_DEBUG_PROMISE_LEAKS`. Jest translates every frame by its
 * source maps, which takes a third of a program that runs in a test's process.
 */
const debuggable = jest.requireActual("../../node_modules/@pulumi/pulumi/runtime/debuggable.js");

module.exports = {
  ...debuggable,
  debuggablePromise(...given) {
    const limit = Error.stackTraceLimit;
    Error.stackTraceLimit = 0;
    try {
      return debuggable.debuggablePromise(...given);
    } finally {
      Error.stackTraceLimit = limit;
    }
  },
};
