import type { ChildProcess } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as pulumi from "@pulumi/pulumi";
import { StackError, TestStack } from "../../../src/testing/engine";
import type { StackResult, TestStackOptions } from "../../../src/testing/engine/types";

type Properties = Record<string, unknown>;

/** What a probe's provider was called with, as it wrote it into the log. */
export interface Call {
  method: "configure" | "check" | "diff" | "create" | "read" | "update" | "delete";
  label: string;
  id?: string;
  olds?: Properties;
  news?: Properties;
}

/**
 * A provider that writes down every call and does what the inputs ask for. Its methods are turned into text and run in
 * the provider process, so that each of them stands alone.
 */
const provider: pulumi.dynamic.ResourceProvider = {
  async check(olds, news) {
    const line = { method: "check", label: news.label, olds, news };
    require("node:fs").appendFileSync(news.log, `${JSON.stringify(line)}\n`);
    if (news.print) process.stderr.write(`${news.print}\n`);
    const failures = (news.problems ?? []).map(([property, reason]: [string, string]) => ({
      property,
      reason,
    }));
    return { inputs: news, failures };
  },
  async diff(id, olds, news) {
    const line = { method: "diff", label: news.label, id, olds, news };
    require("node:fs").appendFileSync(news.log, `${JSON.stringify(line)}\n`);
    const differs = (key: string) => JSON.stringify(olds[key]) !== JSON.stringify(news[key]);
    const replaces = (news.replaceOn ?? []).filter(differs);
    const own = ["made", "derived", "__provider"];
    const changes = Object.keys({ ...olds, ...news }).some((key) => !own.includes(key) && differs(key));
    return { changes, replaces, deleteBeforeReplace: news.deleteFirst === true };
  },
  async create(inputs) {
    const line = { method: "create", label: inputs.label, news: inputs };
    require("node:fs").appendFileSync(inputs.log, `${JSON.stringify(line)}\n`);
    if (inputs.barrier) {
      await new Promise((resolve, reject) => {
        require("node:http").get(inputs.barrier, resolve).on("error", reject);
      });
    }
    if (inputs.fail) throw new Error(inputs.fail);
    const outs = { ...inputs, made: `made ${inputs.value}`, derived: `derived ${inputs.value}` };
    const id = `id-${inputs.label}-${inputs.value}`;
    if (inputs.unready)
      throw Object.assign(new Error("unready"), { id, properties: outs, reasons: inputs.unready });
    return { id, outs };
  },
  async read(id, props) {
    const line = { method: "read", label: props?.label, id, olds: props };
    const fs = require("node:fs");
    fs.appendFileSync(props?.log, `${JSON.stringify(line)}\n`);
    const live = `${props?.log}.live`;
    if (!fs.existsSync(live)) return { id, props: { ...props, made: props?.made ?? "read" } };
    const { gone, ...found } = JSON.parse(fs.readFileSync(live, "utf8"));
    if (gone) return { id: "" };
    return { id, props: { ...props, ...found }, inputs: { ...props, ...found } };
  },
  async update(id, olds, news) {
    const line = { method: "update", label: news.label, id, olds, news };
    require("node:fs").appendFileSync(news.log, `${JSON.stringify(line)}\n`);
    return { outs: { ...news, made: `updated ${news.value}`, derived: `derived ${news.value}` } };
  },
  async delete(id, props) {
    const line = { method: "delete", label: props.label, id, olds: props };
    require("node:fs").appendFileSync(props.log, `${JSON.stringify(line)}\n`);
  },
};

/** The inputs of a probe; what the outputs are made of, and how its provider behaves. */
export interface ProbeInputs {
  /** What the log calls it. @default its name */
  label?: string;
  value?: pulumi.Input<string>;
  nested?: pulumi.Input<unknown>;
  /** Properties whose change replaces. */
  replaceOn?: string[];
  deleteFirst?: boolean;
  problems?: [property: string, reason: string][];
  fail?: string;
  unready?: string[];
  /** A URL that a create waits for. */
  barrier?: string;
  /** What a check writes to standard error. */
  print?: string;
}

/** A dynamic resource of these tests. */
export class Probe extends pulumi.dynamic.Resource {
  declare readonly value: pulumi.Output<string>;
  declare readonly made: pulumi.Output<string>;
  declare readonly derived: pulumi.Output<string>;

  constructor(log: string, name: string, inputs: ProbeInputs = {}, options?: pulumi.CustomResourceOptions) {
    const outputs = { made: undefined, derived: undefined };
    super(provider, name, { ...outputs, value: "1", label: name, log, ...inputs }, options, "test", "Probe");
  }
}

/** An explicit provider. */
export class AnyProvider extends pulumi.ProviderResource {
  constructor(name: string, args: pulumi.Inputs, pkg = "pulumi-nodejs") {
    super(pkg, name, args);
  }
}

/** A component of these tests. */
export class Group extends pulumi.ComponentResource {
  constructor(name: string, options?: pulumi.ComponentResourceOptions) {
    super("test:index:Group", name, {}, options);
  }
}

/** The URN of a probe in the stack of these tests. */
export function probeUrn(name: string, parents = ""): string {
  return `urn:pulumi:test::test::${parents}pulumi-nodejs:dynamic/test:Probe::${name}`;
}

/** A stack whose inline program a test can change between operations, and the log of its probes. */
export interface Bench {
  stack: TestStack;
  log: string;
  /** Sets the program. */
  program(program: () => unknown): void;
  /** The calls since the last time they were asked for. */
  calls(): Call[];
  /** The same in short: `create a`. */
  order(): string[];
}

const directories: string[] = [];

/** A temporary directory that is gone after the test file. */
export function temporaryDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), "engine-test-"));
  directories.push(directory);
  return directory;
}

export async function bench(options: Omit<TestStackOptions, "program"> = {}): Promise<Bench> {
  const log = join(temporaryDirectory(), "calls.log");
  let current: NonNullable<TestStackOptions["program"]> = () => undefined;
  const stack = await TestStack.create({ ...options, program: () => current() });
  const calls = () => {
    const lines = existsSync(log) ? readFileSync(log, "utf8").split("\n") : [];
    rmSync(log, { force: true });
    return lines.filter(Boolean).map((line) => JSON.parse(line) as Call);
  };
  return {
    stack,
    log,
    program: (program) => {
      current = program as typeof current;
    },
    calls,
    order: () => calls().map(({ method, label }) => `${method} ${label}`),
  };
}

/** The error of an operation that must fail. */
export async function failure(operation: Promise<StackResult>): Promise<StackError> {
  const error = await operation.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof StackError)) throw new Error(`expected a StackError, not ${String(error)}`);
  return error;
}

/** Serves a URL that answers only when it was asked for `count` times. */
export async function barrier(count: number): Promise<{ url: string; close(): void }> {
  const waiting: (() => void)[] = [];
  const server = createServer((_, response) => {
    waiting.push(() => response.end());
    if (waiting.length === count) for (const release of waiting) release();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/`, close: () => server.close() };
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
export function startedProcesses(): number {
  return started.length;
}

afterEach(() => {
  expect(leftProcesses()).toEqual([]);
});

afterAll(() => {
  for (const directory of directories) rmSync(directory, { recursive: true, force: true });
});
