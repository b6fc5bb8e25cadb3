/** A command that a test runs: to its end, or until the end of the test, which none outlives. */
import type { ChildProcessWithoutNullStreams, SpawnOptions } from "node:child_process";
import { once } from "node:events";
import { setTimeout } from "node:timers/promises";

/** The output: both streams, and each alone. */
interface Printed {
  output: string;
  stdout: string;
  stderr: string;
}

export interface Finished extends Printed {
  code: number | null;
  signal: NodeJS.Signals | null;
}

export interface Started {
  child: ChildProcessWithoutNullStreams;
  printed: Printed;
  finished: Promise<Finished>;
}

interface RunOptions extends Omit<SpawnOptions, "stdio"> {
  /** Standard input; null leaves it open. @default "" */
  input?: string | null;

  /** A fourth pipe makes a process of the offline engine end with this one. @default three */
  stdio?: "pipe"[];

  /** Gets every text that is printed. */
  onOutput?: (text: string) => void;

  /** When it is killed if it is still running. @default at the end of the test */
  until?: "end of file";
}

const {
  start: startCommand,
}: {
  start: (command: string, args: string[], options?: Omit<RunOptions, "until">) => Started;
} = require("../../scripts/run.cjs");

const inTest = new Set<Started>();
const inFile = new Set<Started>();

// In a test file, and not where a reporter or a script loads this.
afterEach(() => end(inTest));
afterAll(() => end(inFile));

async function end(running: Set<Started>): Promise<void> {
  const ended = [...running].map(({ child }) => {
    // Not `close`: what the command itself has started may keep its streams open.
    const exited = child.exitCode === null && child.signalCode === null && once(child, "exit");
    child.kill("SIGKILL");
    return exited;
  });

  running.clear();
  await Promise.all(ended);
}

/**
 * Starts a command, which is killed at the end of the test unless it has ended. Whatever its
 * environment, it keeps its files where the run does: by that, scripts/test.cjs finds it after
 * Ctrl-C.
 */
export function start(
  command: string,
  args: string[],
  { until, ...options }: RunOptions = {},
): Started {
  const { TMPDIR } = process.env;
  const env = { TMPDIR, ...(options.env ?? process.env) };
  const started = startCommand(command, args, { ...options, env });
  const running = until === undefined ? inTest : inFile;
  running.add(started);
  const forget = () => running.delete(started);
  started.child.once("close", forget).once("error", forget);
  // Whoever waits for it learns of an error all the same.
  started.finished.catch(() => {});

  return started;
}

/** Runs a command to its end, whatever its exit code is. */
export function run(command: string, args: string[], options?: RunOptions): Promise<Finished> {
  return start(command, args, options).finished;
}

/** Waits until this holds, and leaves the processor to what is waited for. */
export async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await setTimeout(10);
}

/** Resolves once the command has printed a text that matches. @throws if it ends before */
export async function hasPrinted(
  { child, printed, finished }: Started,
  text: RegExp,
): Promise<void> {
  const ended = finished.then(() => {
    if (!text.test(printed.output)) throw new Error(`it ended too early:\n${printed.output}`);
  });

  while (!text.test(printed.output)) {
    const waiting = new AbortController();
    const { signal } = waiting;
    const more = [child.stdout, child.stderr].map((stream) =>
      once(stream, "data", { signal }).catch(() => {}),
    );

    await Promise.race([ended, ...more]);
    waiting.abort();
  }
}
