/** The version and the homepage of this package, and the order of versions. */

/** Read at run time: a release changes only the manifest, which is outside the compiled tree. */
export function packageVersion(): string {
  return manifest().version;
}

/** The address of the repository, which has the documentation. */
export function homepage(): string {
  return manifest().homepage;
}

function manifest(): { version: string; homepage: string } {
  return require("../../package.json");
}

/** Orders two versions by their numbers. A pre-release counts as its release. */
export function compareVersions(a: string, b: string): number {
  const [release, other] = [a, b].map((version) => version.split(/[-+]/)[0] ?? "");
  return (release ?? "").localeCompare(other ?? "", "en", { numeric: true });
}
