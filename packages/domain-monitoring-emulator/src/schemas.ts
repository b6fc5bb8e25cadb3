/**
 * The JSON on the wire (interface.md, sections 2 and 4), by the emulator's own rules: a mistake in
 * the client's rules shows against these. A schema checks what is sent, says which fields a
 * response has, and documents both in `/openapi.json`.
 */
import { z } from "@hono/zod-openapi";
import { MONITORED_RECORDS } from "./domains";
import { TYPE_NAMES } from "./store";

type Camel<Name> = Name extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<Camel<Tail>>}`
  : Name;

function camelCase(name: string): string {
  return name.replace(/_(\w)/g, (_match, letter: string) => letter.toUpperCase());
}

/** The same fields by their names in the rest of the emulator: `type_human` is `typeHuman`. */
export function inCamelCase<Fields extends object>(
  fields: Fields,
): { [Name in keyof Fields as Camel<Name>]: Fields[Name] } {
  const renamed = Object.entries(fields).map(([name, value]) => [camelCase(name), value]);
  return Object.fromEntries(renamed);
}

/**
 * The fields that the schema has, of an object whose names are in camelCase. Seeds may hold values
 * that the schema does not.
 */
export function served<Schema extends z.ZodObject>(schema: Schema, given: object): z.infer<Schema> {
  const values: Record<string, unknown> = { ...given };
  const fields = Object.entries(schema.shape).map(([name, field]) => {
    const value = values[camelCase(name)];

    return [
      name,
      field instanceof z.ZodObject && value instanceof Object ? served(field, value) : value,
    ];
  });

  return Object.fromEntries(fields);
}

const text = z.string();
const orNull = text.nullable();
const flag = z.boolean();
const count = z.int();
const date = text.meta({ format: "date", description: "`DATE`: `YYYY-MM-DD`" });

const sqlTimestamp = text.meta({
  format: "sql-timestamp",
  description: "`SQL-TS`, in UTC: `YYYY-MM-DD HH:MM:SS`",
});

const isoUtc = text.meta({
  format: "date-time",
  description: "`ISO-UTC`: with microseconds and a trailing Z",
});

/** Fields of the WHOIS and DNS components. */
const monitored = z.object({
  is_enabled: flag,
  check_interval: text.meta({ examples: ["weekly"] }),
  check_status: text.meta({ examples: ["HEALTHY"] }),
  latest_check_details: text,
  last_checked_at: isoUtc.nullable(),
  next_check_at: isoUtc.nullable(),
  last_manual_check_at: orNull,
  changes_detected_at: orNull,
  has_changed_recently: flag,
  was_manually_checked_recently: flag,
});

const ssl = z.object({
  is_enabled: flag,
  issuer: orNull,
  organization: orNull,
  expires_at: orNull,
  last_checked_at: orNull,
  last_found_invalid_at: orNull,
  last_considered_valid_at: orNull,
  has_changed_recently: flag,
});

/** interface.md, section 2.1. */
export const domain = z
  .object({
    id: text,
    label: text,
    domain: text,
    description: orNull,
    colour: orNull,
    provider: orNull,
    expires_at: date.nullable(),
    components: z.object({
      whois: monitored,
      dns: monitored.extend({ enabled_records: z.array(text) }),
      ssl,
    }),
    created_at: sqlTimestamp,
    updated_at: sqlTimestamp,
  })
  .meta({ id: "Domain" });

/** interface.md, section 2.2. */
export const whoisChange = z
  .object({
    id: text,
    domain_id: count,
    field_changed: text.meta({ examples: ["registrar", "nameservers"] }),
    old_value: orNull,
    new_value: orNull,
    identifier: text,
    created_at: sqlTimestamp,
    created_at_human: text,
  })
  .meta({ id: "WhoisChange" });

/** interface.md, section 2.3. */
export const dnsChange = whoisChange
  .extend({
    field_changed: text.meta({ examples: ["a_records", "mx_records"] }),
    field_changed_human: text,
    old_value_formatted: text,
    new_value_formatted: text,
    change_summary: text,
    diff: text,
  })
  .meta({ id: "DnsChange" });

const channelTypes = [...TYPE_NAMES.keys()];
const type = z.enum(channelTypes);

const flags = <Schema extends z.ZodType>(schema: Schema) => ({
  whois_notifications_enabled: schema,
  dns_notifications_enabled: schema,
  ssl_notifications_enabled: schema,
});

/** interface.md, section 2.4. */
export const channel = z
  .object({
    id: text,
    label: text,
    type,
    type_human: text,
    ...flags(flag),
    is_protected: flag,
    is_disabled: flag,
    disabled_reason: orNull,
    last_notification_sent_at: sqlTimestamp.nullable(),
    last_notification_sent_at_human: orNull,
    created_at: sqlTimestamp,
    created_at_human: text,
  })
  .meta({ id: "NotificationChannel" });

/** interface.md, section 4.4. */
export const createdChannel = z
  .object({ data: channel })
  .meta({ id: "CreatedNotificationChannel" });

/** interface.md, section 2.5. */
function pageOf(item: z.ZodType, id: string) {
  const address = text.meta({ format: "uri" });
  const position = count.min(1).nullable();
  const links = {
    first: address,
    last: address,
    prev: address.nullable(),
    next: address.nullable(),
  };

  const meta = {
    from: position,
    current_page: count,
    last_page: count,
    per_page: count,
    to: position,
    total: count,
  };

  return z
    .object({
      data: z.array(item),
      links: z.object(links),
      meta: z.object(meta),
    })
    .meta({ id });
}

export const whoisPage = pageOf(whoisChange, "WhoisChangePage");
export const dnsPage = pageOf(dnsChange, "DnsChangePage");
export const channelPage = pageOf(channel, "NotificationChannelPage");
export const domainPage = pageOf(domain, "DomainPage");

/**
 * The documentation of the service shows the domain that was created in a list; that of an update
 * does not.
 */
export const createdDomain = z
  .object({ data: z.array(domain).length(1) })
  .meta({ id: "CreatedDomain" });

export const updatedDomain = z.object({ data: domain }).meta({ id: "UpdatedDomain" });

export const problem = z.object({ message: text }).meta({ id: "Problem" });

export const validationProblem = z
  .object({ message: text, errors: z.record(text, z.array(text)) })
  .meta({ id: "ValidationProblem", description: "`errors` maps field names to texts." });

// JSON Schema cannot express refinements and defaults of the work, so the document states them
// separately.
const SHORTEST = 3;
const LONGEST = 100;

const label = text
  .refine(
    (given) => [...given].length >= SHORTEST && [...given].length <= LONGEST,
    `must have ${SHORTEST} to ${LONGEST} characters`,
  )
  .meta({ minLength: SHORTEST, maxLength: LONGEST });

const webhookMethod = z.enum(["POST", "PUT", "PATCH"]);
const webhookMethods = webhookMethod.options.join(", ");

/** A body with the rule for a webhook's method, which JSON Schema has in another form. */
function withMethodRule<Fields extends { type?: string; secondary_value?: string | null }>(
  body: z.ZodType<Fields>,
  meta: { id: string; description: string; example: object },
) {
  return body
    .refine(
      ({ type, secondary_value }) =>
        type !== "webhook" || webhookMethod.nullish().safeParse(secondary_value).success,
      { path: ["secondary_value"], error: `must be one of ${webhookMethods} for a webhook` },
    )
    .meta({
      ...meta,
      anyOf: [
        { properties: { type: { enum: channelTypes.filter((known) => known !== "webhook") } } },
        { properties: { secondary_value: { enum: [...webhookMethod.options, null] } } },
      ],
    });
}

/** interface.md, section 4.4. */
export const createChannel = withMethodRule(
  z.strictObject({
    label,
    type,
    value: orNull,
    secondary_value: text
      .nullish()
      .meta({ description: `For a webhook the HTTP method: ${webhookMethods}.` }),
    ...flags(
      flag
        .nullish()
        .transform((given) => given ?? true)
        .meta({ default: true }),
    ),
  }),
  {
    id: "CreateNotificationChannel",
    description: "Unknown fields are refused.",
    example: {
      label: "On call",
      type: "email",
      value: "on-call@example.com",
    },
  },
);

export const updateChannel = withMethodRule(
  z
    .strictObject({
      label,
      type,
      value: orNull,
      secondary_value: orNull,
      ...flags(flag),
    })
    .partial(),
  {
    id: "UpdateNotificationChannel",
    description: "Fields that are left out stay. Unknown fields are refused.",
    example: { label: "On call" },
  },
);

// Which intervals a plan has is not known; these occur in the documentation of the service.
const interval = z.enum(["hourly", "daily", "weekly"]);

const domainSettings = z
  .strictObject({
    description: orNull,
    colour: orNull,
    whois_check_interval: interval,
    dns_check_interval: interval,
    enabled_dns_records: z.array(z.enum(MONITORED_RECORDS)),
  })
  .partial();

const domainName = text.regex(/^[^\s/:@]+\.[^\s/:@]+$/, "must be the name of a domain");

export const createDomain = domainSettings.extend({ domain: domainName, label }).meta({
  id: "CreateDomain",
  description: "Unknown fields are refused.",
  example: { domain: "example.com", label: "Company website" },
});

export const updateDomain = domainSettings.extend({ label: label.optional() }).meta({
  id: "UpdateDomain",
  description:
    "Fields that are left out stay. Unknown fields are refused, also the name, which cannot be changed.",
  example: { label: "Company website" },
});
