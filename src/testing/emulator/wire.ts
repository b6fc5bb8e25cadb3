/** How stored things look on the wire (interface.md, section 2). The types are those of the client's schemas. */
import { z } from "zod";
import type {
  wireDnsChange,
  wireDomain,
  wireNotificationChannel,
  wireWhoisChange,
} from "../../client/schemas";
import type { StoredChange, StoredDomain } from "./data";
import { DAY, isoUtc, relativeText, sqlTimestamp, sqlToIsoUtc } from "./times";
import type { EmulatedChannel } from "./types";

const TYPE_NAMES = new Map([
  ["email", "Email"],
  ["discord", "Discord"],
  ["slack", "Slack"],
  ["ms_teams", "Microsoft Teams"],
  ["pushover", "Pushover"],
  ["webhook", "Webhook"],
]);

const MONITORED_RECORDS = ["A", "AAAA", "CNAME", "MX", "TXT", "SRV", "CAA", "PTR", "SOA"];

const dnsRecords = z.array(
  z.object({ host: z.string(), value: z.string(), ttl: z.number(), priority: z.number().optional() }),
);

/** interface.md, section 2.1. */
export function renderDomain(domain: StoredDomain, now: Date): z.infer<typeof wireDomain> {
  const created = sqlTimestamp(domain.createdAt);
  return {
    id: domain.id,
    label: domain.label,
    domain: domain.domain,
    description: domain.description,
    colour: domain.colour,
    provider: domain.provider,
    expires_at: domain.expiresAt,
    components: {
      whois: renderComponent(domain.checkedAt, domain.changes.whois[0], now),
      dns: {
        ...renderComponent(domain.checkedAt, domain.changes.dns[0], now),
        enabled_records: MONITORED_RECORDS,
      },
      ssl: renderCertificate(domain.checkedAt),
    },
    created_at: created,
    updated_at: domain.checkedAt === null ? created : sqlTimestamp(domain.checkedAt),
  };
}

function renderComponent(checkedAt: Date | null, newest: StoredChange | undefined, now: Date) {
  const weekAgo = sqlTimestamp(new Date(now.getTime() - 7 * DAY));
  return {
    is_enabled: true,
    check_interval: "weekly",
    check_status: checkedAt === null ? "PENDING" : "HEALTHY",
    latest_check_details: checkedAt === null ? null : "The latest check found no problems.",
    last_checked_at: checkedAt === null ? null : isoUtc(checkedAt),
    next_check_at: checkedAt === null ? null : isoUtc(new Date(checkedAt.getTime() + 7 * DAY)),
    last_manual_check_at: null,
    changes_detected_at: newest === undefined ? null : sqlToIsoUtc(newest.createdAt),
    // Both are SQL-TS, whose order as text is their order in time.
    has_changed_recently: newest !== undefined && newest.createdAt >= weekAgo,
    was_manually_checked_recently: false,
  };
}

function renderCertificate(checkedAt: Date | null) {
  const at = checkedAt === null ? null : isoUtc(checkedAt);
  return {
    is_enabled: true,
    issuer: checkedAt === null ? null : "Example Certificate Authority",
    organization: checkedAt === null ? null : "Example Organization",
    expires_at: checkedAt === null ? null : isoUtc(new Date(checkedAt.getTime() + 60 * DAY)),
    last_checked_at: at,
    last_found_invalid_at: null,
    last_considered_valid_at: at,
    has_changed_recently: false,
  };
}

/** interface.md, section 2.2. */
export function renderWhoisChange(
  domain: StoredDomain,
  change: StoredChange,
  now: Date,
): z.infer<typeof wireWhoisChange> {
  return {
    id: change.id,
    domain_id: domain.number,
    field_changed: change.fieldChanged,
    old_value: change.oldValue,
    new_value: change.newValue,
    identifier: change.identifier,
    created_at: change.createdAt,
    created_at_human: relativeText(change.createdAt, now),
  };
}

/** interface.md, section 2.3. */
export function renderDnsChange(
  domain: StoredDomain,
  change: StoredChange,
  now: Date,
): z.infer<typeof wireDnsChange> {
  const before = recordLines(change.oldValue);
  const after = recordLines(change.newValue);
  const removed = before.filter((line) => !after.includes(line));
  const added = after.filter((line) => !before.includes(line));
  return {
    ...renderWhoisChange(domain, change, now),
    field_changed_human: change.fieldChanged.replace(/_records$/, "").toUpperCase(),
    old_value_formatted: before.join("\n"),
    new_value_formatted: after.join("\n"),
    change_summary: `${added.length} added, ${removed.length} removed`,
    diff: [...removed.map((line) => `- ${line}`), ...added.map((line) => `+ ${line}`)].join("\n"),
  };
}

/** One line for each record; text that is not a list of records is a line of its own. */
function recordLines(value: string | null): string[] {
  if (value === null || value === "") return [];
  const records = dnsRecords.safeParse(decode(value));
  if (!records.success) return [value];
  return records.data.map(({ host, value, ttl, priority }) =>
    priority === undefined ? `${host} ${value} (TTL ${ttl})` : `${host} ${priority} ${value} (TTL ${ttl})`,
  );
}

function decode(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** interface.md, section 2.4. The destination is write-only: no field repeats it. */
export function renderChannel(channel: EmulatedChannel, now: Date): z.infer<typeof wireNotificationChannel> {
  return {
    id: channel.id,
    label: channel.label,
    type: channel.type,
    type_human: TYPE_NAMES.get(channel.type) ?? channel.type,
    whois_notifications_enabled: channel.whoisNotificationsEnabled,
    dns_notifications_enabled: channel.dnsNotificationsEnabled,
    ssl_notifications_enabled: channel.sslNotificationsEnabled,
    is_protected: false,
    is_disabled: false,
    disabled_reason: null,
    last_notification_sent_at: null,
    last_notification_sent_at_human: null,
    created_at: channel.createdAt,
    created_at_human: relativeText(channel.createdAt, now),
  };
}
