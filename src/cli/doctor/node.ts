/** Checks the version of Node. */
import path from "node:path";
import type { Check } from "./check";

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
  const needed = manifest.engines?.node ?? "";
  if (satisfies(version, needed))
    return { state: "ok", topic: "Node", text: `${version} (needed: ${needed})` };
  return {
    state: "fix",
    topic: "Node",
    text: `${version} at ${path.basename(process.execPath)} is not ${needed}: install a version that is`,
  };
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

/** Orders two versions by their three numbers. */
export function compareVersions(a: string, b: string): number {
  const [left, right] = [numbers(a), numbers(b)];
  for (let index = 0; index < 3; index++) {
    const difference = (left[index] ?? 0) - (right[index] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

function numbers(version: string): number[] {
  return (version.split(/[-+]/)[0] ?? "").split(".").map(Number);
}
