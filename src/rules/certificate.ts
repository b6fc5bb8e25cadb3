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
  const expires = instantOf(ssl.expiresAt);
  const unreadable = unreadableDates(ssl);
  const daysLeft = expires ? dayNumber(expires) - dayNumber(now) : null;
  const status = statusOf(ssl, expires, unreadable, now);
  return {
    status: status === "ok" && daysLeft !== null && daysLeft < minimumDays ? "expiring" : status,
    expiresAt: ssl.expiresAt,
    daysLeft,
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

function instantOf(text: string | null): Date | undefined {
  return text === null ? undefined : toInstantWithOffset(text);
}
