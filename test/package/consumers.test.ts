/**
 * The packed package in projects outside the repository, all in one directory with the package
 * installed. `npm run release -- cell` covers more module systems and bundles, and
 * `scripts/check-package.mjs` checks that every resolution finds the types.
 */
import { copyFileSync, mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { TSC } from "../../scripts/sources.cjs";
import { run } from "../support/run";
import { isThorough } from "../support/scope";
import { temporaryDirectory } from "../support/temporary";
import { installTarball, root } from "./support/packed";

const sources = path.join(root, "test/package/consumers");
/** A program in TypeScript, and the module that it runs. */
const TYPESCRIPT = ["typescript/index.ts", "../../types/beside-random.ts"];
const OTHERS = ["@pulumi/pulumi", "@pulumi/random", "@types/node", "typescript"];
const directory = temporaryDirectory();

beforeAll(() => installTarball(directory, OTHERS));

/** A new project with files of `consumers/`, each under the name that it has there. */
function project(name: string, type: "commonjs" | "module", ...files: string[]): string {
  const at = path.join(directory, name);
  mkdirSync(at);
  writeFileSync(path.join(at, "package.json"), JSON.stringify({ private: true, type }));
  for (const file of files)
    copyFileSync(path.join(sources, file), path.join(at, path.basename(file)));

  return at;
}

/** The output of a script that this Node runs. An error contains all of it. */
async function node(cwd: string, args: string[]): Promise<string> {
  const { code, stdout, output } = await run(process.execPath, args, { cwd });
  if (code !== 0) throw new Error(`${args.join(" ")}\n${output}`);
  return stdout;
}

it("a project in JavaScript can require and import every entry point, and deploys a channel", async () => {
  const at = project("modules", "commonjs", "javascript/index.mjs");
  expect(JSON.parse(await node(at, ["index.mjs"]))).toEqual({
    domain: "example.com",
    days: 30,
    provider: "function",
    changes: { create: 1 },
    channels: ["Consumer"],
    withoutExports: [],
  });
});

// Before a release: TypeScript 5 takes many times as long. template.json adds only
// skipDefaultLibCheck to Pulumi's template: the compiler's own declarations need no check.
if (isThorough)
  it("`tsc --noEmit` passes with the tsconfig that `pulumi new typescript` writes", async () => {
    const at = project("template", "commonjs", "typescript/template.json", ...TYPESCRIPT);
    const tsc5 = path.join(root, "node_modules/typescript/bin/tsc");
    expect(await node(at, [tsc5, "--noEmit", "--project", "template.json"])).toBe("");
  });

it("a TypeScript project compiles with nodenext, and runs next to a generated SDK", async () => {
  const at = project("nodenext", "module", "typescript/nodenext.json", ...TYPESCRIPT);
  await node(at, [TSC, "--project", "nodenext.json"]);

  expect(JSON.parse(await node(at, ["bin/beside-random.js"]))).toEqual({
    domain: "example.com",
    label: "able-pet",
    status: "ok",
    total: 2,
    secret: false,
  });
});
