/** Checks the version of Node. */
import path from "node:path";
import { compareVersions } from "../../common/version";
import { about, type Check } from "./check";

/** The parts of a package's manifest that doctor reads. */
export interface Manifest {
  version: string;
  engines?: Record<string, string>;
  peerDependencies?: Record<string, string>;
}

/** This package's own manifest. */
export function ownManifest(): Manifest {
  return require("../../../package.json");
}

/** Compares the running version with `engines`. */
export function checkNode(version: string, manifest: Manifest): Check {
  const { ok, fix } = about("Node");
  const needed = manifest.engines?.node ?? "";
  if (satisfies(version, needed)) return ok(`${version} (needed: ${needed})`);
  return fix(`${version} at ${path.basename(process.execPath)} is not ${needed}: install a version that is`);
}

/** Whether a version lies within a range such as `>=3.139.0 <4`. A pre-release counts as its release. */
export function satisfies(version: string, range: string): boolean {
  return range.split(/\s+/).every((bound) => {
    const [, sign, limit = ""] = /^(>=|<)([\d.]+)$/.exec(bound) ?? [];
    if (sign === undefined) return true;
    const order = compareVersions(version, limit);
    return sign === ">=" ? order >= 0 : order < 0;
  });
}
