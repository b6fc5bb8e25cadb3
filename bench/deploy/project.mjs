/** A Pulumi project with one of the programs, in a directory of its own that is gone when the work is done. */
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

export async function withProject(program, work) {
  const directory = realpathSync(mkdtempSync(path.join(os.tmpdir(), "domain-monitoring-bench-")));
  try {
    const project = path.join(directory, "project");
    const modules = path.join(project, "node_modules");
    mkdirSync(path.join(modules, "floor-provider"), { recursive: true });
    copyFileSync(path.join(programs, "floor-provider.cjs"), path.join(modules, "floor-provider", "index.js"));
    symlinkSync(path.join(root, "node_modules", "@pulumi"), path.join(modules, "@pulumi"), "junction");
    symlinkSync(root, path.join(modules, "pulumi-domain-monitoring"), "junction");
    copyFileSync(path.join(programs, `${program}.cjs`), path.join(project, "index.js"));
    writeFileSync(
      path.join(project, "package.json"),
      '{ "name": "bench", "private": true, "main": "index.js" }\n',
    );
    // Plain JavaScript for all three: compiling TypeScript would be the same seconds on top of each.
    writeFileSync(
      path.join(project, "Pulumi.yaml"),
      "name: bench\nruntime:\n  name: nodejs\n  options:\n    typescript: false\n",
    );
    return await work({ directory, project });
  } finally {
    endProcessesIn(directory);
    rmSync(directory, { recursive: true, force: true });
  }
}
