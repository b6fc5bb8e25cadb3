/** The emulator as a process of its own; it tells its address, and how many channels there are when asked. */
import testing from "../../dist/testing/index.js";

process.on("disconnect", () => process.exit());
const emulator = await testing.startEmulator();
process.on("message", () => process.send({ channels: emulator.channels().length }));
process.send({ url: emulator.url, token: emulator.token });
