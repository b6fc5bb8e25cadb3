/**
 * The same scenario on both engines: the offline one always, the real one where there is a `pulumi`
 * command on PATH. What is left out is counted and named by the reporter.
 */
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import * as pulumi from "@pulumi/pulumi";
import type {
  EngineEvent,
  LocalWorkspaceOptions,
  OutputMap,
  PulumiCommand,
  Stack,
  StepEventMetadata,
} from "@pulumi/pulumi/automation";
import {
  StackError,
  type StackResult,
  TestStack,
  type TestStackOptions,
  type UpdateOptions,
} from "../../packages/pulumi-offline/src";
import {
  ProviderProcess,
  type StartProvider,
} from "../../packages/pulumi-offline/src/processes/provider-process";
import { kill, processesWith } from "../../scripts/processes.cjs";
import { engineEnvironment, engineVersion, recordedIn } from "../../scripts/real-engine.cjs";
import { filesIn } from "./files";
import { createInline } from "./inline";
import { ownProviders } from "./own-providers";
import { quickSdk } from "./quick-sdk";
import { isOffline, isQuick } from "./scope";

const {
  grpcClientOptions,
}: { grpcClientOptions: object } = require("@pulumi/pulumi/runtime/settings");

/**
 * Options of the connections that the SDK makes for programs in this process. It never closes them,
 * gRPC shares one between the clients of an address, and the system gives a port twice: a program
 * would fail whose engine has the port of an earlier program's. So each program has connections of
 * its own.
 */
export const programConnections = Object.assign(grpcClientOptions, {
  "grpc.use_local_subchannel_pool": 1,
});

/**
 * The outcome of one operation. A failure is a part of it and not thrown, so that scenarios can
 * look at both.
 */
export interface Outcome {
  /** Steps by operation, the stack itself left out; a replacement counts once. */
  changes: Record<string, number>;
  outputs: Record<string, { value: unknown; secret: boolean }>;

  /** Steps by resource, in this order, without the stack itself and default providers. */
  steps: { operation: string; urn: string }[];

  /** Messages by severity, one text each, and the resource that each belongs to. */
  diagnostics: { severity: string; message: string; urn?: string }[];

  /** Whether the operation ended with an error. */
  failed: boolean;
}

/** Texts of the messages, by default of all severities. */
export function messagesOf(
  { diagnostics }: Pick<Outcome, "diagnostics">,
  severity?: string,
): string[] {
  return diagnostics
    .filter((diagnostic) => severity === undefined || diagnostic.severity === severity)
    .map(({ message }) => message);
}

/** What an update is about, and how it goes on. */
export type Narrowed = Pick<UpdateOptions, "target" | "exclude" | "replace" | "continueOnError">;

/** A stack on some engine. */
export interface EngineStack {
  preview(options?: Narrowed): Promise<Outcome>;
  up(options?: Narrowed): Promise<Outcome>;
  refresh(): Promise<Outcome>;
  destroy(): Promise<Outcome>;

  /** The resources that the stack has, in the order of their URNs, secrets hidden. */
  state(): Promise<StateResource[]>;

  /** All that the engine has said, and written as it lies there: state, backups, history, logs. */
  written(): string;
  close(): Promise<void>;
}

/**
 * One whose inline program can be changed between operations. A resource that it returns is not an
 * output.
 */
export interface ChangingStack extends EngineStack {
  change(program: () => unknown): void;
}

type Operation = "preview" | "up" | "refresh" | "destroy";

export type Create = (options: Options) => Promise<ChangingStack>;

/** A resource in a state, without what tells nothing about what it is. */
export interface StateResource {
  urn: string;
  id?: string;
  parent?: string;
  dependencies?: string[];

  /**
   * Which of these hold: protected, only read, still to be deleted, and still to be created again.
   */
  flags?: string[];
  inputs: unknown;
  outputs: unknown;
}

export interface Options
  extends Pick<TestStackOptions, "program" | "workDir" | "config" | "secrets" | "env" | "mocks"> {
  /** Texts that may show up nowhere, beside the values of `secrets`. */
  keepsSecret?: string[];

  /** Directory of the provider plugin, for an inline program on the real engine. @default none */
  plugin?: string;

  /**
   * Whether the program of `workDir` runs inline, in a process of its own: a program of this
   * process may not fail. @default false
   */
  inline?: boolean;
}

