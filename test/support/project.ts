/**
 * Pulumi projects made for a test, in a directory outside the repository that finds the
 * repository's packages.
 */
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { transformFileSync } from "@swc/core";
import { temporaryDirectory } from "./temporary";

/**
 * As in a Pulumi.yaml: without the SDK's TypeScript, which takes longer than such a program, and
 * which it does not need.
 */
export const JAVASCRIPT = "{name: nodejs, options: {typescript: false}}";

export class Projects {
  readonly #directory = temporaryDirectory();
  #count = 0;

  constructor() {
    symlinkSync(
      path.join(__dirname, "../../node_modules"),
      path.join(this.#directory, "node_modules"),
    );
  }

  /**
   * Makes a project of a main file and others beside it; returns its directory.
   * @param plugin directory of the provider plugin
   */
  add(main: string, files: Record<string, string>, plugin?: string): string {
    const workDir = path.join(this.#directory, `project-${this.#count++}`);
    mkdirSync(workDir);
    const plugins = plugin
      ? `plugins: {providers: [{name: domain-monitoring, path: ${plugin}}]}\n`
      : "";

    const project = `name: test\nruntime: ${JAVASCRIPT}\nmain: ${main}\n${plugins}`;
    writeFileSync(path.join(workDir, "Pulumi.yaml"), project);
    writeFileSync(path.join(workDir, "package.json"), "{}");
    for (const [name, content] of Object.entries(files))
      writeFileSync(path.join(workDir, name), content);

    return workDir;
  }

  remove(): void {
    rmSync(this.#directory, { recursive: true, force: true });
  }
}

/** A file of a program, without types and as CommonJS. */
export function javaScript(file: string): string {
  const jsc = { parser: { syntax: "typescript" }, target: "es2022" } as const;
  return transformFileSync(file, { jsc, module: { type: "commonjs" } }).code;
}
