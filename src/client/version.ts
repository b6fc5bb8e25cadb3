/** Version of this package. Not compiled in: the manifest lies outside the compiled tree, and a release changes it alone. */
export function packageVersion(): string {
  const manifest: { version: string } = require("../../package.json");
  return manifest.version;
}
