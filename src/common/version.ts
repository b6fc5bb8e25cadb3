/** The version of this package. Read at run time: a release changes only the manifest, which is outside the compiled tree. */
export function packageVersion(): string {
  const manifest: { version: string } = require("../../package.json");
  return manifest.version;
}
