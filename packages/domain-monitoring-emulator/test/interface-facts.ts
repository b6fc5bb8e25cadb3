/**
 * The facts of the interface, read from the tables of its document and from nothing in the code.
 * What the document says beside its tables is written down by hand.
 */
import { readFileSync } from "node:fs";
import path from "node:path";

/** Name of each field and its type. */
type Fields = Record<string, string>;

const file = path.join(__dirname, "../../../docs/contributing/interface.md");
const document = readFileSync(file, "utf8");

/** The rows of the table under a heading: names, type, and what stands in the third column. */
function rowsUnder(heading: string): [name: string, type: string, third: string][] {
  const section = document.split(`# ${heading}\n`)[1]?.split("\n#")[0] ?? "";
  const rows = [...section.matchAll(/^\| ([a-z][\w., /]*?) +\| (.+?) +\|(?: (.*?) +\|)?/gm)];

  return rows.flatMap(([, names = "", type = "", third = ""]) =>
    names.split(/, | \/ /).map((name): [string, string, string] => [name, type, third]),
  );
}

function fieldsUnder(heading: string): Fields {
  return Object.fromEntries(rowsUnder(heading).map(([name, type]) => [name, type]));
}

const monitored = fieldsUnder("components.whois and components.dns (common fields)");
const whoisChange = fieldsUnder("2.2 WHOIS change record");

/** 2.5: `links.first` is a field of `links`. */
function pageOf(page: string, item: string): Record<string, Fields> {
  const rows = rowsUnder("2.5 Pagination envelope (change lists)");
  const within = (part: string) => {
    const own = rows.filter(([name]) => name.startsWith(`${part}.`));
    return Object.fromEntries(own.map(([name, type]) => [name.slice(part.length + 1), type]));
  };

  return {
    [page]: { data: `array of ${item}`, links: "object", meta: "object" },
    [`${page}.links`]: within("links"),
    [`${page}.meta`]: within("meta"),
  };
}

/** Section 2 and 4.4: what each object has, by its schema and its place in it. */
export const OBJECTS: Record<string, Fields> = {
  Domain: fieldsUnder("2.1 Domain"),
  "Domain.components": { whois: "object", dns: "object", ssl: "object" },
  "Domain.components.whois": monitored,
  "Domain.components.dns": { ...monitored, ...fieldsUnder("components.dns only") },
  "Domain.components.ssl": fieldsUnder("components.ssl"),
  WhoisChange: whoisChange,
  // The type of a value is in its row of both tables, with what is in its text.
  DnsChange: { ...whoisChange, ...fieldsUnder("2.3 DNS change record") },
  NotificationChannel: fieldsUnder("2.4 Notification channel"),
  ...pageOf("WhoisChangePage", "WhoisChange"),
  ...pageOf("DnsChangePage", "DnsChange"),
  CreatedNotificationChannel: { data: "NotificationChannel" },
};

/**
 * Where the emulator's description is not what the document says, on purpose: it also serves null,
 * because a service has no other value there, and a client that is only tested with texts breaks on
 * the first new domain.
 */
export const ALSO_NULL = [
  // Of a domain that has not been checked.
  ...["expires_at", "components.whois.latest_check_details"].map((field) => `Domain.${field}`),
  "Domain.components.dns.latest_check_details",
  // Of a field that had or has no value, and of an empty page.
  ...["WhoisChange", "DnsChange"].flatMap((kind) => [
    ...[`${kind}.old_value`, `${kind}.new_value`],
    ...[`${kind}Page.meta.from`, `${kind}Page.meta.to`],
  ]),
];

const CHANNEL_TYPES = ["email", "discord", "slack", "ms_teams", "pushover", "webhook"];

/** 2.4 and 4.4: the only closed list of values. */
export const ENUMS = {
  "NotificationChannel.type": CHANNEL_TYPES,
  "CreateNotificationChannel.type": CHANNEL_TYPES,
};

/** 2.1 to 2.3: values that occur, where others are not shown. */
export const OCCURRING = {
  "Domain.components.whois.check_interval": ["weekly"],
  "Domain.components.dns.check_interval": ["weekly"],
  "Domain.components.whois.check_status": ["HEALTHY"],
  "Domain.components.dns.check_status": ["HEALTHY"],
  "WhoisChange.field_changed": ["registrar", "nameservers"],
  "DnsChange.field_changed": ["a_records", "mx_records"],
};

/** Parameters of 4.2 and of 4.3. The identifier is listed both as a string and as an integer. */
const listParameters = {
  domain_id: { in: "path", required: true, type: "string or integer" },
  per_page: { in: "query", required: false, type: "integer", default: 15, maximum: 100 },
  page: { in: "query", required: false, type: "integer" },
};

const inPath = { in: "path", required: true, type: "string" };

/** A request without a body. */
const reading = (path: string, parameters: object, answer: string) => {
  return { method: "get", path: `/api/domains/${path}`, parameters, body: undefined, answer };
};

/** Section 4. Success statuses and errors are not shown, so there are none here. */
export const OPERATIONS = [
  reading("{id}", { id: inPath }, "Domain"),
  reading("{domain_id}/changes/whois", listParameters, "WhoisChangePage"),
  reading("{domain_id}/changes/dns", listParameters, "DnsChangePage"),
  {
    method: "post",
    path: "/api/domains/{domain_id}/notification-channels",
    parameters: { domain_id: inPath },
    body: "CreateNotificationChannel",
    answer: "CreatedNotificationChannel",
  },
];

const createRows = rowsUnder("4.4 Create a notification channel");

/** 4.4 and section 8: the body of the create. */
export const CREATE_BODY = {
  fields: fieldsUnder("4.4 Create a notification channel"),
  required: createRows.filter(([, , required]) => required === "yes").map(([name]) => name),
  defaults: {
    whois_notifications_enabled: true,
    ssl_notifications_enabled: true,
    dns_notifications_enabled: true,
  },
  labelLength: { minLength: 3, maxLength: 100 },
  webhookMethods: ["POST", "PUT", "PATCH"],
};