const EVERY_FORM: [form: string, options: Pick<Options, "inline">][] = [
  ["in files", {}],
  ["inline", { inline: true }],
];

/** How the program of a project runs. */
export const FORMS = isQuick ? EVERY_FORM.slice(0, 1) : EVERY_FORM;

/** Version of the real engine; undefined where there is none here. */
export const realEngineVersion = engineVersion();

/** Whether there is a real engine here. */
export const realEngineAvailable = realEngineVersion !== undefined;

/** Runs the scenarios on both engines. Every stack that `create` made is closed after its test. */
export function describeOnEngines(
  title: string,
  scenarios: (create: Create, engine: "offline" | "real") => void,
): void {
  describeOnRealEngine(title, (create) => scenarios(create, "real"));
  if (isOffline)
    describe(`${title}, on the offline engine`, () => scenarios(closing("offline"), "offline"));
}

/** Runs scenarios that only the real engine has. */
export function describeOnRealEngine(title: string, scenarios: (create: Create) => void): void {
  describeWithPulumi(title, () => scenarios(closing("real")));
}

/** Scenarios that run the `pulumi` command themselves. */
export function describeWithPulumi(title: string, scenarios: () => void): void {
  const onRealEngine = realEngineAvailable ? describe : describe.skip;
  onRealEngine(`${title}, on the real engine`, scenarios);
}

/**
 * Closes every stack after its test, and searches what it wrote and said for what its program keeps
 * secret.
 */
function closing(engine: "offline" | "real"): Create {
  const create = engine === "real" ? createReal : createInProcess;
  const open: { stack: EngineStack; secrets: string[] }[] = [];
  afterEach(async () => {
    const ended = open.splice(0);
    const told = ended.map(({ stack, secrets }) => ({ text: stack.written(), secrets }));
    await Promise.all(ended.map(({ stack }) => stack.close()));
    for (const { text, secrets } of told) {
      for (const secret of secrets) {
        expect(text).not.toContain(secret);
        expect(text).not.toContain(Buffer.from(secret).toString("base64"));
      }
    }
  });

  return async ({ keepsSecret = [], inline, program, ...options }) => {
    let current = program;
    const run = async () => {
      const outputs = await current?.();
      return pulumi.Resource.isInstance(outputs) ? {} : outputs;
    };

    const stack = inline
      ? await createInline(engine, options)
      : await create({ ...options, program: program && run });

    const secrets = [...keepsSecret, ...Object.values(options.secrets ?? {})];
    open.push({ stack, secrets });
    const change = (next: () => unknown) => {
      current = next;
    };

    return { ...stack, change };
  };
}

function createInProcess(options: Options): Promise<EngineStack> {
  return createOffline(options, ownProviders());
}

/** @param startProvider in place of the SDK's provider process */
export async function createOffline(
  options: Options,
  startProvider: StartProvider = ProviderProcess.start,
): Promise<EngineStack> {
  const stack = await TestStack.createWith(startProvider, options);

  const said: string[] = [];
  const run = async (operation: Operation, options?: Narrowed): Promise<Outcome> => {
    const { result, failed } = await withoutTraces(() => stack[operation](options)).then(
      (result) => ({ result, failed: false }),
      (error: unknown) => {
        if (!(error instanceof StackError)) throw error;
        return { result: error.result, failed: true };
      },
    );

    const outcome = outcomeOf(result, failed);
    said.push(...messagesOf(outcome));
    said.push(JSON.stringify(hidden(stack.recorded)));

    return outcome;
  };

  return {
    preview: (options) => run("preview", options),
    up: (options) => run("up", options),
    refresh: () => run("refresh"),
    destroy: () => run("destroy"),
    state: async () => inOrder(stack.recorded.filter(isDeclared)),
    written: () => said.join("\n"),
    close: () => stack.close(),
  };
}

