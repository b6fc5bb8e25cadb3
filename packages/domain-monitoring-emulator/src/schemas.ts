/**
 * The JSON on the wire (interface.md, sections 2 and 4): names in snake_case, and the rules of
 * requests. A schema checks what is sent, says which fields a response has, and documents both in
 * `/openapi.json`.
 */
import { z } from "@hono/zod-openapi";
import {
  changeFields,
  channelExtras,
  channelFields,
  dnsFields,
  domainFields,
  eachOf,
  MONITORED_RECORDS,
  monitoredFields,
  notificationFlags,
  sqlTimestamp,
  sslFields,
  TYPE_NAMES,
  webhookMethod,
  withoutDefaults,
} from "./fields";

function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

function camelCase(name: string): string {
  return name.replace(/_(\w)/g, (_match, letter: string) => letter.toUpperCase());
}

/** These fields in a response, which has all of them. */
function onWire(fields: z.ZodRawShape) {
  const given = Object.entries(withoutDefaults(fields));
  return z.object(Object.fromEntries(given.map(([name, field]) => [snakeCase(name), field])));
}

/** A body with these fields and no others. It is read with the names in camelCase. */
function received<Fields extends z.ZodRawShape>(fields: Fields) {
  const sent = Object.entries(fields).map(([name, field]) => [snakeCase(name), field]);

  return z
    .strictObject(Object.fromEntries(sent))
    .transform((body): z.output<z.ZodObject<Fields>> => {
      const read = Object.entries(body).map(([name, value]) => [camelCase(name), value]);
      return Object.fromEntries(read);
    });
}

/**
 * The fields that the schema has, of an object whose names are in camelCase. Seeds may hold values
 * that the schema does not.
 */
export function served(schema: z.ZodObject, given: object): Record<string, unknown> {
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
const count = z.int();

/** interface.md, section 2.1. */
export const domain = onWire({
  ...domainFields,
  components: z.object({
    whois: onWire(monitoredFields),
    dns: onWire(dnsFields),
    ssl: onWire(sslFields),
  }),
  createdAt: sqlTimestamp,
  updatedAt: sqlTimestamp,
}).meta({ id: "Domain" });

const shownChange = {
  ...changeFields,
  domainId: count,
  oldValue: orNull,
  newValue: orNull,
  identifier: text,
  createdAtHuman: text,
};

/** interface.md, section 2.2. */
export const whoisChange = onWire({
  ...shownChange,
  fieldChanged: text.meta({ examples: ["registrar", "nameservers"] }),
}).meta({ id: "WhoisChange" });

/** interface.md, section 2.3. */
export const dnsChange = onWire({
  ...shownChange,
  fieldChanged: text.meta({ examples: ["a_records", "mx_records"] }),
  fieldChangedHuman: text,
  oldValueFormatted: text,
  newValueFormatted: text,
  changeSummary: text,
  diff: text,
}).meta({ id: "DnsChange" });

const channelTypes = [...TYPE_NAMES.keys()];
const type = z.enum(channelTypes);

/** interface.md, section 2.4. The destination is write-only: no field repeats it. */
export const channel = onWire({
  ...channelFields,
  type,
  lastNotificationSentAtHuman: orNull,
  createdAtHuman: text,
})
  .omit({ value: true, ...eachOf(onWire(channelExtras).shape, () => true as const) })
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

const webhookMethods = webhookMethod.options.join(", ");

/** The rule for a webhook's method, as JSON Schema has it and as the emulator applies it. */
const METHOD_RULE = {
  anyOf: [
    { properties: { type: { enum: channelTypes.filter((known) => known !== "webhook") } } },
    { properties: { secondary_value: { enum: [...webhookMethod.options, null] } } },
  ],
};

function hasMethod(body: { type?: string; secondaryValue?: string | null }): boolean {
  return body.type !== "webhook" || webhookMethod.nullish().safeParse(body.secondaryValue).success;
}

const METHOD_EXPECTED = {
  path: ["secondary_value"],
  error: `must be one of ${webhookMethods} for a webhook`,
};

/** interface.md, section 4.4. */
export const createChannel = received({
  label,
  type,
  value: orNull,
  ...eachOf(channelExtras, (extra) => extra.optional()),
  ...eachOf(notificationFlags, (flag) =>
    flag
      .unwrap()
      .nullish()
      .transform((given) => given ?? true)
      .meta({ default: true }),
  ),
})
  .refine(hasMethod, METHOD_EXPECTED)
  .meta({
    id: "CreateNotificationChannel",
    description: "Unknown fields are refused.",
    example: {
      label: "On call",
      type: "email",
      value: "on-call@example.com",
    },
    ...METHOD_RULE,
  });

export const updateChannel = received({
  label: label.optional(),
  type: type.optional(),
  value: orNull.optional(),
  ...eachOf(channelExtras, (extra) => extra.optional()),
  ...eachOf(notificationFlags, (flag) => flag.unwrap().optional()),
})
  .refine(hasMethod, METHOD_EXPECTED)
  .meta({
    id: "UpdateNotificationChannel",
    description: "Fields that are left out stay. Unknown fields are refused.",
    example: { label: "On call" },
    ...METHOD_RULE,
  });

// Which intervals a plan has is not known; these occur in the documentation of the service.
const interval = z.enum(["hourly", "daily", "weekly"]);

const domainSettings = {
  description: orNull.optional(),
  colour: orNull.optional(),
  whoisCheckInterval: interval.optional(),
  dnsCheckInterval: interval.optional(),
  enabledDnsRecords: z.array(z.enum(MONITORED_RECORDS)).optional(),
};

const domainName = text.regex(/^[^\s/:@]+\.[^\s/:@]+$/, "must be the name of a domain");

export const createDomain = received({ ...domainSettings, domain: domainName, label }).meta({
  id: "CreateDomain",
  description: "Unknown fields are refused.",
  example: { domain: "example.com", label: "Company website" },
});

export const updateDomain = received({ ...domainSettings, label: label.optional() }).meta({
  id: "UpdateDomain",
  description:
    "Fields that are left out stay. Unknown fields are refused, also the name, which cannot be changed.",
  example: { label: "Company website" },
});
