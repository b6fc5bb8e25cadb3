/** The project under test: an inline program, or one in files with a `Pulumi.yaml`. */
import { existsSync, readFileSync, statSync } from "node:fs";
import { basename, dirname, extname, join, resolve } from "node:path";
import type { ConfigFiles } from "./config";
import { parseYaml } from "./sdk";
import { isObject } from "./state/values";
import type { TestStackOptions } from "./types";

/** The program under test: a function in this process, or a directory with a `Pulumi.yaml`. */
export interface Project {
  name: string;
  stack: string;

  /** Working directory of the provider process, and of the program unless it is inline. */
  cwd: string;
  source: { program: NonNullable<TestStackOptions["program"]> } | Files;
  config: ConfigFiles;
}

/** The configuration as a program receives it. */
export interface ToldConfig {
  /** Stack configuration by full key, in clear, and which keys are secret. */
  config: Record<string, string>;
  secretKeys: string[];
}

/** The organization of every stack, as with the file backend. */
export const ORGANIZATION = "organization";
/** The number of operations side by side that a program is told. */
export const PARALLEL = 16;

/** A program in files. */
export interface Files {
  root: string;
  entryPoint: string;
  typescript: boolean;
  tsconfig: string | undefined;
  nodeArgs: string[];
}

/** Finds out what to run, and where. */
export function openProject(options: TestStackOptions): Project {
  const { program, workDir, stack = "test" } = options;
  if ((program === undefined) === (workDir === undefined)) {
    throw new Error("TestStack.create takes either a program or a workDir");
  }

  if (workDir === undefined) {
    const source = { program: program as NonNullable<typeof program> };

    return {
      name: options.project ?? "test",
      stack,
      cwd: process.cwd(),
      source,
      config: { declared: {}, stackFile: undefined },
    };
  }

  const root = resolve(workDir);
  const { path, file } = readProjectFile(root);
  const { name = "nodejs", options: how = {} }: Runtime = isObject(file.runtime)
    ? file.runtime
    : { name: file.runtime };

  if (name !== "nodejs")
    throw new Error(`the offline engine does not support the runtime "${name}" of ${root}`);

  const project = options.project ?? file.name ?? "test";
  const { cwd, entryPoint } = findEntryPoint(root, file.main);
  const source: Files = {
    root,
    entryPoint,
    typescript: how.typescript ?? true,
    tsconfig: how.tsconfig,
    nodeArgs: how.nodeargs?.split(/\s+/).filter(Boolean) ?? [],
  };

  // An earlier form of the project file names the directory of the stacks' files in place of the
  // section.
  const { config: section = {}, stackConfigDir = typeof section === "string" ? section : "" } =
    file;

  const stackFile = join(root, stackConfigDir, `Pulumi.${stack}${extname(path)}`);
  const declared = isObject(section) ? section : {};

  return {
    name: project,
    stack,
    cwd,
    source,
    config: { declared, stackFile },
  };
}

/** The parts of a project file that this engine reads. */
interface ProjectFile {
  name?: string;
  runtime?: string | Runtime;
  main?: string;
  config?: Record<string, unknown> | string | null;
  stackConfigDir?: string;
}

interface Runtime {
  name?: string;
  options?: { typescript?: boolean; tsconfig?: string; nodeargs?: string };
}

function readProjectFile(root: string): { path: string; file: ProjectFile } {
  const names = ["Pulumi.yaml", "Pulumi.yml", "Pulumi.json"];
  const path = names.map((name) => join(root, name)).find((candidate) => existsSync(candidate));
  if (path === undefined) throw new Error(`there is no Pulumi.yaml in ${root}`);

  const content = parseYaml(readFileSync(path, "utf8"));
  if (!isObject(content)) throw new Error(`${path} does not hold a project`);

  return { path, file: content };
}

/** `main` may be a file, whose directory then is the working directory, or a directory. */
function findEntryPoint(
  root: string,
  main: string | undefined,
): { cwd: string; entryPoint: string } {
  if (!main) return { cwd: root, entryPoint: "." };

  const path = resolve(root, main);
  if (!existsSync(path))
    throw new Error(`project 'main' could not be read: ${path} does not exist`);

  if (statSync(path).isDirectory()) return { cwd: path, entryPoint: "." };

  return { cwd: dirname(path), entryPoint: basename(path) };
}
