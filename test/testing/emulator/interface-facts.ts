/**
 * The facts of the interface document's tables, by section, in the document's own terms. Written down by hand from the
 * document and from nothing in this repository, so that a mistake in the schemas shows.
 */

/** Name of each field and its type. */
export type Fields = Record<string, string>;

/** 2.1, components.whois and components.dns (common fields). */
const monitored: Fields = {
  is_enabled: "boolean",
  check_interval: "string",
  check_status: "string",
  latest_check_details: "string",
  last_checked_at: "ISO-UTC or null",
  next_check_at: "ISO-UTC or null",
  last_manual_check_at: "timestamp or null",
  changes_detected_at: "timestamp or null",
  has_changed_recently: "boolean",
  was_manually_checked_recently: "boolean",
};

/** 2.2. */
const whoisChange: Fields = {
  id: "string",
  domain_id: "integer",
  field_changed: "string",
  old_value: "string",
  new_value: "string",
  identifier: "string",
  created_at: "SQL-TS",
  created_at_human: "string",
};

/** Section 2: what each object has. Under which schema, and where in it, is the other half of the key. */
export const OBJECTS: Record<string, { section: string; fields: Fields }> = {
  Domain: {
    section: "2.1",
    fields: {
      id: "string",
      label: "string",
      domain: "string",
      description: "string or null",
      colour: "string or null",
      provider: "string or null",
      expires_at: "DATE",
      components: "object",
      created_at: "SQL-TS",
      updated_at: "SQL-TS",
    },
  },
  "Domain.components": { section: "2.1", fields: { whois: "object", dns: "object", ssl: "object" } },
  "Domain.components.whois": { section: "2.1, components.whois", fields: monitored },
  "Domain.components.dns": {
    section: "2.1, components.dns",
    fields: { ...monitored, enabled_records: "array of string" },
  },
  "Domain.components.ssl": {
    section: "2.1, components.ssl",
    fields: {
      is_enabled: "boolean",
      issuer: "string or null",
      organization: "string or null",
      expires_at: "timestamp or null",
      last_checked_at: "timestamp or null",
      last_found_invalid_at: "timestamp or null",
      last_considered_valid_at: "timestamp or null",
      has_changed_recently: "boolean",
    },
  },
  WhoisChange: { section: "2.2", fields: whoisChange },
  DnsChange: {
    section: "2.3",
    fields: {
      ...whoisChange,
      field_changed_human: "string",
      old_value_formatted: "string",
      new_value_formatted: "string",
      change_summary: "string",
      diff: "string",
    },
  },
  NotificationChannel: {
    section: "2.4",
    fields: {
      id: "string",
      label: "string",
      type: "string",
      type_human: "string",
      whois_notifications_enabled: "boolean",
      dns_notifications_enabled: "boolean",
      ssl_notifications_enabled: "boolean",
      is_protected: "boolean",
      is_disabled: "boolean",
      disabled_reason: "string or null",
      last_notification_sent_at: "SQL-TS or null",
      last_notification_sent_at_human: "string or null",
      created_at: "SQL-TS",
      created_at_human: "string",
    },
  },
  WhoisChangePage: {
    section: "2.5",
    fields: { data: "array of WhoisChange", links: "object", meta: "object" },
  },
  DnsChangePage: { section: "2.5", fields: { data: "array of DnsChange", links: "object", meta: "object" } },
  ...envelopeOf("WhoisChangePage"),
  ...envelopeOf("DnsChangePage"),
  CreatedNotificationChannel: { section: "4.4", fields: { data: "NotificationChannel" } },
};

/** 2.5, links and meta. */
function envelopeOf(page: string) {
  return {
    [`${page}.links`]: {
      section: "2.5",
      fields: { first: "URL", last: "URL", prev: "URL or null", next: "URL or null" },
    },
    [`${page}.meta`]: {
      section: "2.5",
      fields: {
        current_page: "integer",
        from: "integer",
        last_page: "integer",
        per_page: "integer",
        to: "integer",
        total: "integer",
      },
    },
  };
}

