/** The package as it would be published, in a directory outside the repository. */
import { execFileSync } from "node:child_process";
import { mkdirSync, renameSync, symlinkSync } from "node:fs";
import path from "node:path";

export const root = path.join(__dirname, "../../..");

/** What npm says of the package when it packs it. */
interface Packed {
  tarball: string;
  files: { path: string }[];
  size: number;
  unpackedSize: number;
}

/** The build as it is, packed; `npm test` has made it. */
export const { packed }: { packed(): Packed } = require("../../../scripts/packed.cjs");

/**
 * Installs the tarball below the directory. Its dependencies are linked, not installed: tests use no network. What is
 * linked is what package.json declares, what the caller names, and nothing else.
 */
export function installTarball(directory: string, others: string[]): void {
  const manifest: { dependencies: Record<string, string> } = require("../../../package.json");
  const installed = path.join(directory, "node_modules");
  mkdirSync(installed);
  execFileSync("tar", ["-xzf", packed().tarball, "-C", directory]);
  renameSync(path.join(directory, "package"), path.join(installed, "pulumi-domain-monitoring"));
  for (const name of [...Object.keys(manifest.dependencies), ...others]) {
    mkdirSync(path.dirname(path.join(installed, name)), { recursive: true });
    symlinkSync(path.join(root, "node_modules", name), path.join(installed, name));
  }
}
