/** A Pulumi project in a temporary directory that is removed at the end. */
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../..", import.meta.url));
const beside = (name) => fileURLToPath(new URL(name, import.meta.url));

/** Runs `work` with the directory of the program beside this file, and with the one above it. */
export async function withProject(work) {
  const directory = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "domain-monitoring-bench-")));
  try {
    const project = path.join(directory, "project");
    write(project);
    return await work({ directory, project });
  } finally {
    fs.rmSync(directory, { recursive: true, force: true });
  }
}

function write(project) {
  const modules = path.join(project, "node_modules");
  fs.mkdirSync(path.join(modules, "floor-provider"), { recursive: true });
  fs.copyFileSync(beside("floor-provider.cjs"), path.join(modules, "floor-provider", "index.js"));
  fs.symlinkSync(path.join(root, "node_modules", "@pulumi"), path.join(modules, "@pulumi"), "junction");
  fs.symlinkSync(root, path.join(modules, "pulumi-domain-monitoring"), "junction");
  fs.copyFileSync(beside("program.cjs"), path.join(project, "index.js"));
  const manifest = { name: "bench", private: true, main: "index.js" };
  fs.writeFileSync(path.join(project, "package.json"), JSON.stringify(manifest));
  const settings = {
    name: "bench",
    // Plain JavaScript: compiling TypeScript would be the same seconds on top of each.
    runtime: { name: "nodejs", options: { typescript: false } },
    plugins: { providers: [{ name: "domain-monitoring", path: path.join(root, "dist-plugin") }] },
  };
  // JSON is YAML.
  fs.writeFileSync(path.join(project, "Pulumi.yaml"), JSON.stringify(settings));
}
