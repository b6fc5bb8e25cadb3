/**
 * The fields of the service's objects (interface.md, section 2), by the emulator's own reading: a
 * mistake in the client's shows against these. The schemas on the wire and of the control endpoint,
 * and what the store fills in follow from here. The compiler compares them with the public types,
 * which are not inferred: their declarations would need zod's, which not every project compiles. A
 * field with a default has it where a seed leaves it out.
 */
import { z } from "zod";
import type { DnsComponent, MonitoredComponent, SslComponent } from "./interface";
import type { EmulatedChannel } from "./types";

/** A schema for every field of a type, so that the compiler finds one that is missing. */
export type Fields<Type> = { [Name in keyof Type]-?: z.ZodType<Type[Name]> };

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
  isEnabled: flag,
  checkInterval: text.meta({ examples: ["weekly"] }),
  checkStatus: text.meta({ examples: ["HEALTHY"] }),
  latestCheckDetails: orNull,
  lastCheckedAt: isoUtc.nullable(),
  nextCheckAt: isoUtc.nullable(),
  lastManualCheckAt: orNull,
  changesDetectedAt: orNull,
  hasChangedRecently: flag,
  wasManuallyCheckedRecently: flag,
} satisfies Fields<MonitoredComponent>;

export const dnsFields = {
  ...monitoredFields,
  enabledRecords: z.array(text),
} satisfies Fields<DnsComponent>;

export const sslFields = {
  isEnabled: flag,
  issuer: orNull,
  organization: orNull,
  expiresAt: orNull,
  lastCheckedAt: orNull,
  lastFoundInvalidAt: orNull,
  lastConsideredValidAt: orNull,
  hasChangedRecently: flag,
} satisfies Fields<SslComponent>;

/** Those that a seed may give. */
export const domainFields = {
  id: text,
  domain: text,
  label: text,
  description: orNull,
  colour: orNull,
  provider: orNull,
  expiresAt: date.nullable(),
};

export const changeFields = {
  id: text,
  fieldChanged: text,
  createdAt: sqlTimestamp,
};

/** Null and a flag that is left out are true in a create. */
export const notificationFlags = {
  whoisNotificationsEnabled: flag.default(true),
  dnsNotificationsEnabled: flag.default(true),
  sslNotificationsEnabled: flag.default(true),
};

export const webhookMethod = z.enum(["POST", "PUT", "PATCH"]);

/** What requests may leave out and no response shows, beside the destination. */
export const channelExtras = {
  secondaryValue: orNull.meta({
    description: `For a webhook the HTTP method: ${webhookMethod.options.join(", ")}.`,
  }),
};

/** A field made of each of these. */
export function eachOf<Name extends string, Field, Made>(
  fields: Record<Name, Field>,
  make: (field: Field) => Made,
): Record<Name, Made> {
  const made = Object.entries<Field>(fields).map(([name, field]) => [name, make(field)]);
  return Object.fromEntries(made);
}

type WithoutDefaults<Shape> = {
  [Name in keyof Shape]: Shape[Name] extends z.ZodDefault<infer Field> ? Field : Shape[Name];
};

/** These fields, which are not filled in where they are left out. */
export function withoutDefaults<Shape extends z.ZodRawShape>(shape: Shape) {
  return eachOf(shape, (field) =>
    field instanceof z.ZodDefault ? field.unwrap() : field,
  ) as WithoutDefaults<Shape>;
}

export const channelFields = {
  id: text,
  label: text.default("Made by hand"),
  type: text.default("email"),
  value: orNull.default(null),
  ...eachOf(channelExtras, (extra) => extra.default(null)),
  ...notificationFlags,
  typeHuman: text,
  isProtected: flag.default(false),
  isDisabled: flag.default(false),
  disabledReason: orNull.default(null),
  lastNotificationSentAt: sqlTimestamp.nullable().default(null),
  createdAt: sqlTimestamp,
} satisfies Fields<Omit<EmulatedChannel, "domainId">>;

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
