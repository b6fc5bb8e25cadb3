/** Processes of the SDK: started, read line by line, and ended. */
import { type ChildProcess, spawn } from "node:child_process";
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
export class Script {
  /** Resolves with the exit code, or the signal, once the process is gone and its output has been read. */
  readonly ended: Promise<number | string>;
  readonly #child: ChildProcess;

  constructor(options: ScriptOptions) {
    const args = [
      ...(options.nodeArgs ?? []),
      "-r",
      require.resolve("./preload"),
      options.script,
      ...options.args,
    ];
    this.#child = spawn(process.execPath, args, {
      cwd: options.cwd,
      env: options.env,
      stdio: ["ignore", "pipe", "pipe", "pipe"],
    });
    for (const stream of ["stdout", "stderr"] as const) {
      const input = this.#child[stream];
      if (input) createInterface({ input }).on("line", (line) => options.onLine(line, stream));
    }
    const kill = () => this.#child.kill("SIGKILL");
    options.killed.addEventListener("abort", kill);
    if (options.killed.aborted) kill();
    this.ended = new Promise<number | string>((resolve) => {
      this.#child.on("error", (error) => resolve(error.message));
      this.#child.on("close", (code, signal) => resolve(code ?? signal ?? "unknown"));
    }).finally(() => options.killed.removeEventListener("abort", kill));
  }

  /** Stops the process: SIGINT, then SIGKILL after the grace period. */
  async stop(gracePeriodMs = 5000): Promise<void> {
    this.#child.kill("SIGINT");
    const timer = setTimeout(() => this.#child.kill("SIGKILL"), gracePeriodMs);
    await this.ended;
    clearTimeout(timer);
  }
}
