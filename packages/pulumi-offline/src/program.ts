/** Runs of the user's program: in a process of the SDK, or in this one. */
import { setTimeout as delay } from "node:timers/promises";
import { RunRequest } from "@pulumi/pulumi/proto/language_pb";
import { disconnect } from "@pulumi/pulumi/runtime";
import { messageOf } from "./diagnostics";
import type { OperationContext } from "./operation";
import { startScript } from "./processes/processes";
import { type Files, ORGANIZATION, PARALLEL, type ToldConfig } from "./project";
import { LanguageServer, type RuntimeState, runtimeState, sdkScript } from "./sdk";

/** Exit code of the SDK's runner for an error that it has already reported. */
const ALREADY_REPORTED = 32;
/** The time that a program has to end after the engine has given up. */
const GRACE_PERIOD_MS = 2000;

/**
 * Runs the program of an operation to its end, and reports its failure.
 *
 * @param address of the monitor
 */
export async function runProgram(
  context: OperationContext,
  told: ToldConfig,
  address: string,
): Promise<boolean> {
  const { source } = context.deployment.project;

  return "program" in source
    ? await runInline(context, told, address, source.program)
    : await runFiles(context, told, address, source);
}

async function runFiles(
  { deployment, diagnostics, env, preview, progress }: OperationContext,
  told: ToldConfig,
  address: string,
  files: Files,
): Promise<boolean> {
  const { project, killed } = deployment;
  const config = Object.entries(told.config).map(([key, value]) => [
    key.replace(":", ":config:"),
    value,
  ]);

  const args = [
    `--monitor=${address}`,
    `--engine=${address}`,
    `--organization=${ORGANIZATION}`,
    `--project=${project.name}`,
    `--stack=${project.stack}`,
    `--root-directory=${files.root}`,
    `--pwd=${project.cwd}`,
    `--parallel=${PARALLEL}`,
    ...(preview ? ["--dry-run"] : []),
    files.entryPoint,
  ];

  const script = startScript({
    script: sdkScript(project.cwd, "run"),
    args,
    nodeArgs: files.nodeArgs,
    cwd: files.root,
    env: {
      ...env,
      PULUMI_CONFIG: JSON.stringify(Object.fromEntries(config)),
      PULUMI_CONFIG_SECRET_KEYS: JSON.stringify(told.secretKeys),
      ...(files.typescript ? { PULUMI_NODEJS_TYPESCRIPT: "true" } : {}),
      ...(files.tsconfig ? { PULUMI_NODEJS_TSCONFIG_PATH: files.tsconfig } : {}),
    },
    onLine: (line) => diagnostics.add("info", line),
    killed,
  });

  void progress.over
    .then(() => delay(GRACE_PERIOD_MS, undefined, { ref: false }))
    .then(() => script.stop());

  const code = await script.ended;
  if (code === 0) return true;

  const message = `an unhandled error occurred: Program exited with non-zero exit code: ${code}`;

  if (code === ALREADY_REPORTED || progress.failed) progress.markFailed();
  else progress.fail(message);

  return false;
}

/**
 * Runs a program in this process, as the Automation API does: the SDK keeps its state apart from
 * other runs.
 */
async function runInline(
  context: OperationContext,
  told: ToldConfig,
  address: string,
  program: () => unknown,
): Promise<boolean> {
  const { deployment, progress } = context;
  const restoreEnvironment = setEnvironment(deployment.options.env ?? {});
  const before = listeners();
  const run = new InlineRun(program, progress);
  try {
    const ended = run.start(runRequest(context, told, address));
    const added = listeners().filter((listener) => !before.includes(listener));
    const error = await Promise.race([
      ended,
      Promise.all([run.begun, progress.over]).then(() => undefined),
    ]);

    if (error !== undefined) progress.fail(messageOf(error));
    if (!progress.failed) return true;

    // A run that was abandoned does not take its handlers off.
    for (const listener of added) for (const event of EVENTS) process.off(event, listener);

    return false;
  } finally {
    if (run.state) disconnectFrom(run.state);
    restoreEnvironment();
  }
}

function runRequest(
  { at, preview }: OperationContext,
  { config, secretKeys }: ToldConfig,
  address: string,
): RunRequest {
  const request = new RunRequest()
    .setProject(at.project)
    .setStack(at.stack)
    .setOrganization(ORGANIZATION)
    .setMonitorAddress(address)
    .setArgsList([address])
    .setDryrun(preview)
    .setParallel(PARALLEL)
    .setConfigsecretkeysList(secretKeys);

  for (const [key, value] of Object.entries(config)) request.getConfigMap().set(key, value);

  return request;
}

/** One run of a program in this process. */
class InlineRun {
  /** State of the SDK, once the program runs. */
  state: RuntimeState | undefined;

  /** If it were abandoned earlier, the SDK's first calls would be unhandled rejections. */
  readonly begun: Promise<void>;
  #begin = () => {};

  constructor(
    private readonly program: () => unknown,
    private readonly progress: OperationContext["progress"],
  ) {
    this.begun = new Promise((resolve) => {
      this.#begin = resolve;
    });
  }

  /** Resolves with the program's error, if it has one. */
  start(request: RunRequest): Promise<unknown> {
    return new Promise((resolve) => {
      const server = new LanguageServer(() => this.#runProgram(resolve));
      void server.run({ request }, (error) => resolve(error ?? undefined));
    });
  }

  async #runProgram(fail: (error: unknown) => void): Promise<unknown> {
    this.state = runtimeState();
    this.#begin();
    try {
      return this.progress.isOver ? await new Promise(() => {}) : await this.program();
    } catch (error) {
      // The SDK would turn this into unhandled rejections, which end a test in Jest. What the
      // program has constructed until here is still registered, as it would be.
      await disconnect();
      fail(error ?? `unknown error ${error}`);

      return await new Promise(() => {});
    }
  }
}

/**
 * Closes the connections that the SDK leaves open when a program runs in this process, and with
 * them lets go of all that they hold. A call that an abandoned program still makes would be a
 * rejection that ends this process, so it leads nowhere.
 */
function disconnectFrom({ settings }: RuntimeState): void {
  const { monitor, engine } = settings;

  Object.assign(settings, { monitor: SILENT_MONITOR, engine: SILENT_ENGINE });
  monitor?.close();
  engine?.close();
  // The SDK may be about to call them.
  if (monitor) Object.setPrototypeOf(monitor, SILENT_MONITOR);
  if (engine) Object.setPrototypeOf(engine, SILENT_ENGINE);
}

/** A connection whose calls are never answered. */
const SILENT_MONITOR = new Proxy({}, { get: () => () => {} });

/**
 * A connection that answers every call: the SDK sends no message of any program before the previous
 * one was answered.
 */
const SILENT_ENGINE = new Proxy({}, { get: () => (_: unknown, done: () => void) => done() });

const EVENTS = ["uncaughtException", "unhandledRejection"] as const;

type Listener = (...args: unknown[]) => void;

function listeners(): Listener[] {
  return EVENTS.flatMap((event) => process.listeners(event as "exit") as Listener[]);
}

/** Sets variables in this process's environment; returns what puts the old ones back. */
function setEnvironment(variables: NodeJS.ProcessEnv): () => void {
  const set = (key: string, value: string | undefined) => {
    if (value === undefined) delete process.env[key];
    else process.env[key] = value;
  };

  const before = Object.keys(variables).map((key) => [key, process.env[key]] as const);

  for (const [key, value] of Object.entries(variables)) set(key, value);

  return () => {
    for (const [key, value] of before) set(key, value);
  };
}
