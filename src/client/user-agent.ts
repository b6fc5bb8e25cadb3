/** How the client introduces itself: package and Node version, after what the caller wants said first. */
import { readFileSync } from "node:fs";
import path from "node:path";

export function userAgent(caller: string | undefined): string {
  const own = `pulumi-domain-monitoring/${packageVersion()} node/${process.versions.node}`;
  return caller ? `${caller} ${own}` : own;
}

function packageVersion(): string {
  const manifest: unknown = JSON.parse(readFileSync(path.join(__dirname, "../../package.json"), "utf8"));
  const version =
    typeof manifest === "object" && manifest !== null && "version" in manifest ? manifest.version : undefined;
  return typeof version === "string" ? version : "unknown";
}
