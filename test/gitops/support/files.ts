/** The files of examples/gitops: parsed, and the shell commands in them. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { parse, parseAllDocuments } from "yaml";
import { root } from "./copy";

export const gitops = path.join(root, "examples/gitops");

export interface Step {
  name?: string;
  if?: string;
  uses?: string;
  with?: Record<string, unknown>;
  env?: Record<string, string>;
  run?: string;
}

export interface Workflow {
  on: Record<string, unknown>;
  permissions: Record<string, string>;
  env: Record<string, string>;
  defaults: { run: { shell: string } };
  jobs: Record<
    string,
    {
      "timeout-minutes": number;
      if?: string;
      needs?: string | string[];
      permissions?: Record<string, string>;
      concurrency?: { "cancel-in-progress": boolean };
      strategy?: { matrix: Record<string, unknown> };
      steps?: Step[];
    }
  >;
}

/** An expression in a workflow. */
export const expression = (text: string) => `\${{ ${text} }}`;

export function read(file: string): string {
  return readFileSync(path.join(gitops, file), "utf8");
}

export function load<T>(file: string): T {
  return parse(read(file));
}

export function loadAll<T>(file: string): T[] {
  return parseAllDocuments(read(file)).map((document) => document.toJS());
}

/** The workflows of this repository. */
export const ownWorkflows = path.join(root, ".github/workflows");

/** The workflows to copy. */
export const copied = path.join(gitops, "github");

export function workflow(file: string, directory = copied): Workflow {
  return load(path.relative(gitops, path.join(directory, file)));
}

export function steps(file: string, directory?: string): Step[] {
  return Object.values(workflow(file, directory).jobs).flatMap((job) => job.steps ?? []);
}

type GitLabJob = Record<string, unknown> & { script?: string[] };

/** The jobs of the pipeline for GitLab. */
export function gitlabJobs(): Record<string, GitLabJob> {
  const pipeline = load<Record<string, GitLabJob>>("gitlab/.gitlab-ci.yml");
  const { stages: _stages, default: _default, variables: _variables, ...jobs } = pipeline;
  return jobs;
}

/** What Pulumi Deployments runs before its own commands. */
export function preRunCommands(): string[] {
  const { settings } = load<{ settings: { operationContext: { preRunCommands: string[] } } }>(
    "deployments/deploy.yaml",
  );
  return settings.operationContext.preRunCommands;
}

/** A call of a command: its subcommand and its options. */
export interface Call {
  command: "pulumi" | "pulumi-domain-monitoring";
  subcommand: string[];
  options: string[];

  /** Where it was found, and its text there. */
  source: string;
}

/** The calls of `pulumi` and of this package's command in a shell script. */
export function callsIn(script: string, source: string): Call[] {
  const calls: Call[] = [];
  for (const line of script.replace(/\\\n/g, " ").split("\n")) {
    const [code = ""] = line.split(/\s#/);
    for (const part of code.split(/\|\|?|&&|;|\b(?:then|if|elif)\b|\$\(/)) {
      const words = part.trim().split(/\s+/);
      const [command, ...rest] =
        words[0] === "npx" ? words.slice(words[1] === "--no-install" ? 2 : 1) : words;

      if (command !== "pulumi" && command !== "pulumi-domain-monitoring") continue;

      const end = rest.findIndex((word) => !/^[a-z][a-z-]*$/.test(word));
      const options = rest.flatMap(
        (word) => /^(?:\$\{\w+:\+)?(--?[a-z][\w-]*)/.exec(word)?.[1] ?? [],
      );

      calls.push({
        command,
        subcommand: rest.slice(0, end === -1 ? rest.length : end),
        options,
        source: `${source}: ${part.trim()}`,
      });
    }
  }

  return calls;
}
