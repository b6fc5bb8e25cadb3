import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import type * as pulumi from "@pulumi/pulumi";
import { failureOf } from "../../../test/support/failure";
import { temporaryDirectory } from "../../../test/support/temporary";
import { StackError, TestStack } from "../src";
import type { StackResult, TestStackOptions } from "../src/types";
import { takeCalls } from "./probe";

export { temporaryDirectory } from "../../../test/support/temporary";
export { AnyProvider, Group, Probe, probeUrn } from "./probe";

/** A stack whose inline program a test can change between operations, and the log of its probes. */
export async function bench(options: TestStackOptions = {}) {
  const log = join(temporaryDirectory(), "calls.log");
  let current: NonNullable<TestStackOptions["program"]> = () => undefined;
  const stack = await TestStack.create({ program: () => current(), ...options });

  return {
    stack,
    log,
    /** Sets the program. */
    program: (program: () => unknown) => {
      current = program as typeof current;
    },
    /** The calls since the last time they were asked for: `create a`. */
    order: () => takeCalls(log).map(({ method, label }) => `${method} ${label}`),
  };
}

/** Answers of mocks, by type or token. */
export type MockedAnswers = Record<string, (args: pulumi.runtime.MockResourceArgs) => unknown>;

/** Mocks as most teams have them: inputs come back as outputs. What they are asked is kept. */
export function recordingMocks(answers: MockedAnswers = {}) {
  const received: (pulumi.runtime.MockResourceArgs | pulumi.runtime.MockCallArgs)[] = [];
  const mocks = {
    newResource(args: pulumi.runtime.MockResourceArgs) {
      received.push(args);
      const answer = answers[args.type];
      return answer ? answer(args) : { id: `${args.name}_id`, state: args.inputs };
    },
    call(args: pulumi.runtime.MockCallArgs) {
      received.push(args);
      return answers[args.token]?.({ type: "", name: "", ...args });
    },
  };

  // A mock may answer anything, whatever its type says.
  return { received, mocks: mocks as pulumi.runtime.Mocks };
}

/** The error of an operation that must fail. */
export function failure(operation: Promise<StackResult>): Promise<StackError> {
  return failureOf(operation, StackError);
}

/** Serves a URL whose requests wait: until the test opens it, or until so many have come. */
export async function gate(count = Number.POSITIVE_INFINITY) {
  const waiting: (() => void)[] = [];
  const open = () => {
    for (const release of waiting) release();
  };

  const server = createServer((_, response) => {
    waiting.push(() => response.end());
    if (waiting.length === count) open();
  });

  server.listen(0, "127.0.0.1");
  const reached = once(server, "request");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;

  return {
    url: `http://127.0.0.1:${port}/`,
    /** Resolves with the first request. */
    reached,
    open,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** The processes that were started since the test file began, and are still there. */
export function leftProcesses(): number[] {
  return started.filter((pid) => {
    try {
      return process.kill(pid, 0);
    } catch {
      return false;
    }
  });
}

const started: number[] = [];
// The module itself, not an import's copy of it: the engine's code sees the replacement there.
const childProcess: typeof import("node:child_process") = require("node:child_process");
const spawn = childProcess.spawn as (...args: unknown[]) => ChildProcess;

jest.spyOn(childProcess as { spawn: typeof spawn }, "spawn").mockImplementation((...args) => {
  const child = spawn(...args);
  if (child.pid !== undefined) started.push(child.pid);
  return child;
});

/** Processes started so far. */
export const startedProcesses = (): number => started.length;

afterEach(() => expect(leftProcesses()).toEqual([]));
