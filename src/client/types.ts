/**
 * Data as the service returns it, in camelCase and with every date as the original string
 * (interface.md, section 2): `ISO-UTC` (`2026-01-31T08:30:00.000000Z`), `SQL-TS` (`2026-01-31
 * 08:30:00`, taken as UTC) or `DATE` (`2026-01-31`). `client/timestamps.ts` turns them into
 * instants.
 */

/**
 * A string with some known values. Others pass unchanged, so that new ones don't break clients.
 */
export type OpenEnum<Known extends string> = Known | (string & {});

/** The kinds of notification channel that can be created (interface.md, section 4.4). */
export const CHANNEL_TYPES = [
  "email",
  "discord",
  "slack",
  "ms_teams",
  "pushover",
  "webhook",
] as const;

/** One of {@link CHANNEL_TYPES}. */
export type ChannelType = (typeof CHANNEL_TYPES)[number];

/** The HTTP methods that a webhook channel can be called with (interface.md, section 4.4). */
export const WEBHOOK_METHODS = ["POST", "PUT", "PATCH"] as const;

/** One of {@link WEBHOOK_METHODS}. */
export type WebhookMethod = (typeof WEBHOOK_METHODS)[number];

/** Bounds of a channel's label, in code points (interface.md, section 8). */
export const LABEL_LENGTH = { minimum: 3, maximum: 100 } as const;

/** A monitored domain (interface.md, section 2.1). */
export interface Domain {
  /** Identifier of the domain, UUID-shaped. */
  id: string;

  /** Display label. */
  label: string;

  /** Domain name, for example `example.com`. */
  domain: string;

  /** Free text; null if the domain has none. */
  description: string | null;

  /** Colour of the label; null if it has none. */
  colour: string | null;

  /** Registrar or provider name; null before the first WHOIS check. */
  provider: string | null;

  /** Registration expiry, `DATE`; null before the first WHOIS check. */
  expiresAt: string | null;

  /** The three monitored components. */
  components: DomainComponents;

  /** `SQL-TS`. */
  createdAt: string;

  /** `SQL-TS`. */
  updatedAt: string;
}

/** State of the three monitored components of a domain (interface.md, section 2.1). */
export interface DomainComponents {
  /** Registration data. */
  whois: MonitoredComponent;

  /** DNS records. */
  dns: DnsComponent;

  /** The certificate. */
  ssl: SslComponent;
}

/** Fields of both the WHOIS and the DNS component (interface.md, section 2.1). */
export interface MonitoredComponent {
  /** Whether it is checked at all. */
  isEnabled: boolean;

  /** Interval of its checks: `weekly`, or another value; null if the service has none yet. */
  checkInterval: OpenEnum<"weekly"> | null;

  /** Result of the latest check: `HEALTHY`, or another value; null before the first one. */
  checkStatus: OpenEnum<"HEALTHY"> | null;

  /** Human-readable text about the latest check; null before the first one. */
  latestCheckDetails: string | null;

  /** `ISO-UTC`; null before the first check. */
  lastCheckedAt: string | null;

  /** `ISO-UTC`; null when no next check is scheduled. */
  nextCheckAt: string | null;

  /** Last manual check, in an unspecified format; null before the first. */
  lastManualCheckAt: string | null;

  /** Time of the last detected change, in an unspecified format; null before the first. */
  changesDetectedAt: string | null;

  /** Whether the service counts the latest change as recent. */
  hasChangedRecently: boolean;

  /** Whether the service counts the latest manual check as recent. */
  wasManuallyCheckedRecently: boolean;
}

/** The DNS component (interface.md, section 2.1). */
export interface DnsComponent extends MonitoredComponent {
  /** Monitored record types, such as `A` or `MX`. */
  enabledRecords: string[];
}

/**
 * The SSL component. Nullable fields are null before a certificate check has completed
 * (interface.md, section 2.1).
 */
export interface SslComponent {
  /** Whether the certificate is checked at all. */
  isEnabled: boolean;

  /** Issuer of the certificate. */
  issuer: string | null;

  /** Organization in the certificate. */
  organization: string | null;

  /** Certificate expiry, in an unspecified format. */
  expiresAt: string | null;

  /** Last check, in an unspecified format. */
  lastCheckedAt: string | null;

  /** Time of the last check that found it invalid, in an unspecified format. */
  lastFoundInvalidAt: string | null;

  /** Time of the last check that found it valid, in an unspecified format. */
  lastConsideredValidAt: string | null;

  /** Whether the service counts the latest change as recent. */
  hasChangedRecently: boolean;
}

/** A detected change of registration data (interface.md, section 2.2). */
export interface WhoisChange {
  /** Identifier of the change, UUID-shaped. */
  id: string;

  /**
   * Id of the domain in the change record: an integer, even if the domain's own id is a UUID.
   */
  domainId: number | string;

  /** The field that changed: `registrar`, `nameservers`, or another value. */
  fieldChanged: OpenEnum<"registrar" | "nameservers">;

  /** Previous value as served: a JSON-encoded array for `nameservers` and DNS records. */
  oldValue: string | null;

  /** New value, encoded like `oldValue`. */
  newValue: string | null;

  /** Short opaque token of the change; null if it has none. */
  identifier: string | null;

  /** `SQL-TS`, taken as UTC. */
  createdAt: string;

  /** Relative time text, which changes by itself. */
  createdAtHuman: string | null;
}

/** A detected change of DNS records (interface.md, section 2.3). */
export interface DnsChange extends Omit<WhoisChange, "fieldChanged"> {
  /** The records that changed: `a_records`, `mx_records`, or another value. */
  fieldChanged: OpenEnum<"a_records" | "mx_records">;

  /** Short record type label. */
  fieldChangedHuman: string | null;

  /** The previous records for people to read. */
  oldValueFormatted: string | null;

  /** The new records for people to read. */
  newValueFormatted: string | null;

  /** The change in short. */
  changeSummary: string | null;

  /** The difference as text. */
  diff: string | null;
}

/** The changes that a channel reports (interface.md, section 6). */
export interface NotificationFlags {
  /** Whether it reports WHOIS changes. */
  whoisNotificationsEnabled: boolean;

  /** Whether it reports changes of DNS records. */
  dnsNotificationsEnabled: boolean;

  /** Whether it reports certificate issues. */
  sslNotificationsEnabled: boolean;
}

/**
 * A notification channel as the service returns it, without its destination (interface.md, section
 * 2.4).
 */
export interface NotificationChannelData extends NotificationFlags {
  /** Identifier of the channel, UUID-shaped. */
  id: string;

  /** Display label. */
  label: string;

  /** Kind of channel. */
  type: OpenEnum<ChannelType>;

  /** Display name of the type. */
  typeHuman: string;

  /** Whether the service protects it; false for a new channel. */
  isProtected: boolean;

  /** Whether the service has switched it off; false for a new channel. */
  isDisabled: boolean;

  /** Why it is switched off, in the service's words; null if it is on. */
  disabledReason: string | null;

  /** `SQL-TS`; null until a notification has been sent. */
  lastNotificationSentAt: string | null;

  /** Relative time text, which changes by itself. */
  lastNotificationSentAtHuman: string | null;

  /** `SQL-TS`. */
  createdAt: string;

  /** Relative time text, which changes by itself. */
  createdAtHuman: string | null;
}
