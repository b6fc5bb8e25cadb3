/** A Pulumi project in a temporary directory that is removed at the end. */
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../..", import.meta.url));

/**
 * Runs `work` with a copy of the project beside this file, and with the directory above the copy.
 */
export async function withProject(work) {
  const directory = fs.realpathSync(
    fs.mkdtempSync(path.join(os.tmpdir(), "domain-monitoring-bench-")),
  );
  try {
    const project = path.join(directory, "project");
    const modules = path.join(project, "node_modules");
    const link = (target, name) => fs.symlinkSync(path.join(root, target), name, "junction");
    fs.cpSync(path.join(root, "bench/deploy/project"), project, { recursive: true });
    fs.mkdirSync(modules);
    fs.copyFileSync(
      path.join(root, "bench/deploy/floor-provider.cjs"),
      path.join(modules, "floor-provider.js"),
    );
    link("node_modules/@pulumi", path.join(modules, "@pulumi"));
    link(".", path.join(modules, "pulumi-domain-monitoring"));
    link("dist-plugin", path.join(directory, "dist-plugin"));
    return await work({ directory, project });
  } finally {
    fs.rmSync(directory, { recursive: true, force: true });
  }
}
