/**
 * The TypeScript blocks of the documentation as projects: compiled all at once, each in a directory
 * of its own.
 */
import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { JAVASCRIPT, type Projects } from "../../support/project";
import { type Block, blocksIn } from "./markdown";

/** What is done with a block beyond compiling it. */
export type Kind = "program" | "script" | "test" | "policy pack" | "compiled only";

/** A block that has been compiled. */
export interface CompiledBlock extends Block {
  kind: Kind;

  /** Where its `Pulumi.yaml` and `index.js` are; of a script, `index.mjs`. */
  directory: string;
}

/**
 * Compiles every block. @throws an error with the compiler's messages, each with the place in the
 * Markdown
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
    // Declarations of @pulumi/policy 1.21.0 do not compile.
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
    {
      cwd: sources,
      encoding: "utf8",
    },
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

    return {
      ...block,
      directory,
      kind: kindOf(block),
    };
  });
}

/** By what the block itself says: nothing else decides how it is run. */
function kindOf({ file, code }: Block): Kind {
  if (code.includes('from "node:test"')) return "test";
  if (code.includes("new PolicyPack(")) return "policy pack";
  // An export is what the engine takes from a program; without Pulumi there is nobody to take it.
  if (code.includes('from "pulumi-domain-monitoring/client"') && !/^export /m.test(code))
    return "script";

  // Examples' programs are deployed from their own directories; what their READMEs show reaches
  // into other stacks.
  return file.startsWith("examples/") ? "compiled only" : "program";
}
