/** A Pulumi project in a temporary directory that is removed at the end. */
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { endProcessesIn } from "./processes.mjs";

const root = fileURLToPath(new URL("../..", import.meta.url));
const programs = fileURLToPath(new URL("programs", import.meta.url));

/** Runs `work` with a project that `fill` has written. */
export async function withProject(fill, work) {
  const directory = realpathSync(mkdtempSync(path.join(os.tmpdir(), "domain-monitoring-bench-")));
  try {
    const project = path.join(directory, "project");
    fill(project);
    return await work({ directory, project });
  } finally {
    endProcessesIn(directory);
    rmSync(directory, { recursive: true, force: true });
  }
}

/** One of the programs beside this file. @param plugin the directory of the provider plugin that it uses, if any */
export function benchProgram(name, plugin) {
  return (project) => {
    const modules = path.join(project, "node_modules");
    mkdirSync(path.join(modules, "floor-provider"), { recursive: true });
    copyFileSync(path.join(programs, "floor-provider.cjs"), path.join(modules, "floor-provider", "index.js"));
    symlinkSync(path.join(root, "node_modules", "@pulumi"), path.join(modules, "@pulumi"), "junction");
    symlinkSync(root, path.join(modules, "pulumi-domain-monitoring"), "junction");
    copyFileSync(path.join(programs, `${name}.cjs`), path.join(project, "index.js"));
    writeFileSync(
      path.join(project, "package.json"),
      '{ "name": "bench", "private": true, "main": "index.js" }\n',
    );
    // Plain JavaScript for all three: compiling TypeScript would be the same seconds on top of each.
    const provider = plugin ? { name: "domain-monitoring", path: plugin } : undefined;
    writeFileSync(
      path.join(project, "Pulumi.yaml"),
      // JSON is YAML.
      JSON.stringify({
        name: "bench",
        runtime: { name: "nodejs", options: { typescript: false } },
        plugins: provider && { providers: [provider] },
      }),
    );
  };
}
