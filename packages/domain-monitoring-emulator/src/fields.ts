/**
 * The fields of the service's objects (interface.md, section 2), each described once, by the
 * emulator's own reading: a mistake in the client's shows against these. The types, the schemas on
 * the wire and of the control endpoint, and what the store fills in follow from here. A field with
 * a default has it where a seed leaves it out.
 */
import { z } from "zod";

/** The values of fields. `z.infer` has the same types without the comments. */
export type Values<Fields extends z.ZodRawShape> = {
  [Name in keyof Fields]: z.output<Fields[Name]>;
};

const text = z.string();
const orNull = text.nullable();
const flag = z.boolean();

const date = text.meta({ format: "date", description: "`DATE`: `YYYY-MM-DD`" });

export const sqlTimestamp = text.meta({
  format: "sql-timestamp",
  description: "`SQL-TS`, in UTC: `YYYY-MM-DD HH:MM:SS`",
});

const isoUtc = text.meta({
  format: "date-time",
  description: "`ISO-UTC`: with microseconds and a trailing Z",
});

export const monitoredFields = {
  /** Whether it is checked at all. */
  isEnabled: flag,

  /** Interval of its checks, such as `weekly`. */
  checkInterval: text.meta({ examples: ["weekly"] }),

  /** Result of the latest check, such as `HEALTHY`. */
  checkStatus: text.meta({ examples: ["HEALTHY"] }),

  /** Human-readable text about the latest check; null before the first one. */
  latestCheckDetails: orNull,

  /** `ISO-UTC`; null before the first check. */
  lastCheckedAt: isoUtc.nullable(),

  /** `ISO-UTC`; null when no next check is scheduled. */
  nextCheckAt: isoUtc.nullable(),

  /** Last check that was started manually; null before the first. */
  lastManualCheckAt: orNull,

  /** Time at which a change was last found; null before the first. */
  changesDetectedAt: orNull,

  /** Whether the latest change counts as recent. */
  hasChangedRecently: flag,

  /** Whether the latest manual check counts as recent. */
  wasManuallyCheckedRecently: flag,
};

export const dnsFields = {
  ...monitoredFields,

  /** Record types that are monitored, such as `A` or `MX`. */
  enabledRecords: z.array(text),
};

export const sslFields = {
  /** Whether the certificate is checked at all. */
  isEnabled: flag,

  /** Common name of the issuer, such as `R11`. */
  issuer: orNull,

  /** Organization of the issuer, such as `Let's Encrypt`. */
  organization: orNull,

  /** Certificate expiry. */
  expiresAt: orNull,

  /** Last check. */
  lastCheckedAt: orNull,

  /** Time at which the certificate was last found invalid. */
  lastFoundInvalidAt: orNull,

  /** Time at which the certificate was last found valid. */
  lastConsideredValidAt: orNull,

  /** Whether the latest change counts as recent. */
  hasChangedRecently: flag,
};

/** Those that a seed may give. */
export const domainFields = {
  /** A UUID, unless a seed gave another. */
  id: text,

  /** Domain name. In a seed `example-N.com` by default. */
  domain: text,

  /** Display label. In a seed the domain name by default. */
  label: text,

  /** Free text. */
  description: orNull,

  /** Colour of the label. In a seed one by default, or null where it is not checked. */
  colour: orNull,

  /** Registrar; null before the first WHOIS check. In a seed `Example Registrar` by default. */
  provider: orNull,

  /**
   * `DATE`, or null, which the interface does not have, as before the first WHOIS check. In a seed a
   * year from now by default, or null where it is not checked.
   */
  expiresAt: date.nullable(),
};

export const changeFields = {
  /** A UUID, unless a seed gave another. */
  id: text,

  /** In a seed `registrar` for WHOIS by default, `a_records` for DNS. */
  fieldChanged: text,

  /** `SQL-TS`. In a seed now by default. */
  createdAt: sqlTimestamp,
};

/** Null and a flag that is left out are true in a create. */
export const notificationFlags = {
  /** Whether it is notified of WHOIS changes. */
  whoisNotificationsEnabled: flag.default(true),

  /** Whether it is notified of changes of DNS records. */
  dnsNotificationsEnabled: flag.default(true),

  /** Whether it is notified of certificate issues. */
  sslNotificationsEnabled: flag.default(true),
};

export const channelFields = {
  /** A UUID. */
  id: text,

  /** Display label. */
  label: text.default("Made by hand"),

  /** Kind of channel. */
  type: text.default("email"),

  /** The destination, which no response shows. */
  value: orNull.default(null),

  /** For a webhook the HTTP method, or null; no response shows it. */
  secondaryValue: orNull.default(null),

  ...notificationFlags,

  /** Display name of the type. */
  typeHuman: text,

  /** Whether the service protects it. */
  isProtected: flag.default(false),

  /** Whether the service has switched it off. */
  isDisabled: flag.default(false),

  /** Reason why it is switched off; null if it is not. */
  disabledReason: orNull.default(null),

  /** `SQL-TS`; null until a notification has been sent. */
  lastNotificationSentAt: sqlTimestamp.nullable().default(null),

  /** `SQL-TS`. */
  createdAt: sqlTimestamp,
};

/** Display names of the types that a create accepts. */
export const TYPE_NAMES = new Map([
  ["email", "Email"],
  ["discord", "Discord"],
  ["slack", "Slack"],
  ["ms_teams", "Microsoft Teams"],
  ["pushover", "Pushover"],
  ["webhook", "Webhook"],
]);

/** Types of records that can be monitored. */
export const MONITORED_RECORDS = ["A", "AAAA", "CNAME", "MX", "TXT", "SRV", "CAA", "PTR", "SOA"];
