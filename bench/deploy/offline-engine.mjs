/** The offline engine of `pulumi-domain-monitoring/testing`: the SDK's own processes, without the Pulumi command. */
import testing from "../../dist/testing/index.js";

export const offlineEngine = {
  name: "offline engine",
  stateMeasure: "bytes of the resources as JSON per channel",

  version() {
    return "of this package";
  },

  async open({ project }, { config, secrets }, signal) {
    const stack = await testing.TestStack.create({ workDir: project, stack: "bench", config, secrets });
    const abort = aborted(signal);
    let last;
    const operation = async (name) => {
      // An operation that is abandoned ends with its processes, which go with the project's directory.
      last = await Promise.race([stack[name](), abort.promise]);
    };
    return {
      up: () => operation("up"),
      async noop() {
        await operation("up");
        const changed = Object.keys(last.changes).filter((name) => name !== "same");
        if (changed.length > 0) throw new Error(`the second up was to change nothing, but did: ${changed}`);
      },
      destroy: () => operation("destroy"),
      stateBytes: () => Buffer.byteLength(JSON.stringify(last.resources)),
      close: async () => abort.forget(),
    };
  },
};

/** A promise that rejects when the signal fires, until it is forgotten. */
function aborted(signal) {
  signal.throwIfAborted();
  let onAbort;
  const promise = new Promise((_resolve, reject) => {
    onAbort = () => reject(signal.reason);
    signal.addEventListener("abort", onAbort, { once: true });
  });
  return { promise, forget: () => signal.removeEventListener("abort", onAbort) };
}
