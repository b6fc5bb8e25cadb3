/**
 * The content of `/openapi.json` besides the routes. The answers are the client's own schemas, but exact: the client reads
 * tolerantly what this service always sends, so what may be missing there is always present here, and formats and values
 * are named.
 */
import { z } from "@hono/zod-openapi";
import { CHANNEL_TYPES } from "../../../client/types";
import {
  channel,
  dnsChange,
  dnsComponent,
  domain,
  sslComponent,
  whoisChange,
  whoisComponent,
} from "../../../client/wire";
import type { Codec } from "../../../client/wire/codec";
import type { Wire } from "../../../client/wire/names";
import { pageLinks, pageMeta } from "../../../client/wire/responses";

/** The bearer token (interface.md, section 5). */
export const securityScheme = {
  type: "http",
  scheme: "bearer",
  description: "The API token from the account settings.",
} as const;

/** Title, version and server of the document. */
export function openApiHead(origin: string) {
  return {
    openapi: "3.1.0",
    info: {
      title: "Domain monitoring service (local emulator)",
      version: "1.0.0",
      description:
        "What the emulator of pulumi-domain-monitoring serves, with the options it was started with. Null where the " +
        "interface does not say so stands for what is not known before a first check.",
    },
    servers: [{ url: origin }],
  };
}

const date = z.string().meta({ format: "date", description: "`DATE`: `YYYY-MM-DD`" });
const sqlTimestamp = z
  .string()
  .meta({ format: "sql-timestamp", description: "`SQL-TS`, in UTC: `YYYY-MM-DD HH:MM:SS`" });
const isoUtc = z
  .string()
  .meta({ format: "date-time", description: "`ISO-UTC`: with microseconds and a trailing Z" });
const text = z.string();
const position = z.int().min(1).nullable();

/** The object with every field required, and some of them described more precisely. */
function exact<T>({ schema }: Codec<T>, fields: Partial<Record<keyof Wire<T>, z.ZodType>>) {
  const present: Record<string, z.ZodType> = {};
  for (const [name, field] of Object.entries<z.core.$ZodType>(schema.shape)) {
    const always = field instanceof z.ZodOptional ? field.unwrap() : field;
    if (always instanceof z.ZodType) present[name] = always;
  }
  return z.object({ ...present, ...fields });
}

const checked = {
  check_interval: text.meta({ examples: ["weekly"] }),
  check_status: text.meta({ examples: ["HEALTHY"] }),
  last_checked_at: isoUtc.nullable(),
  next_check_at: isoUtc.nullable(),
};

/** interface.md, section 2.1. */
export const documentedDomain = exact(domain, {
  expires_at: date.nullable(),
  components: z.object({
    whois: exact(whoisComponent, checked),
    dns: exact(dnsComponent, checked),
    ssl: exact(sslComponent, {}),
  }),
  created_at: sqlTimestamp,
  updated_at: sqlTimestamp,
}).meta({ id: "Domain" });

const present = { domain_id: z.int(), created_at: sqlTimestamp, created_at_human: text };

const documentedWhois = exact(whoisChange, {
  ...present,
  field_changed: text.meta({ examples: ["registrar", "nameservers"] }),
}).meta({ id: "WhoisChange" });

const documentedDns = exact(dnsChange, {
  ...present,
  field_changed: text.meta({ examples: ["a_records", "mx_records"] }),
  field_changed_human: text,
  old_value_formatted: text,
  new_value_formatted: text,
  change_summary: text,
  diff: text,
}).meta({ id: "DnsChange" });

/** interface.md, sections 2.2 and 2.5. */
export const documentedWhoisPage = documentedPage(documentedWhois).meta({ id: "WhoisChangePage" });

/** interface.md, sections 2.3 and 2.5. */
export const documentedDnsPage = documentedPage(documentedDns).meta({ id: "DnsChangePage" });

function documentedPage(item: z.ZodType) {
  const address = text.meta({ format: "uri" });
  return z.object({
    data: z.array(item),
    links: exact(pageLinks, {
      first: address,
      last: address,
      prev: address.nullable(),
      next: address.nullable(),
    }),
    meta: exact(pageMeta, { from: position, to: position }),
  });
}

/** interface.md, section 2.4. */
export const documentedChannel = exact(channel, {
  type: z.enum(CHANNEL_TYPES),
  last_notification_sent_at: sqlTimestamp.nullable(),
  created_at: sqlTimestamp,
  created_at_human: text,
}).meta({ id: "NotificationChannel" });

/** interface.md, section 4.4. */
export const documentedCreated = z
  .object({ data: documentedChannel })
  .meta({ id: "CreatedNotificationChannel" });

/** As section 2.5; that there is such a list is not in the interface. */
export const documentedDomainPage = documentedPage(documentedDomain).meta({ id: "DomainPage" });

/** As section 2.5; that there is such a list is not in the interface. */
export const documentedChannelPage = documentedPage(documentedChannel).meta({
  id: "NotificationChannelPage",
});
