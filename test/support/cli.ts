/**
 * The `pulumi` command on a project of its own, with everything that it keeps in a temporary
 * directory.
 */
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { kill, processesWith } from "../../scripts/processes.cjs";
import { engineEnvironment, recordedIn } from "../../scripts/real-engine.cjs";
import { filesIn } from "./files";
import { Projects } from "./project";
import { quickSdk } from "./quick-sdk";
import { type Finished, type Started, start } from "./run";

const { version }: { version: string } = require("../../package.json");

/** Options of a command that changes a stack: without a preview and without questions. */
export const AT_ONCE = ["--yes", "--skip-preview"];

const closing: (() => void)[] = [];

afterAll(() => {
  for (const close of closing) close();
});

/** It is closed at the end of the test file. */
export class Cli {
  readonly #directory = mkdtempSync(path.join(tmpdir(), "pulumi-cli-"));

  /** Of the commands. */
  readonly environment: NodeJS.ProcessEnv;

  constructor(
    private readonly workDir: string,
    environment: NodeJS.ProcessEnv,
  ) {
    this.environment = {
      ...process.env,
      ...quickSdk,
      ...environment,
      ...engineEnvironment(this.#directory),
    };

    closing.push(() => this.#close());
  }

  /** A stack whose program is this code, not deployed yet. @param plugin directory of the plugin */
  static async open(
    program: string,
    environment: NodeJS.ProcessEnv,
    plugin?: string,
  ): Promise<Cli> {
    const workDir = new Projects().add("index.js", { "index.js": program }, plugin);
    const cli = new Cli(workDir, environment);
    await cli.run("stack", "init", "test");
    return cli;
  }

  /** Sets a variable for the commands that follow. */
  set(name: string, value: string): void {
    this.environment[name] = value;
  }

  /** Runs a command to its end. */
  async run(...args: string[]): Promise<Finished> {
    return this.start(...args).finished;
  }

  /** Changes the stack without a preview and without questions. */
  change(command: "up" | "refresh" | "destroy", ...options: string[]): Promise<Finished> {
    return this.run(command, ...AT_ONCE, ...options);
  }

  /** Starts a command; several can run at once. */
  start(...args: string[]): Pick<Started, "child" | "finished"> {
    const { child, printed } = start("pulumi", args, { cwd: this.workDir, env: this.environment });
    // Not `close`: after the command has been killed, its own children keep the streams open.
    const finished = once(child, "exit").then(([code, signal]) => ({ code, signal, ...printed }));
    return { child, finished };
  }

  /** Installs the provider plugin from a directory or a tarball. */
  installPlugin(from: string): Promise<Finished> {
    const plugin = ["resource", "domain-monitoring", version, "--file", from];
    return this.run("plugin", "install", ...plugin);
  }

  /** The resources in the state, as its file has them. */
  resources<Resource>(): Resource[] {
    return recordedIn(this.#directory);
  }

  /** Processes that this command has started, directly or not (Linux only). */
  processes(): number[] {
    return processesWith("PULUMI_HOME", this.environment.PULUMI_HOME);
  }

  /** All files that the commands wrote, as they lie there: state, backups, history, logs. */
  written(): string {
    return filesIn(this.#directory);
  }

  /** Ends everything and removes what it kept. */
  #close(): void {
    kill(...this.processes());
    rmSync(this.#directory, { recursive: true, force: true });
  }
}
