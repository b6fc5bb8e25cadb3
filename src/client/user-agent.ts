/** How the client introduces itself: package and Node version, after what the caller wants said first. */
import { packageVersion } from "./version";

export function userAgent(caller: string | undefined): string {
  const own = `pulumi-domain-monitoring/${packageVersion()} node/${process.versions.node}`;
  return caller ? `${caller} ${own}` : own;
}
