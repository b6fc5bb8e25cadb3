import { existsSync, readFileSync, statSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { loadSdk } from "./sdk";
import type { TestStackOptions } from "./types";
import { isObject } from "./values";

/** The program under test: a function in this process, or a directory with a `Pulumi.yaml`. */
export interface Project {
  name: string;
  stack: string;
  /** Where the provider process runs, and the program, too, unless it is inline. */
  cwd: string;
  source: { program: NonNullable<TestStackOptions["program"]> } | Files;
  /** Values of the project file's own `config` section, by full key. */
  config: Record<string, string>;
}

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
    return { name: options.project ?? "test", stack, cwd: process.cwd(), source, config: {} };
  }
  const root = resolve(workDir);
  const file = readProjectFile(root);
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
  return { name: project, stack, cwd, source, config: projectConfig(project, file.config ?? {}) };
}

/** What this engine reads of a project file. */
interface ProjectFile {
  name?: string;
  runtime?: string | Runtime;
  main?: string;
  config?: Record<string, unknown>;
}

interface Runtime {
  name?: string;
  options?: { typescript?: boolean; tsconfig?: string; nodeargs?: string };
}

function readProjectFile(root: string): ProjectFile {
  const names = ["Pulumi.yaml", "Pulumi.yml", "Pulumi.json"];
  const path = names.map((name) => join(root, name)).find((candidate) => existsSync(candidate));
  if (path === undefined) throw new Error(`there is no Pulumi.yaml in ${root}`);
  const content = loadSdk().parseYaml(readFileSync(path, "utf8"));
  if (!isObject(content)) throw new Error(`${path} does not hold a project`);
  return content;
}

/** `main` may be a file, whose directory then is the working directory, or a directory. */
function findEntryPoint(root: string, main: string | undefined): { cwd: string; entryPoint: string } {
  if (!main) return { cwd: root, entryPoint: "." };
  const path = resolve(root, main);
  if (!existsSync(path)) throw new Error(`project 'main' could not be read: ${path} does not exist`);
  if (statSync(path).isDirectory()) return { cwd: path, entryPoint: "." };
  return { cwd: dirname(path), entryPoint: basename(path) };
}

/** The values and defaults of the project file; a stack's own configuration goes before them. */
function projectConfig(project: string, section: Record<string, unknown>): Record<string, string> {
  const config: Record<string, string> = {};
  for (const [key, declared] of Object.entries(section)) {
    const { value, default: otherwise }: Declared = isObject(declared) ? declared : { value: declared };
    const given = value ?? otherwise;
    if (given === undefined || given === null) continue;
    config[fullKey(project, key)] = typeof given === "string" ? given : JSON.stringify(given);
  }
  return config;
}

interface Declared {
  value?: unknown;
  default?: unknown;
}

/** A configuration key with its namespace, which is the project's where none is given. */
export function fullKey(project: string, key: string): string {
  return key.includes(":") ? key : `${project}:${key}`;
}
