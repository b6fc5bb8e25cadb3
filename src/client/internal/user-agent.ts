import { packageVersion } from "../../common/version";

/** The User-Agent header: package and Node version after the caller's own text. */
export function userAgent(caller: string | undefined): string {
  const own = `pulumi-domain-monitoring/${packageVersion()} node/${process.versions.node}`;
  return caller ? `${caller} ${own}` : own;
}
