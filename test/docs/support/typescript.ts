/**
 * The TypeScript blocks of the documentation as projects. They are compiled together, each in its
 * own directory.
 */
import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { JAVASCRIPT, type Projects } from "../../support/project";
import { type Block, blocksIn } from "./markdown";

/** How a block is tested beyond compiling it. */
export type Kind = "program" | "script" | "test" | "compiled only";

/** A compiled block. */
export interface CompiledBlock extends Block {
  kind: Kind;

  /** Directory of its `Pulumi.yaml` and `index.js`, or of the `index.mjs` of a script. */
  directory: string;
}

/**
 * Compiles every block.
 * @throws an error with the compiler's messages, each with its place in the Markdown
 */
export function compileBlocks(projects: Projects): CompiledBlock[] {
  const blocks = blocksIn("ts");
  const sources = projects.add("index.js", {});
  blocks.forEach((block, index) => {
    const directory = path.join(sources, `block-${index}`);
    mkdirSync(directory);
    writeFileSync(
      path.join(directory, kindOf(block) === "script" ? "index.mts" : "index.ts"),
      block.code,
    );
  });

  const built = path.join(sources, "built");
  const compilerOptions = {
    target: "ES2022",
    lib: ["ES2023", "ESNext.Disposable"],
    module: "node16",
    moduleResolution: "node16",
    types: ["node"],
    strict: true,
    // test/package/consumers.test.ts checks the declarations themselves.
    skipLibCheck: true,
    rootDir: ".",
    outDir: "built",
  };

  writeFileSync(
    path.join(sources, "tsconfig.json"),
    JSON.stringify({ compilerOptions, include: ["block-*/index.*"] }),
  );

  const compiler = spawnSync(
    process.execPath,
    [require.resolve("typescript/bin/tsc"), "-p", sources],
    { cwd: sources, encoding: "utf8" },
  );

  const place = (_all: string, index: string) => blocks[Number(index)]?.place ?? "";
  if (compiler.status !== 0) {
    throw new Error(compiler.stdout.replace(/block-(\d+)\/index\.m?ts/g, place) || compiler.stderr);
  }

  return blocks.map((block, index) => {
    const directory = path.join(built, `block-${index}`);
    writeFileSync(
      path.join(directory, "Pulumi.yaml"),
      `name: test\nruntime: ${JAVASCRIPT}\nmain: index.js\n`,
    );

    writeFileSync(
      path.join(directory, "package.json"),
      JSON.stringify({ name: "pack", version: "0.0.0" }),
    );

    return { ...block, directory, kind: kindOf(block) };
  });
}

/** The code of the block alone decides how it runs. */
function kindOf({ file, code }: Block): Kind {
  if (code.includes('from "node:test"')) return "test";
  // The engine reads a program's exports. Without Pulumi, nobody would read them.
  if (code.includes('from "pulumi-domain-monitoring/client"') && !/^export /m.test(code))
    return "script";

  // The examples' programs are deployed from their own directories. The blocks in their READMEs
  // refer to other stacks.
  return file.startsWith("examples/") ? "compiled only" : "program";
}
