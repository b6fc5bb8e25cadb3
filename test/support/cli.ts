/** The `pulumi` command on a project of its own, with everything that it keeps in a temporary directory. */
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { engineEnvironment } from "../../scripts/real-engine.cjs";
import { type Finished, type Started, start } from "./run";

export class Cli {
  readonly #directory = mkdtempSync(path.join(tmpdir(), "pulumi-cli-"));
  readonly #environment: NodeJS.ProcessEnv;

  constructor(
    private readonly workDir: string,
    environment: NodeJS.ProcessEnv,
  ) {
    this.#environment = { ...process.env, ...environment, ...engineEnvironment(this.#directory) };
  }

  /** Sets a variable for the commands that follow. */
  set(name: string, value: string): void {
    this.#environment[name] = value;
  }

  /** Runs a command to its end. */
  async run(...args: string[]): Promise<Finished> {
    return this.start(...args).finished;
  }

  /** Starts a command; several can run at once. */
  start(...args: string[]): Pick<Started, "child" | "finished"> {
    const { child, printed } = start("pulumi", args, { cwd: this.workDir, env: this.#environment });
    // Not `close`: after the command has been killed, its own children keep the streams open.
    const finished = once(child, "exit").then(([code, signal]) => ({ code, signal, ...printed }));
    return { child, finished };
  }

  /** Processes that this command has started, directly or not, by what their command line holds (Linux only). */
  processes(commandLine: string): number[] {
    const home = `PULUMI_HOME=${this.#environment.PULUMI_HOME}`;
    return readdirSync("/proc")
      .filter((name) => /^\d+$/.test(name))
      .filter((pid) => read(`/proc/${pid}/environ`).split("\0").includes(home))
      .filter((pid) => read(`/proc/${pid}/cmdline`).includes(commandLine))
      .map(Number);
  }

  /** What the commands wrote, as it lies there: state, backups, history, logs. */
  written(): string {
    return readdirSync(this.#directory, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => read(path.join(entry.parentPath, entry.name)))
      .join("\n");
  }

  /** Ends everything and removes what it kept. */
  close(): void {
    for (const pid of this.processes("")) kill(pid);
    rmSync(this.#directory, { recursive: true, force: true });
  }
}

/** Kills a process that may have ended already. */
export function kill(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // Gone.
  }
}

function read(file: string): string {
  try {
    return readFileSync(file, "latin1");
  } catch {
    return "";
  }
}
