/**
 * The packed package in TypeScript projects with more settings than in test/package, and in bundles. `npm run release -- matrix` is
 * the broad version, with package managers and a registry.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { type Emulator, startEmulator, TestStack } from "../../src/testing";
import { BESIDE_RANDOM, type Compiler, Consumers, EXPECTED, node } from "../package/support/consumers";
import { JAVASCRIPT } from "../support/project";

const esbuild = require.resolve("esbuild-wasm/bin/esbuild");

let consumers: Consumers;

beforeAll(() => {
  consumers = new Consumers();
});
afterAll(() => {
  consumers.remove();
});

const compilers: Compiler[] = [
  ["nodenext, ES modules", "module", { module: "nodenext", moduleResolution: "nodenext" }],
  ["node16, CommonJS", "commonjs", { module: "node16", moduleResolution: "node16" }],
  // As `pulumi new typescript` writes it: this resolution knows no exports and looks into typesVersions.
  ["commonjs, as in Pulumi's template", "commonjs", { module: "commonjs", moduleResolution: "node" }],
  ["bundler resolution", "module", { module: "preserve", moduleResolution: "bundler" }],
];

it.each(compilers)(
  "a TypeScript project compiles and runs, also beside a generated SDK: %s",
  async (...compiler) => {
    const at = await consumers.compile(compiler);
    const printed = await Promise.all(["index", "beside-random"].map((name) => node(at, [`bin/${name}.js`])));
    expect(printed.map((text) => JSON.parse(text))).toEqual([EXPECTED, BESIDE_RANDOM]);
  },
);

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
    const at = consumers.project("bundled-client", "commonjs", "esbuild/client.mjs");
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
    const at = consumers.project("bundled-program", "commonjs", "esbuild/program.mjs");
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
