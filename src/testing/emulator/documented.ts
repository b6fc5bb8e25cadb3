/**
 * The answers as `/openapi.json` shows them: the client's own schemas, but exact. The client reads tolerantly what this
 * service always sends, so what may be missing there is always present here, and formats and values are named.
 */
import { z } from "@hono/zod-openapi";
import {
  wireDnsChange,
  wireDomain,
  wireNotificationChannel,
  wirePage,
  wireWhoisChange,
} from "../../client/internal/schemas";
import { CHANNEL_TYPES } from "../../client/types";

const date = z.string().meta({ format: "date", description: "`DATE`: `YYYY-MM-DD`" });
const sqlTimestamp = z
  .string()
  .meta({ format: "sql-timestamp", description: "`SQL-TS`, in UTC: `YYYY-MM-DD HH:MM:SS`" });
const isoUtc = z
  .string()
  .meta({ format: "date-time", description: "`ISO-UTC`: with microseconds and a trailing Z" });
const text = z.string();
const position = z.int().min(1).nullable();

type Fields<Shape> = Partial<Record<keyof Shape, z.ZodType>>;

/** The object with every field present, and some of them said more precisely. All names are the client's. */
function exact<Shape extends z.ZodRawShape>({ shape }: z.ZodObject<Shape>, fields: Fields<Shape>) {
  const present: Record<string, z.ZodType> = {};
  for (const [name, field] of Object.entries<z.core.$ZodType>(shape)) {
    const always = field instanceof z.ZodOptional ? field.unwrap() : field;
    if (always instanceof z.ZodType) present[name] = always;
  }
  return z.object({ ...present, ...fields });
}

const { whois, dns, ssl } = wireDomain.shape.components.shape;
const checked = {
  check_interval: text.meta({ examples: ["weekly"] }),
  check_status: text.meta({ examples: ["HEALTHY"] }),
  last_checked_at: isoUtc.nullable(),
  next_check_at: isoUtc.nullable(),
};

/** interface.md, section 2.1. */
export const documentedDomain = exact(wireDomain, {
  expires_at: date.nullable(),
  components: z.object({ whois: exact(whois, checked), dns: exact(dns, checked), ssl: exact(ssl, {}) }),
  created_at: sqlTimestamp,
  updated_at: sqlTimestamp,
}).meta({ id: "Domain" });

/** interface.md, sections 2.2, 2.3 and 2.5: the two pages. */
export function documentedPages(domainId: "integer" | "string") {
  const change = {
    domain_id: domainId === "integer" ? z.int() : text,
    created_at: sqlTimestamp,
    created_at_human: text,
  };
  const whoisChange = exact(wireWhoisChange, {
    ...change,
    field_changed: text.meta({ examples: ["registrar", "nameservers"] }),
  });
  const dnsChange = exact(wireDnsChange, {
    ...change,
    field_changed: text.meta({ examples: ["a_records", "mx_records"] }),
    field_changed_human: text,
    old_value_formatted: text,
    new_value_formatted: text,
    change_summary: text,
    diff: text,
  });
  return {
    whois: documentedPage(whoisChange.meta({ id: "WhoisChange" })).meta({ id: "WhoisChangePage" }),
    dns: documentedPage(dnsChange.meta({ id: "DnsChange" })).meta({ id: "DnsChangePage" }),
  };
}

function documentedPage(item: z.ZodType) {
  const page = wirePage(item);
  const { links, meta } = page.shape;
  const address = text.meta({ format: "uri" });
  return exact(page, {
    links: exact(links, {
      first: address,
      last: address,
      prev: address.nullable(),
      next: address.nullable(),
    }),
    meta: exact(meta, { from: position, to: position }),
  });
}

/** interface.md, sections 2.4 and 4.4. */
export const documentedCreated = z
  .object({
    data: exact(wireNotificationChannel, {
      type: z.enum(CHANNEL_TYPES),
      last_notification_sent_at: sqlTimestamp.nullable(),
      created_at: sqlTimestamp,
      created_at_human: text,
    }).meta({ id: "NotificationChannel" }),
  })
  .meta({ id: "CreatedNotificationChannel" });
