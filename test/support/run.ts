/** A command that a test runs: to its end, or until the test's end, which nothing outlives. */
import type { ChildProcess, SpawnOptions } from "node:child_process";

/** What has been printed: both streams, and each alone. */
interface Printed {
  output: string;
  stdout: string;
  stderr: string;
}

interface Finished extends Printed {
  code: number | null;
  signal: NodeJS.Signals | null;
}

interface Started {
  child: ChildProcess;
  printed: Printed;
  finished: Promise<Finished>;
}

interface RunOptions extends Omit<SpawnOptions, "signal" | "stdio"> {
  /** Standard input. @default "" */
  input?: string;
  /** Gets every text that is printed. */
  onOutput?: (text: string) => void;
}

const {
  start: startCommand,
}: {
  start: (command: string, args: string[], options?: RunOptions) => Started;
} = require("../../scripts/run.cjs");

const running = new Set<ChildProcess>();

// In a test file, and not where a reporter or a script loads this.
afterEach(() => {
  for (const child of running) child.kill("SIGKILL");
  running.clear();
});

/** Starts a command, which is killed at the end of the test unless it has ended. */
function start(command: string, args: string[], options?: RunOptions): Started {
  const started = startCommand(command, args, options);
  running.add(started.child);
  started.child.once("close", () => running.delete(started.child));
  return started;
}

/** Runs a command to its end, whatever its exit code is. */
export function run(command: string, args: string[], options?: RunOptions): Promise<Finished> {
  return start(command, args, options).finished;
}
