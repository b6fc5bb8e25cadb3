/** Projects that use the packed package, outside the repository, in one directory that has it installed. */
import { copyFileSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { run } from "../../support/run";
import { installTarball, root } from "./packed";

const sources = path.join(root, "test/package/consumers");
const besideRandom = "../../types/beside-random.ts";
const typescript = require.resolve("../../../node_modules/typescript/bin/tsc");

/** What every consumer prints: something from each entry point. */
export const EXPECTED = {
  domain: "example.com",
  days: 30,
  policy: "domain-monitoring-forbidden-channel-types-webhook",
  provider: "function",
  changes: { create: 1 },
};

/** What the program beside a generated SDK prints. */
export const BESIDE_RANDOM = {
  domain: "example.com",
  label: "able-pet",
  status: "ok",
  total: 2,
  secret: false,
};

/** Module systems and resolutions that people have, with the type of their package.json. */
export type Compiler = [name: string, type: "commonjs" | "module", options: Record<string, string>];

export class Consumers {
  readonly #directory = realpathSync(mkdtempSync(path.join(tmpdir(), "consumers-")));

  constructor() {
    const others = ["@pulumi/pulumi", "@pulumi/policy", "@pulumi/random", "@types/node", "typescript"];
    installTarball(this.#directory, others);
  }

  /** A project of files that are copied from `consumers/`, by the name that each has there. */
  project(name: string, type: "commonjs" | "module", ...files: string[]): string {
    const at = path.join(this.#directory, name);
    mkdirSync(at);
    writeFileSync(path.join(at, "package.json"), JSON.stringify({ private: true, type }));
    for (const file of files) copyFileSync(path.join(sources, file), path.join(at, path.basename(file)));
    return at;
  }

  /** Compiles a TypeScript project of two programs with these settings. @returns its directory, where they are in `bin` */
  async compile([name, type, options]: Compiler): Promise<string> {
    const at = this.project(name.replace(/\W+/g, "-"), type, "typescript/index.ts", besideRandom);
    const compilerOptions = {
      target: "ES2022",
      strict: true,
      exactOptionalPropertyTypes: true,
      outDir: "bin",
      ...options,
      skipLibCheck: true,
      types: ["node"],
    };
    const files = ["index.ts", "beside-random.ts"];
    writeFileSync(path.join(at, "tsconfig.json"), JSON.stringify({ compilerOptions, files }));
    await node(at, [typescript]);
    return at;
  }

  remove(): void {
    rmSync(this.#directory, { recursive: true, force: true });
  }
}

/** Runs a script with this Node to its end. @returns what it printed; an error has all that it said */
export async function node(cwd: string, args: string[], env: NodeJS.ProcessEnv = {}): Promise<string> {
  const { code, stdout, output } = await run(process.execPath, args, {
    cwd,
    env: { ...process.env, ...env },
  });
  if (code !== 0) throw new Error(`${args.join(" ")}\n${output}`);
  return stdout;
}
