/** How the client introduces itself, and the version of this package. */

/** Not compiled in: the manifest lies outside the compiled tree, and a release changes it alone. */
export function packageVersion(): string {
  const manifest: { version: string } = require("../../../package.json");
  return manifest.version;
}

/** Package and Node version, after the caller's own text. */
export function userAgent(caller: string | undefined): string {
  const own = `pulumi-domain-monitoring/${packageVersion()} node/${process.versions.node}`;
  return caller ? `${caller} ${own}` : own;
}
