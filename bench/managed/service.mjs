/** The emulator with the managed lifecycle, as a process of its own; it does what it is asked, `[name, ...arguments]`. */
import testing from "../../dist/testing/index.js";

process.on("disconnect", () => process.exit());
const emulator = await testing.startEmulator({ lifecycle: "managed" });
let counted = 0;

const actions = {
  /** Requests since the last call, by operation, and the ids of all channels. */
  taken() {
    const requests = {};
    for (const { operation, status } of emulator.requests.slice(counted)) {
      const name = status < 400 ? operation : `${operation} ${status}`;
      requests[name] = (requests[name] ?? 0) + 1;
    }
    counted = emulator.requests.length;
    return { requests, ids: emulator.channels().map(({ id }) => id) };
  },
  /** What is set for each channel. */
  channels: () => emulator.channels(),
  /** From now on every answer takes so many milliseconds longer. */
  latency(delayMs) {
    emulator.clearFaults();
    if (delayMs > 0) emulator.fault({ delayMs, times: "always" });
    return {};
  },
  /** By hand, as in the service's own settings. */
  change(ids, changes) {
    for (const id of ids) emulator.updateChannel(id, changes);
    return {};
  },
  remove(ids) {
    for (const id of ids) emulator.removeChannel(id);
    return {};
  },
};
process.on("message", ([name, ...given]) => process.send(actions[name](...given)));
process.send({ url: emulator.url, token: emulator.token });
