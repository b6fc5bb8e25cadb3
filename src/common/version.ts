/** The version of this package, and the order of versions. */

/** Read at run time: a release changes only the manifest, which is outside the compiled tree. */
export function packageVersion(): string {
  const manifest: { version: string } = require("../../package.json");
  return manifest.version;
}

/** Orders two versions by their numbers. A pre-release counts as its release. */
export function compareVersions(a: string, b: string): number {
  const [release, other] = [a, b].map((version) => version.split(/[-+]/)[0] ?? "");
  return (release ?? "").localeCompare(other ?? "", "en", { numeric: true });
}
