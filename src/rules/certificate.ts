/** The state of a certificate, from dates whose format the interface does not specify. */
import { toInstantWithOffset } from "../client/timestamps";
import type { SslComponent } from "../client/types";
import { dayNumber } from "./days";

/** State of a certificate. */
export interface CertificateExpiry {
  /**
   * `expiring`: fewer days are left than required. `unmonitored`: the component is off. `unknown`: not checked yet.
   * `unreadable`: a date that matters cannot be parsed.
   */
  status: "ok" | "expiring" | "expired" | "invalid" | "unreadable" | "unknown" | "unmonitored";
  /** As served. */
  expiresAt: string | null;
  /** UTC days until it expires; negative if it has expired. */
  daysLeft: number | null;
}

/** The certificate (interface.md, section 2.1). */
export interface CertificateReport extends CertificateExpiry {
  /** Issuer. */
  issuer: string | null;
  /** Organization that it was issued to. */
  organization: string | null;
  /** As served. */
  checkedAt: string | null;
  /** Dates that matter and cannot be parsed. */
  unreadable: UnreadableDate[];
}

/** A date in a format that this package does not know. */
export interface UnreadableDate {
  /** Name of the field, such as `expiresAt`. */
  field: string;
  /** As served. */
  value: string;
}

/** Evaluates the SSL component at `now`. @param minimumDays days that must be left */
export function certificateReport(ssl: SslComponent, now: Date, minimumDays = 0): CertificateReport {
  const { expiresAt, issuer, organization, lastCheckedAt: checkedAt } = ssl;
  const expires = toInstantWithOffset(expiresAt ?? "");
  const daysLeft = expires ? dayNumber(expires) - dayNumber(now) : null;
  const unreadable = unreadableDates(ssl);

  function statusOf(): CertificateReport["status"] {
    if (!ssl.isEnabled) return "unmonitored";
    if (expires && hasExpired(expiresAt ?? "", expires, now)) return "expired";
    const invalid = toInstantWithOffset(ssl.lastFoundInvalidAt ?? "");
    const valid = toInstantWithOffset(ssl.lastConsideredValidAt ?? "");
    if (invalid && (ssl.lastConsideredValidAt === null || (valid && invalid > valid))) return "invalid";
    if (unreadable.length > 0) return "unreadable";
    if (daysLeft === null) return "unknown";
    return daysLeft < minimumDays ? "expiring" : "ok";
  }

  return { status: statusOf(), expiresAt, daysLeft, issuer, organization, checkedAt, unreadable };
}

/** `lastConsideredValidAt` matters only if the certificate was found invalid. */
function unreadableDates(ssl: SslComponent): UnreadableDate[] {
  const { isEnabled, expiresAt, lastFoundInvalidAt } = ssl;
  if (!isEnabled) return [];
  const lastConsideredValidAt = lastFoundInvalidAt === null ? null : ssl.lastConsideredValidAt;
  return Object.entries({ expiresAt, lastFoundInvalidAt, lastConsideredValidAt }).flatMap(([field, value]) =>
    value !== null && !toInstantWithOffset(value) ? { field, value } : [],
  );
}

/** A time is exact; a bare date is valid until the end of its day, as for registrations. */
function hasExpired(text: string, expires: Date, now: Date): boolean {
  return text.length > 10 ? expires <= now : dayNumber(expires) < dayNumber(now);
}
