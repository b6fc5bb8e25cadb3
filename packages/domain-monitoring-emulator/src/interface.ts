/**
 * The interface of the service, as far as the emulator needs it. The client of
 * `pulumi-domain-monitoring` has its own reading of the same document: this package imports nothing
 * outside its folder, so that one can check the other.
 */

/** Fields that the WHOIS and the DNS component have in common (interface.md, section 2.1). */
export interface MonitoredComponent {
  /** Whether it is checked at all. */
  isEnabled: boolean;

  /** Interval of its checks, such as `weekly`. */
  checkInterval: string;

  /** Result of the latest check, such as `HEALTHY`. */
  checkStatus: string;

  /** Human-readable text about the latest check; null before the first one. */
  latestCheckDetails: string | null;

  /** `ISO-UTC`; null before the first check. */
  lastCheckedAt: string | null;

  /** `ISO-UTC`; null when no next check is scheduled. */
  nextCheckAt: string | null;

  /** Last check that was started manually; null before the first. */
  lastManualCheckAt: string | null;

  /** Time at which a change was last found; null before the first. */
  changesDetectedAt: string | null;

  /** Whether the latest change counts as recent. */
  hasChangedRecently: boolean;

  /** Whether the latest manual check counts as recent. */
  wasManuallyCheckedRecently: boolean;
}

/** The DNS component (interface.md, section 2.1). */
export interface DnsComponent extends MonitoredComponent {
  /** Record types that are monitored, such as `A` or `MX`. */
  enabledRecords: string[];
}

/**
 * The SSL component. Nullable fields are null before the first check (interface.md, section 2.1).
 */
export interface SslComponent {
  /** Whether the certificate is checked at all. */
  isEnabled: boolean;

  /** Common name of the issuer, such as `R11`. */
  issuer: string | null;

  /** Organization of the issuer, such as `Let's Encrypt`. */
  organization: string | null;

  /** Certificate expiry. */
  expiresAt: string | null;

  /** Last check. */
  lastCheckedAt: string | null;

  /** Time at which the certificate was last found invalid. */
  lastFoundInvalidAt: string | null;

  /** Time at which the certificate was last found valid. */
  lastConsideredValidAt: string | null;

  /** Whether the latest change counts as recent. */
  hasChangedRecently: boolean;
}

/** Lifecycle of a channel: only created, or changed and deleted too. */
export type Lifecycle = "create-only" | "managed";

/** Every {@link Lifecycle}; the first is the default. */
export const LIFECYCLES = ["create-only", "managed"] as const satisfies readonly Lifecycle[];

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Whether a text has the shape of the service's ids. */
export function isUuid(text: string): boolean {
  return UUID.test(text);
}

const TIME =
  /^(\d{4}-\d{2}-\d{2})(?:[Tt ](\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?)(?:[Zz]|([+-])([01]\d|2[0-3]):?([0-5]\d))?)?$/;

/**
 * The instant of `ISO-UTC`, `SQL-TS`, `DATE`, and of ISO 8601 with an offset; without one the time
 * is UTC. Undefined for anything else, and for days that do not exist.
 */
export function toInstant(text: string): Date | undefined {
  const [, day, time = "00:00:00", sign, hours, minutes] = TIME.exec(text) ?? [];
  if (day === undefined) return undefined;

  const local = new Date(`${day}T${time}Z`);
  if (Number.isNaN(local.getTime())) return undefined;
  // `Date` turns 30 February into 2 March.
  if (local.toISOString().slice(0, 10) !== day) return undefined;
  if (sign === undefined) return local;

  const offsetMs = (Number(hours) * 60 + Number(minutes)) * 60_000;

  return new Date(local.getTime() - (sign === "+" ? offsetMs : -offsetMs));
}

interface DnsRecord {
  host: string;
  value: string;
  ttl: number;

  /** What only some types of records have, such as the `priority` of an MX. */
  [own: string]: unknown;
}

/**
 * The records in a value of a DNS change (interface.md, section 2.3); undefined if the text is not
 * a list of records.
 */
export function recordsIn(text: string): DnsRecord[] | undefined {
  let decoded: unknown;
  try {
    decoded = JSON.parse(text);
  } catch {
    return undefined;
  }

  return Array.isArray(decoded) && decoded.every(isRecord) ? decoded : undefined;
}

function isRecord(item: unknown): item is DnsRecord {
  // An object even if the item is null or a number.
  const { host, value, ttl }: Record<string, unknown> = Object(item);
  return typeof host === "string" && typeof value === "string" && typeof ttl === "number";
}
