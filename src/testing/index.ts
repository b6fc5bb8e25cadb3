/**
 * `pulumi-domain-monitoring/testing`: a local service for tests without network. Loading this module does not load the
 * service; the first use does.
 */
import type { Emulator, EmulatorOptions } from "./emulator/types";

export type * from "./emulator/types";

/** Starts the local service on a free port of 127.0.0.1. Close it in every outcome: `await using` does. */
export function startEmulator(options?: EmulatorOptions): Promise<Emulator> {
  const { startEmulator: start }: typeof import("./emulator") = require("./emulator");
  return start(options);
}
