/** A Pulumi project in a temporary directory that is removed at the end. */
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../..", import.meta.url));
const programs = fileURLToPath(new URL("programs", import.meta.url));

/** Runs `work` with the directory of one of the programs beside this file, and with the one above it. */
export async function withProject(program, work) {
  const directory = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "domain-monitoring-bench-")));
  try {
    const project = path.join(directory, "project");
    write(program, project);
    return await work({ directory, project });
  } finally {
    fs.rmSync(directory, { recursive: true, force: true });
  }
}

function write(program, project) {
  const modules = path.join(project, "node_modules");
  fs.mkdirSync(path.join(modules, "floor-provider"), { recursive: true });
  fs.copyFileSync(
    path.join(programs, "floor-provider.cjs"),
    path.join(modules, "floor-provider", "index.js"),
  );
  fs.symlinkSync(path.join(root, "node_modules", "@pulumi"), path.join(modules, "@pulumi"), "junction");
  fs.symlinkSync(root, path.join(modules, "pulumi-domain-monitoring"), "junction");
  fs.copyFileSync(path.join(programs, `${program}.cjs`), path.join(project, "index.js"));
  fs.writeFileSync(
    path.join(project, "package.json"),
    '{ "name": "bench", "private": true, "main": "index.js" }\n',
  );
  const plugin = { name: "domain-monitoring", path: path.join(root, "dist-plugin") };
  fs.writeFileSync(
    path.join(project, "Pulumi.yaml"),
    // JSON is YAML. Plain JavaScript: compiling TypeScript would be the same seconds on top of each.
    JSON.stringify({
      name: "bench",
      runtime: { name: "nodejs", options: { typescript: false } },
      plugins: { providers: [plugin] },
    }),
  );
}
