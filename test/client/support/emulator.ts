/** The emulator as a service that has the experimental operations. */
import {
  type Emulator,
  type EmulatorOptions,
  startEmulator,
} from "../../../packages/domain-monitoring-emulator/src";
import { closeLater } from "./cleanup";
import { TOKEN } from "./client";

export async function emulatorOf(options: EmulatorOptions): Promise<Emulator> {
  // Its clock stands still, as relative texts are compared.
  const given = { lifecycle: "managed", token: TOKEN, now: "2026-01-31", ...options } as const;
  const emulator = await startEmulator(given);
  closeLater(() => emulator.close());
  return emulator;
}