/** The SDK takes a stack trace of each promise and resource, and jest translates each. */
async function withoutTraces<T>(run: () => Promise<T>): Promise<T> {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  try {
    return await run();
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}

/**
 * The real engine counts what it only reads where an output has changed since; the offline one
 * always.
 */
function outcomeOf(
  { changes, steps, outputs, diagnostics }: StackResult,
  failed: boolean,
): Outcome {
  const { read: _read, ...counted } = changes;
  return { changes: counted, steps: steps.filter(isDeclared), outputs, diagnostics, failed };
}

export async function createReal(options: Options): Promise<EngineStack> {
  const directory = mkdtempSync(path.join(tmpdir(), "real-engine-"));
  mkdirSync(path.join(directory, "work"));
  const home = engineEnvironment(directory);
  const environment = { ...home, ...quickSdk };
  const workspace = {
    secretsProvider: "passphrase",
    envVars: { ...stringsOf(options.env), ...environment },
  };

  const stack = await select(options, path.join(directory, "work"), workspace);
  const clear = Object.entries(options.config ?? {}).map(([key, value]) => [key, { value }]);
  const secret = Object.entries(options.secrets ?? {}).map(([key, value]) => [
    key,
    { value, secret: true },
  ]);

  const said: string[] = [];
  // After an update, the Automation API asks by four commands for what the state's file has.
  stack.outputs = () => outputsOf(stack, recordedIn(directory));
  stack.info = async () => undefined;

  const run = async (operation: Operation, options: Narrowed = {}): Promise<Outcome> => {
    const { target, exclude, replace, ...rest } = options;
    const narrowed = {
      ...rest,
      target: target && [...target],
      exclude: exclude && [...exclude],
      replace: replace && [...replace],
    };

    const outcome = await withoutTraces(() =>
      observed((onEvent) => stack[operation]({ onEvent, ...narrowed })),
    );

    said.push(...messagesOf(outcome));

    return outcome;
  };

  if (clear.length + secret.length > 0)
    await stack.setAllConfig(Object.fromEntries([...clear, ...secret]));

  return {
    preview: (options) => run("preview", options),
    up: (options) => run("up", options),
    refresh: () => run("refresh"),
    destroy: () => run("destroy"),
    state: async () => inOrder(recordedIn<RecordedResource>(directory).filter(isDeclared)),
    written: () => [...said, filesIn(directory)].join("\n"),
    async close() {
      kill(...processesWith("PULUMI_HOME", home.PULUMI_HOME));
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

let command: Promise<PulumiCommand> | undefined;

async function select(
  options: Options,
  workDir: string,
  workspace: LocalWorkspaceOptions,
): Promise<Stack> {
  // Loaded only where there is a real engine: few test files need it.
  const { LocalWorkspace, PulumiCommand } = await import("@pulumi/pulumi/automation/index.js");
  // It asks for its version, once for all stacks of a file.
  command ??= PulumiCommand.get();
  workspace.pulumiCommand = await command;

  if (options.workDir)
    return LocalWorkspace.createOrSelectStack(
      { stackName: "test", workDir: options.workDir },
      workspace,
    );

  const program = async () => (await options.program?.()) as Record<string, unknown>;

  return LocalWorkspace.createOrSelectStack(
    { stackName: "test", projectName: "test", program },
    {
      ...workspace,
      workDir,
      projectSettings: {
        name: "test",
        runtime: "nodejs",
        main: process.cwd(),
        ...(options.plugin && {
          plugins: { providers: [{ name: "domain-monitoring", path: options.plugin }] },
        }),
      },
    },
  );
}

const SECRET = "4dabf18193072939515e22adb298388d";

/** A stack's outputs. Only secrets have to be asked for. */
async function outputsOf(stack: Stack, resources: RecordedResource[]): Promise<OutputMap> {
  const isStack = ({ type }: { type?: string }) => type === "pulumi:pulumi:Stack";
  const given = Object.entries(resources.find(isStack)?.outputs ?? {});
  const isSecret = (value: unknown) => JSON.stringify(value).includes(SECRET);
  if (!given.some(([, value]) => isSecret(value)))
    return Object.fromEntries(given.map(([name, value]) => [name, { value, secret: false }]));

  return stack.workspace.stackOutputs(stack.name);
}

async function observed(
  operation: (on: (event: EngineEvent) => void) => Promise<object>,
): Promise<Outcome> {
  const changes: Record<string, number> = {};
  const steps: Outcome["steps"] = [];
  let stackStep = "";
  const diagnostics: Outcome["diagnostics"] = [];
  let failed = false;
  const observe = (event: EngineEvent) => {
    const step = event.resourcePreEvent?.metadata;
    if (step?.type === "pulumi:pulumi:Stack") stackStep = step.op === "refresh" ? "same" : step.op;
    const done = event.resOutputsEvent?.metadata;
    if (done && isDeclared(done) && !isRepeated(done, steps))
      steps.push({ operation: done.op, urn: done.urn });

    Object.assign(changes, event.summaryEvent?.resourceChanges);
    const message = event.diagnosticEvent;
    // Debug events are the SDK's own: they hold every registered input in clear (see
    // docs/secrets.md), ours are not among them.
    if (message && !message.ephemeral && String(message.severity) !== "debug") {
      diagnostics.push({
        severity: message.severity.replace("#err", ""),
        message: message.message.trimEnd(),
        urn: message.urn || undefined,
      });
    }
  };

  const outputs: Outcome["outputs"] = {};
  try {
    const result = await operation(observe);
    const given = "outputs" in result ? (result.outputs as OutputMap) : {};
    for (const [name, { value, secret }] of Object.entries(given))
      outputs[name] = { value, secret };
  } catch (error) {
    failed = true;
    // A failure before the engine begins, such as of the configuration, is only printed by the
    // command.
    const printed = /^error: (.*)/m.exec(String(error))?.[1];
    if (printed !== undefined && !diagnostics.some(({ severity }) => severity === "error"))
      diagnostics.push({ severity: "error", message: printed });
  }

  return { changes: without(stackStep, changes), steps, outputs, diagnostics, failed };
}

/** A preview reports a component twice: when it is registered, and when its outputs are. */
function isRepeated({ op, urn, new: state }: StepEventMetadata, steps: Outcome["steps"]): boolean {
  // A deletion has no new state: null, despite its type.
  if (!state || state.custom) return false;
  return steps.some((step) => step.operation === op && step.urn === urn);
}

/** The engine's summary counts the stack itself, too. */
function without(step: string, changes: Record<string, number>): Record<string, number> {
  const counted = Object.entries(changes).map(
    ([op, count]) => [op, op === step ? count - 1 : count] as const,
  );

  return Object.fromEntries(counted.filter(([, count]) => count > 0));
}

/** The stack itself and the default provider are the engine's own. */
function isDeclared({ urn }: { urn: string }): boolean {
  return !/pulumi:pulumi:Stack::|pulumi:providers:[\w-]+::default(_\w+)?$/.test(urn);
}

/** A resource as either engine writes it. */
interface RecordedResource extends Omit<StateResource, "flags"> {
  type?: string;
  protect?: boolean;
  external?: boolean;
  delete?: boolean;

  /** The offline engine names this `delete`. */
  pendingDelete?: boolean;
  pendingReplacement?: boolean;
}

function inOrder(resources: readonly RecordedResource[]): StateResource[] {
  return resources
    .map(({ urn, id, parent, dependencies = [], inputs, outputs, ...state }) => {
      const {
        protect,
        external,
        delete: deleted = state.pendingDelete,
        pendingReplacement,
      } = state;
      const flags = Object.entries({ protect, external, deleted, pendingReplacement });

      return {
        urn,
        id: id || undefined,
        parent,
        dependencies: unlessEmpty([...new Set(dependencies)].sort()),
        flags: unlessEmpty(flags.filter(([, holds]) => holds).map(([flag]) => flag)),
        inputs: hidden(inputs),
        outputs: hidden(outputs),
      };
    })
    .sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
}

function unlessEmpty<T>(list: T[]): T[] | undefined {
  return list.length > 0 ? list : undefined;
}

/** Secrets as the offline engine shows them, and without a missing object's absence. */
function hidden(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value ?? {}), (_key, part) =>
    part && typeof part === "object" && SECRET in part ? "[secret]" : part,
  );
}

function stringsOf(env: TestStackOptions["env"]): Record<string, string> {
  return Object.fromEntries(Object.entries(env ?? {}).map(([name, value]) => [name, value ?? ""]));
}
