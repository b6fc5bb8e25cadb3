/** The package as it would be published, in a directory outside the repository. */
import { execFileSync } from "node:child_process";
import { mkdirSync, renameSync, symlinkSync } from "node:fs";
import path from "node:path";

export const root = path.join(__dirname, "../../..");

/** Packs the build as it is; `npm test` has made it. @returns the tarball's path */
function pack(directory: string): string {
  const args = ["pack", "--silent", "--ignore-scripts", "--pack-destination", directory];
  const name = execFileSync("npm", args, { cwd: root, encoding: "utf8" }).trim();
  return path.join(directory, name);
}

/**
 * Installs the tarball below the directory. Its dependencies are linked, not installed: tests use no network. What is
 * linked is what package.json declares, what the caller names, and nothing else.
 */
export function installTarball(directory: string, others: string[]): void {
  const manifest: { dependencies: Record<string, string> } = require("../../../package.json");
  const installed = path.join(directory, "node_modules");
  mkdirSync(installed);
  execFileSync("tar", ["-xzf", pack(directory), "-C", directory]);
  renameSync(path.join(directory, "package"), path.join(installed, "pulumi-domain-monitoring"));
  for (const name of [...Object.keys(manifest.dependencies), ...others]) {
    mkdirSync(path.dirname(path.join(installed, name)), { recursive: true });
    symlinkSync(path.join(root, "node_modules", name), path.join(installed, name));
  }
}
