/** Processes of the SDK: started, read line by line, and ended. */
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";

/** A script of the SDK and its environment. */
export interface ScriptOptions {
  script: string;
  args: string[];
  nodeArgs?: string[];
  cwd: string;
  env: NodeJS.ProcessEnv;

  /** Ends the process at once. */
  killed: AbortSignal;
  onLine(line: string, stream: "stdout" | "stderr"): void;
}

/** A running script of the SDK. */
export interface Script {
  /**
   * Resolves with the exit code, the signal or an error once the process is gone and its output has
   * been read.
   */
  ended: Promise<number | string>;

  /** Stops the process: SIGINT, then SIGKILL after the grace period. */
  stop(): Promise<void>;
}

const GRACE_PERIOD_MS = 5000;

/** Starts a script, which ends with this process at the latest. */
export function startScript({ killed, onLine, nodeArgs = [], ...options }: ScriptOptions): Script {
  const loaded = [require.resolve("./with-parent"), require.resolve("./preload")];
  const preloads = loaded.flatMap((file) => ["-r", file]);
  const args = [...nodeArgs, ...preloads, options.script, ...options.args];
  const child = spawn(process.execPath, args, {
    cwd: options.cwd,
    env: options.env,
    stdio: ["ignore", "pipe", "pipe", "pipe"],
    signal: killed,
    killSignal: "SIGKILL",
  });

  for (const stream of ["stdout", "stderr"] as const) {
    const input = child[stream];
    if (input) createInterface({ input }).on("line", (line) => onLine(line, stream));
  }

  const ended = new Promise<number | string>((resolve) => {
    let failure: string | undefined;
    child.on("error", ({ message }) => {
      failure = message;
    });

    child.on("close", (code, signal) => resolve(failure ?? code ?? signal ?? "unknown"));
  });

  return {
    ended,
    async stop() {
      child.kill("SIGINT");
      const timer = setTimeout(() => child.kill("SIGKILL"), GRACE_PERIOD_MS);
      await ended;
      clearTimeout(timer);
    },
  };
}
