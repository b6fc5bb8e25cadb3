/**
 * Jest's environment for Node, in processes that count coverage all the time. Jest starts and stops counting with each file;
 * V8 then throws away all optimized code and looks through the whole heap, and Jest's debugger looks through every script.
 */
const { Session } = require("node:inspector/promises");
const { CoverageInstrumenter } = require("collect-v8-coverage");
const { TestEnvironment } = require("jest-environment-node");

let session;

/** What was counted since the last call. */
async function take() {
  if (!session) {
    session = new Session();
    session.connect();
    await session.post("Profiler.enable");
    await session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: true });
  }
  return (await session.post("Profiler.takePreciseCoverage")).result;
}

// Only where coverage is counted at all is either of them called.
Object.assign(CoverageInstrumenter.prototype, { startInstrumenting: take, stopInstrumenting: take });

module.exports = TestEnvironment;
