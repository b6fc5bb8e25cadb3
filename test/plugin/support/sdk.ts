/**
 * The plugin's SDK for Node, generated like `pulumi install` does but without fetching packages.
 */
import { execFileSync } from "node:child_process";
import { mkdirSync, renameSync, writeFileSync } from "node:fs";
import path from "node:path";
import { Cli } from "../../support/cli";
import { Projects } from "../../support/project";
import { EXECUTABLE, PLUGIN_DIRECTORY } from "./plugin-process";

/** A project with the plugin installed, and the SDK in its node_modules. */
export class SdkProject {
  readonly #workDir = new Projects().add("index.js", {});
  readonly cli: Cli;

  constructor(environment: NodeJS.ProcessEnv) {
    this.cli = new Cli(this.#workDir, environment);
  }

  async prepare(): Promise<void> {
    const modules = path.join(this.#workDir, "node_modules");
    mkdirSync(modules);
    const sdk = path.join(modules, "pulumi-domain-monitoring-sdk");
    const out = path.join(this.#workDir, "generated");
    await this.run("package", "gen-sdk", EXECUTABLE, "--language", "nodejs", "--out", out);
    renameSync(path.join(out, "nodejs"), sdk);
    const tsc = require.resolve("typescript/bin/tsc");
    execFileSync(process.execPath, [tsc, "--types", "node", "-p", sdk]);

    // The script after an installation does the same: the compiled code looks for its version
    // beside itself.
    renameSync(path.join(sdk, "package.json"), path.join(sdk, "bin/package.json"));
    writeFileSync(path.join(sdk, "package.json"), JSON.stringify({ main: "bin/index.js" }));
    await this.cli.installPlugin(PLUGIN_DIRECTORY);
    await this.run("stack", "init", "test");
  }

  /** Sets the program, in JavaScript. */
  program(code: string): void {
    writeFileSync(path.join(this.#workDir, "index.js"), code);
  }

  /** Runs a command that has to succeed, and returns its output. */
  async run(...args: string[]): Promise<string> {
    const { code, output } = await this.cli.run(...args);
    if (code !== 0) throw new Error(output);
    return output;
  }
}