/**
 * Where the emulator's description is not what the document says, on purpose: it also serves null, because a service
 * has no other value there, and a client that is only tested with texts breaks on the first new domain.
 */
export const ALSO_NULL: Record<string, string> = {
  "Domain.expires_at": "before the first WHOIS check",
  "Domain.components.whois.latest_check_details": "before the first check",
  "Domain.components.dns.latest_check_details": "before the first check",
  "WhoisChange.old_value": "a field that had no value",
  "WhoisChange.new_value": "a field that has none any more",
  "DnsChange.old_value": "a field that had no value",
  "DnsChange.new_value": "a field that has none any more",
  "WhoisChangePage.meta.from": "an empty page",
  "WhoisChangePage.meta.to": "an empty page",
  "DnsChangePage.meta.from": "an empty page",
  "DnsChangePage.meta.to": "an empty page",
};

const CHANNEL_TYPES = ["email", "discord", "slack", "ms_teams", "pushover", "webhook"];

/** 2.4 and 4.4: the only closed list of values. */
export const ENUMS: Record<string, string[]> = {
  "NotificationChannel.type": CHANNEL_TYPES,
  "CreateNotificationChannel.type": CHANNEL_TYPES,
};

/** 2.1 to 2.3: values that occur, where others are not shown. */
export const OCCURRING: Record<string, string[]> = {
  "Domain.components.whois.check_interval": ["weekly"],
  "Domain.components.dns.check_interval": ["weekly"],
  "Domain.components.whois.check_status": ["HEALTHY"],
  "Domain.components.dns.check_status": ["HEALTHY"],
  "WhoisChange.field_changed": ["registrar", "nameservers"],
  "DnsChange.field_changed": ["a_records", "mx_records"],
};

/** 2.3: what is in the text of `old_value` and `new_value`. */
export const DNS_RECORD: Record<string, string> = { host: "string", value: "string", ttl: "number" };
export const MX_RECORD: Record<string, string> = { ...DNS_RECORD, priority: "number" };

/** 4.2 and 4.3. */
const listParameters = {
  domain_id: { in: "path", required: true, type: "string or integer" },
  per_page: { in: "query", required: false, type: "integer", default: 15, maximum: 100 },
  page: { in: "query", required: false, type: "integer" },
};

/** Section 4. Success statuses and errors are not shown, so there are none here. */
export const OPERATIONS = [
  {
    section: "4.1",
    method: "get",
    path: "/api/domains/{id}",
    parameters: { id: { in: "path", required: true, type: "string" } },
    body: undefined,
    answer: "Domain",
  },
  {
    section: "4.2",
    method: "get",
    path: "/api/domains/{domain_id}/changes/whois",
    parameters: listParameters,
    body: undefined,
    answer: "WhoisChangePage",
  },
  {
    section: "4.3",
    method: "get",
    path: "/api/domains/{domain_id}/changes/dns",
    parameters: listParameters,
    body: undefined,
    answer: "DnsChangePage",
  },
  {
    section: "4.4",
    method: "post",
    path: "/api/domains/{domain_id}/notification-channels",
    parameters: { domain_id: { in: "path", required: true, type: "string" } },
    body: "CreateNotificationChannel",
    answer: "CreatedNotificationChannel",
  },
];

/** 4.4 and section 8: the body of the create. */
export const CREATE_BODY = {
  fields: {
    label: "string",
    type: "string",
    value: "string or null",
    secondary_value: "string or null",
    whois_notifications_enabled: "boolean or null",
    ssl_notifications_enabled: "boolean or null",
    dns_notifications_enabled: "boolean or null",
  },
  required: ["label", "type", "value"],
  defaults: {
    whois_notifications_enabled: true,
    ssl_notifications_enabled: true,
    dns_notifications_enabled: true,
  },
  labelLength: { minLength: 3, maxLength: 100 },
  webhookMethods: ["POST", "PUT", "PATCH"],
};
