/** The state of a certificate, from dates whose format the interface does not specify. */
import type { SslComponent } from "../client/types";
import { dateOfDay, dayNumber, isUnreadable, type ServedDate, servedDate } from "./days";
import {
  type Bound,
  boundWords,
  type Concern,
  type Judged,
  leftWords,
  reactionTo,
} from "./expiry-rule";

/** The certificate as a rule sees it. */
export interface CertificateExpiry {
  /**
   * `expiring`: fewer days are left than required. `unmonitored`: the component is off. `unknown`:
   * not checked yet. `unreadable`: a date that matters cannot be parsed.
   */
  status: "ok" | "expiring" | "expired" | "invalid" | "unreadable" | "unknown" | "unmonitored";

  /** As served. */
  expiresAt: string | null;

  /** UTC days until it expires; negative if it has expired. */
  daysLeft: number | null;
}

/** The certificate (interface.md, section 2.1). */
export interface CertificateState extends CertificateExpiry {
  /** `DATE` on which the required days are left; null if it is not known or none are required. */
  actBy: string | null;

  /** Issuer. */
  issuer: string | null;

  /** Organization that it was issued to. */
  organization: string | null;

  /** As served. */
  checkedAt: string | null;

  /** Dates that matter and cannot be parsed. */
  unreadable: UnreadableDate[];

  /** In one line, without the domain's name. */
  text: string;
}

/** A date in a format that this package does not know. */
export interface UnreadableDate {
  /** Name of the field, such as `expiresAt`. */
  field: string;

  /** As served. */
  value: string;
}

/** Judges the SSL component. @param rule null: it is not judged */
export function judgeCertificate(
  ssl: SslComponent,
  rule: Bound | null,
  now: Date,
): Judged<CertificateState> {
  const { issuer, organization, isEnabled } = ssl;
  const { text: checkedAt } = servedDate(ssl.lastCheckedAt);
  const minimumDays = rule?.minimumDays ?? 0;
  const dates = datesOf(ssl);
  const { text: expiresAt, instant: expires } = dates.expiresAt;
  const daysLeft = expires ? dayNumber(expires) - dayNumber(now) : null;
  const actBy = expires && rule && isEnabled ? dateOfDay(dayNumber(expires) - minimumDays) : null;
  const unreadable = isEnabled ? unreadableDates(dates) : [];

  function statusOf(): CertificateState["status"] {
    if (!isEnabled) return "unmonitored";
    if (hasExpired(dates.expiresAt, now)) return "expired";
    if (isInvalid(dates)) return "invalid";
    if (daysLeft !== null && daysLeft < minimumDays) return "expiring";
    if (unreadable.length > 0) return "unreadable";

    return daysLeft === null ? "unknown" : "ok";
  }

  const status = statusOf();
  const state = { status, expiresAt, daysLeft, actBy, issuer, organization, checkedAt, unreadable };
  const day = expires ? dateOfDay(dayNumber(expires)) : "";
  const text = `its certificate ${stateWords(state, day, minimumDays)}`;

  return {
    state: { ...state, text },
    verdict: rule ? reactionTo(CONCERNS[state.status], rule) : "pass",
  };
}

/** The dates that matter. */
type Dates = Record<"expiresAt" | "lastFoundInvalidAt" | "lastConsideredValidAt", ServedDate>;

function datesOf(ssl: SslComponent): Dates {
  return {
    expiresAt: servedDate(ssl.expiresAt),
    lastFoundInvalidAt: servedDate(ssl.lastFoundInvalidAt),
    lastConsideredValidAt: servedDate(ssl.lastConsideredValidAt),
  };
}

const CONCERNS: Record<CertificateExpiry["status"], Concern> = {
  ok: "none",
  expiring: "violation",
  expired: "violation",
  invalid: "violation",
  unreadable: "unknown",
  unknown: "unknown",
  unmonitored: "unknown",
};

/** @param day UTC day on which it expires; empty if that is not known */
function stateWords(
  { status, daysLeft, unreadable }: Omit<CertificateState, "text">,
  day: string,
  minimumDays: number,
): string {
  const days = daysLeft ?? 0;
  const dates = unreadable.map(({ field, value }) => `${field} ${value}`).join(", ");
  switch (status) {
    case "unmonitored":
      return "is not monitored: switch its checks on in the service";
    case "unknown":
      return "was not checked yet: wait for its first check";
    case "unreadable":
      return `has a date that cannot be read (${dates}): look at the domain in the service`;
    case "invalid":
      return "was found invalid by its last check: see why, and replace it";
    case "expired":
      return `expired on ${day}: renew it now`;
    case "expiring":
      return `expires on ${day}, ${boundWords(days, minimumDays)}`;
    case "ok":
      return `expires on ${day}, ${leftWords(days)}`;
  }
}

/** `lastConsideredValidAt` matters only if the certificate was found invalid. */
function unreadableDates({ lastConsideredValidAt, ...dates }: Dates): UnreadableDate[] {
  const wasInvalid = dates.lastFoundInvalidAt.text !== null;
  const matter = wasInvalid ? { ...dates, lastConsideredValidAt } : dates;

  return Object.entries(matter).flatMap(([field, date]) =>
    isUnreadable(date) && date.text !== null ? { field, value: date.text } : [],
  );
}

/** Whether it was found invalid later than valid. */
function isInvalid({ lastFoundInvalidAt, lastConsideredValidAt }: Dates): boolean {
  const invalid = lastFoundInvalidAt.instant;
  if (!invalid) return false;
  if (lastConsideredValidAt.text === null) return true;

  const valid = lastConsideredValidAt.instant;

  return valid !== undefined && invalid > valid;
}

/** A time is exact; a bare date is valid until the end of its day, as for registrations. */
function hasExpired({ text, instant }: ServedDate, now: Date): boolean {
  if (!instant) return false;
  const isTime = (text ?? "").length > "2026-01-31".length;

  return isTime ? instant <= now : dayNumber(instant) < dayNumber(now);
}
