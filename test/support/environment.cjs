/** Jest's environment for Node, without two costs that grow with every file that a process has run. */
const { AsyncLocalStorage } = require("node:async_hooks");
const { Session } = require("node:inspector/promises");
const { CoverageInstrumenter } = require("collect-v8-coverage");
const { TestEnvironment } = require("jest-environment-node");

// A storage stays in use when the module that made it is gone, and from then on is handed on with every promise.
const storages = new Set();
for (const name of ["run", "enterWith"]) {
  const use = AsyncLocalStorage.prototype[name];
  AsyncLocalStorage.prototype[name] = function (...given) {
    storages.add(this);
    return use.apply(this, given);
  };
}

// Jest starts and stops counting coverage with each file; V8 then throws away all optimized code and looks through the whole
// heap, and Jest's debugger looks through every script. Here it counts all the time, from the first file that asks for it.
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

Object.assign(CoverageInstrumenter.prototype, { startInstrumenting: take, stopInstrumenting: take });

module.exports = class Environment extends TestEnvironment {
  async teardown() {
    await super.teardown();
    for (const storage of storages) storage.disable();
    storages.clear();
  }
};
