/**
 * The TypeScript blocks of the documentation as projects, and programs with mistakes. They are
 * compiled together, each in its own directory.
 */
import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { TSC } from "../../../scripts/sources.cjs";
import type { Projects } from "../../support/project";
import { type Block, blocksIn } from "./markdown";

/** How a block is tested beyond compiling it. */
export type Kind = "program" | "script" | "test" | "compiled only";

/** A compiled block. */
export interface CompiledBlock extends Block {
  kind: Kind;

  /** Directory of its `index.js`, or of the `index.mjs` of a script. */
  directory: string;
}

/**
 * Compiles every block, and these programs.
 * @returns the blocks, and the compiler's messages about each program
 * @throws an error with the compiler's messages about blocks, each with its place in the Markdown
 */
export function compileBlocks(
  projects: Projects,
  programs: string[],
): { blocks: CompiledBlock[]; told: string[][] } {
  const blocks = blocksIn("ts");
  const sources = projects.add("index.js", {});
  const write = (directory: string, file: string, code: string) => {
    mkdirSync(path.join(sources, directory));
    writeFileSync(path.join(sources, directory, file), code);
  };

  for (const [index, block] of blocks.entries())
    write(`block-${index}`, kindOf(block) === "script" ? "index.mts" : "index.ts", block.code);
  for (const [index, code] of programs.entries()) write(`program-${index}`, "index.ts", code);

  const compilerOptions = {
    target: "ES2022",
    lib: ["ES2023", "ESNext.Disposable"],
    module: "node16",
    types: ["node"],
    strict: true,
    // test/package/consumers.test.ts checks the declarations themselves.
    skipLibCheck: true,
    outDir: "built",
  };

  writeFileSync(
    path.join(sources, "tsconfig.json"),
    JSON.stringify({ compilerOptions, include: ["*/index.*"] }),
  );

  const { stdout } = spawnSync(process.execPath, [TSC, "-p", sources], {
    cwd: sources,
    encoding: "utf8",
  });
  const messages = stdout.split(/^(?=\S)/m);
  const told = programs.map((_code, index) =>
    messages.filter((one) => one.startsWith(`program-${index}/`)),
  );

  const place = (_all: string, index: string) => blocks[Number(index)]?.place ?? "";
  const others = messages.filter((one) => !one.startsWith("program-")).join("");
  if (others !== "") throw new Error(others.replace(/block-(\d+)\/index\.m?ts/g, place));

  const compiled = blocks.map((block, index) => ({
    ...block,
    directory: path.join(sources, "built", `block-${index}`),
    kind: kindOf(block),
  }));

  return { blocks: compiled, told };
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
