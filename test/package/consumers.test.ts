/**
 * Projects that use the packed package, outside the repository: CommonJS, ES modules, TypeScript in the settings that
 * people have, and bundles. `npm run matrix` is the broad version, with package managers and a registry.
 */
import { type ExecFileException, execFile } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { type Emulator, startEmulator, TestStack } from "../../src/testing";
import { JAVASCRIPT } from "../support/project";
import { installTarball } from "./support/packed";

const sources = path.join(__dirname, "consumers");
const typescript = require.resolve("typescript/bin/tsc");
const esbuild = require.resolve("esbuild-wasm/bin/esbuild");

/** What every consumer prints: something from each entry point. */
const EXPECTED = {
  domain: "example.com",
  days: 30,
  policy: "domain-monitoring-forbidden-channel-types",
  provider: "function",
  changes: { create: 1 },
};

let directory: string;

beforeAll(() => {
  directory = realpathSync(mkdtempSync(path.join(tmpdir(), "consumers-")));
  installTarball(directory, ["@pulumi/pulumi", "@pulumi/policy", "@types/node", "typescript"]);
});
afterAll(() => {
  rmSync(directory, { recursive: true, force: true });
});

/** A project of files that are copied from `consumers/`, by the name that each has there. */
function project(name: string, type: "commonjs" | "module", ...files: string[]): string {
  const at = path.join(directory, name);
  mkdirSync(at);
  writeFileSync(path.join(at, "package.json"), JSON.stringify({ private: true, type }));
  for (const file of files) copyFileSync(path.join(sources, file), path.join(at, path.basename(file)));
  return at;
}

/** Runs a script with this Node to its end. @returns what it printed; an error has all that it said */
function node(cwd: string, args: string[], env: NodeJS.ProcessEnv = {}): Promise<string> {
  return new Promise((resolve, reject) => {
    const finished = (error: ExecFileException | null, stdout: string, stderr: string) =>
      error ? reject(new Error(`${args.join(" ")}\n${stdout}${stderr}`)) : resolve(stdout);
    execFile(process.execPath, args, { cwd, env: { ...process.env, ...env } }, finished);
  });
}

describe("a JavaScript project", () => {
  it.each(["index.cjs", "index.mjs"])("runs with every entry point: %s", async (file) => {
    const at = project(file, "commonjs", `javascript/${file}`);
    expect(JSON.parse(await node(at, [file]))).toEqual(EXPECTED);
  });
});

describe("a TypeScript project", () => {
  const COMMON = { target: "ES2022", strict: true, exactOptionalPropertyTypes: true, outDir: "bin" };

  it.each([
    ["nodenext, an ES module", "module", { module: "nodenext", moduleResolution: "nodenext" }],
    ["node16, CommonJS", "commonjs", { module: "node16", moduleResolution: "node16" }],
    // As `pulumi new typescript` writes it: this resolution knows no exports and looks into typesVersions.
    ["commonjs, as in Pulumi's template", "commonjs", { module: "commonjs", moduleResolution: "node" }],
    ["bundler resolution", "module", { module: "preserve", moduleResolution: "bundler" }],
  ] as const)("compiles and runs: %s", async (name, type, options) => {
    const at = project(name.replace(/\W+/g, "-"), type, "typescript/index.ts");
    const compilerOptions = { ...COMMON, ...options, skipLibCheck: true, types: ["node"] };
    writeFileSync(path.join(at, "tsconfig.json"), JSON.stringify({ compilerOptions, files: ["index.ts"] }));
    await node(at, [typescript]);
    expect(JSON.parse(await node(at, ["bin/index.js"]))).toEqual(EXPECTED);
  });
});

describe("a bundle", () => {
  let service: Emulator;

  beforeEach(async () => {
    service = await startEmulator();
  });
  afterEach(async () => {
    await service.close();
  });

  function bundle(at: string, file: string, ...options: string[]): Promise<string> {
    return node(at, [esbuild, file, "--bundle", "--platform=node", "--log-level=error", ...options]);
  }

  it("of the client runs where nothing is installed", async () => {
    const at = project("bundled-client", "commonjs", "esbuild/client.mjs");
    const empty = mkdtempSync(path.join(tmpdir(), "bundle-"));
    try {
      const outfile = path.join(empty, "client.mjs");
      const banner =
        "--banner:js=import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);";
      await bundle(at, "client.mjs", "--format=esm", banner, `--outfile=${outfile}`);
      const env = { SERVICE_URL: service.url, SERVICE_TOKEN: service.token };
      expect(await node(empty, [outfile], env)).toBe("example.com");
    } finally {
      rmSync(empty, { recursive: true, force: true });
    }
  });

  it("of a program deploys, with the SDK outside it and the package installed beside it", async () => {
    const at = project("bundled-program", "commonjs", "esbuild/program.mjs");
    await bundle(at, "program.mjs", "--format=cjs", "--external:@pulumi/pulumi", "--outfile=bundle.js");
    writeFileSync(path.join(at, "Pulumi.yaml"), `name: bundled\nruntime: ${JAVASCRIPT}\nmain: bundle.js\n`);
    await using stack = await TestStack.create({
      workDir: at,
      config: { "domain-monitoring:baseUrl": service.url },
      secrets: { "domain-monitoring:apiToken": service.token },
    });
    expect((await stack.up()).changes).toEqual({ create: 1 });
    expect(service.channels()).toMatchObject([{ label: "Bundled" }]);
  });
});
