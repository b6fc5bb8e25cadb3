/** The User-Agent header and the version of this package. */

/** Read at run time: a release changes only the manifest, which is outside the compiled tree. */
export function packageVersion(): string {
  const manifest: { version: string } = require("../../../package.json");
  return manifest.version;
}

/** Package and Node version, after the caller's own text. */
export function userAgent(caller: string | undefined): string {
  const own = `pulumi-domain-monitoring/${packageVersion()} node/${process.versions.node}`;
  return caller ? `${caller} ${own}` : own;
}
