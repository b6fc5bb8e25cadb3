/**
 * `pulumi-domain-monitoring/testing`: a local service to run against and an engine to run programs with, for tests
 * without network and without the Pulumi command. Loading this module loads neither; the first use does.
 */
import type { Emulator, EmulatorOptions } from "./emulator/types";
import type { TestStack as TestStackInstance } from "./engine";
import type { TestStackOptions } from "./engine/types";

export type {
  BreakingPoint,
  ChangeSeed,
  ChannelSeed,
  ChannelUpdate,
  DomainSeed,
  DomainUpdate,
  Duration,
  EmulatedChannel,
  EmulatedDomain,
  Emulator,
  EmulatorOperation,
  EmulatorOptions,
  FaultRule,
  ListOrder,
  LoggedRequest,
  ManagedOptions,
  RateLimit,
} from "./emulator/types";
export { StackError } from "./engine/diagnostics";
export type {
  Diagnostic,
  Operation,
  OperationOptions,
  StackOutput,
  StackResource,
  StackResult,
  StackStep,
  TestStackOptions,
} from "./engine/types";

/** Starts the local service on a free port of 127.0.0.1. Close it in every outcome: `await using` does. */
export function startEmulator(options?: EmulatorOptions): Promise<Emulator> {
  const { startEmulator: start }: typeof import("./emulator") = require("./emulator");
  return start(options);
}

/** A stack of the offline engine. */
export type TestStack = TestStackInstance;

/** The offline engine's entry: runs programs against the SDK's own language runtime and dynamic-provider process. */
export const TestStack = {
  /** Makes an empty stack for a program or a project directory. */
  create(options: TestStackOptions): Promise<TestStackInstance> {
    const { TestStack: Engine }: typeof import("./engine") = require("./engine");
    return Engine.create(options);
  },
};
