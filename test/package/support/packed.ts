/** The packages as they would be published, in a directory outside the repository. */
import { execFileSync } from "node:child_process";
import { mkdirSync, renameSync, symlinkSync } from "node:fs";
import path from "node:path";

/** What npm says of a package when it packs it. */
interface Packed {
  tarball: string;
  files: { path: string }[];
  size: number;
  unpackedSize: number;
}

/** The build as it is, packed; `npm test` has made it. */
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

/**
 * Installs the tarballs below the directory. Their dependencies are linked, not installed: tests
 * use no network. What is linked is what package.json declares, what the caller names, and nothing
 * else.
 */
export function installTarball(directory: string, others: string[]): void {
  const installed = path.join(directory, "node_modules");
  mkdirSync(installed);
  const declared = PACKAGES.flatMap((one) => {
    const { name, dependencies = {} }: { name: string; dependencies?: object } = require(
      path.join(root, one, "package.json"),
    );

    execFileSync("tar", ["-xzf", packed(one).tarball, "-C", directory]);
    renameSync(path.join(directory, "package"), path.join(installed, name));

    return Object.keys(dependencies);
  });

  for (const name of new Set([...declared, ...others])) {
    mkdirSync(path.dirname(path.join(installed, name)), { recursive: true });
    symlinkSync(path.join(root, "node_modules", name), path.join(installed, name));
  }
}
