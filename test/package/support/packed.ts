/** The packages as they would be published, in a directory outside the repository. */
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, renameSync, symlinkSync } from "node:fs";
import path from "node:path";

/** npm's report about a package that it packed. */
interface Packed {
  tarball: string;
  files: { path: string }[];
  size: number;
  unpackedSize: number;
}

/** Packs the current build, which `npm test` has made. */
export const {
  PACKAGES,
  packed,
  root,
}: {
  /** Where each package is. */
  PACKAGES: string[];
  packed(directory: string): Packed;
  root: string;
} = require("../../../scripts/packed.cjs");

/** The text of a file of the repository. */
export const read = (file: string) => readFileSync(path.join(root, file), "utf8");

/**
 * Installs the tarballs below the directory. Tests use no network, so dependencies are linked and
 * not installed: only those that package.json declares or the caller names.
 */
export function installTarball(directory: string, others: string[]): void {
  const installed = path.join(directory, "node_modules");
  mkdirSync(installed);
  const declared = PACKAGES.flatMap((one) => {
    const { name, dependencies = {} } = JSON.parse(read(path.join(one, "package.json")));
    execFileSync("tar", ["-xzf", packed(one).tarball, "-C", directory]);
    renameSync(path.join(directory, "package"), path.join(installed, name));

    return Object.keys(dependencies);
  });

  for (const name of new Set([...declared, ...others])) {
    mkdirSync(path.dirname(path.join(installed, name)), { recursive: true });
    symlinkSync(path.join(root, "node_modules", name), path.join(installed, name));
  }
}
