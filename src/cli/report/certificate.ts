/** The state of a certificate, as far as it can be told from dates whose format the interface leaves open. */
import { toInstant } from "../../client/timestamps";
import type { SslComponent } from "../../client/types";
import { daysUntil } from "../../functions/expiry";
import type { CertificateReport } from "./model";

/** What the SSL component says at the time of `now`. */
export function certificateReport(ssl: SslComponent, now: Date): CertificateReport {
  const expires = instantOf(ssl.expiresAt);
  return {
    status: statusOf(ssl, expires, now),
    expiresAt: ssl.expiresAt,
    daysLeft: ssl.expiresAt !== null && expires ? daysUntil(ssl.expiresAt, now) : null,
    issuer: ssl.issuer,
    organization: ssl.organization,
    checkedAt: ssl.lastCheckedAt,
  };
}

function statusOf(ssl: SslComponent, expires: Date | undefined, now: Date): CertificateReport["status"] {
  if (!ssl.isEnabled) return "unmonitored";
  if (expires && hasExpired(ssl.expiresAt ?? "", expires, now)) return "expired";
  const invalid = instantOf(ssl.lastFoundInvalidAt);
  const valid = instantOf(ssl.lastConsideredValidAt);
  if (invalid && (!valid || invalid > valid)) return "invalid";
  return expires ? "ok" : "unknown";
}

/** A time is exact; a bare date holds until its day is over, as for registrations. */
function hasExpired(text: string, expires: Date, now: Date): boolean {
  return text.length > 10 ? expires <= now : daysUntil(text, now) < 0;
}

function instantOf(text: string | null): Date | undefined {
  return text === null ? undefined : toInstant(text);
}
