/** The state of a certificate, as far as it follows from dates whose format the interface leaves open. */
import { toInstantWithOffset } from "../../client/timestamps";
import type { SslComponent } from "../../client/types";
import type { CertificateReport, UnreadableDate } from "./model";

/** What the SSL component says at the time of `now`. */
export function certificateReport(ssl: SslComponent, now: Date): CertificateReport {
  const expires = instantOf(ssl.expiresAt);
  const unreadable = unreadableDates(ssl);
  return {
    status: statusOf(ssl, expires, unreadable, now),
    expiresAt: ssl.expiresAt,
    daysLeft: expires ? dayNumber(expires) - dayNumber(now) : null,
    issuer: ssl.issuer,
    organization: ssl.organization,
    checkedAt: ssl.lastCheckedAt,
    unreadable,
  };
}

function statusOf(
  ssl: SslComponent,
  expires: Date | undefined,
  unreadable: UnreadableDate[],
  now: Date,
): CertificateReport["status"] {
  if (!ssl.isEnabled) return "unmonitored";
  if (expires && hasExpired(ssl.expiresAt ?? "", expires, now)) return "expired";
  const invalid = instantOf(ssl.lastFoundInvalidAt);
  const valid = instantOf(ssl.lastConsideredValidAt);
  if (invalid && (ssl.lastConsideredValidAt === null || (valid && invalid > valid))) return "invalid";
  if (unreadable.length > 0) return "unreadable";
  return expires ? "ok" : "unknown";
}

/** When it was last considered valid matters only where it was found invalid. */
function unreadableDates(ssl: SslComponent): UnreadableDate[] {
  const { isEnabled, expiresAt, lastFoundInvalidAt } = ssl;
  if (!isEnabled) return [];
  const lastConsideredValidAt = lastFoundInvalidAt === null ? null : ssl.lastConsideredValidAt;
  return Object.entries({ expiresAt, lastFoundInvalidAt, lastConsideredValidAt }).flatMap(([field, value]) =>
    value !== null && !toInstantWithOffset(value) ? { field, value } : [],
  );
}

/** A time is exact; a bare date holds until its day is over, as for registrations. */
function hasExpired(text: string, expires: Date, now: Date): boolean {
  return text.length > 10 ? expires <= now : dayNumber(expires) < dayNumber(now);
}

/** Not by way of a text: an offset can carry a date out of the years that a text can have. */
function dayNumber(instant: Date): number {
  return Math.floor(instant.getTime() / 86_400_000);
}

function instantOf(text: string | null): Date | undefined {
  return text === null ? undefined : toInstantWithOffset(text);
}
