/** How stored things look on the wire (interface.md, section 2). The types are those of the client's schemas. */
import { z } from "zod";
import type {
  wireDnsChange,
  wireDomain,
  wireNotificationChannel,
  wireWhoisChange,
} from "../../client/internal/schemas";
import type { MonitoredComponent } from "../../client/types";
import { componentsOf } from "./components";
import type { StoredChange, StoredDomain } from "./seeds";
import { relativeText, sqlTimestamp } from "./times";
import type { EmulatedChannel } from "./types";

const dnsRecords = z.array(
  z.object({ host: z.string(), value: z.string(), ttl: z.number(), priority: z.number().optional() }),
);

/** interface.md, section 2.1. */
export function renderDomain(domain: StoredDomain, now: Date): z.infer<typeof wireDomain> {
  const { whois, dns, ssl } = componentsOf(domain, now);
  return {
    id: domain.id,
    label: domain.label,
    domain: domain.domain,
    description: domain.description,
    colour: domain.colour,
    provider: domain.provider,
    expires_at: domain.expiresAt,
    components: {
      whois: renderComponent(whois),
      dns: { ...renderComponent(dns), enabled_records: dns.enabledRecords },
      ssl: {
        is_enabled: ssl.isEnabled,
        issuer: ssl.issuer,
        organization: ssl.organization,
        expires_at: ssl.expiresAt,
        last_checked_at: ssl.lastCheckedAt,
        last_found_invalid_at: ssl.lastFoundInvalidAt,
        last_considered_valid_at: ssl.lastConsideredValidAt,
        has_changed_recently: ssl.hasChangedRecently,
      },
    },
    created_at: sqlTimestamp(domain.createdAt),
    updated_at: sqlTimestamp(latest(domain.createdAt, domain.checkedAt, domain.editedAt)),
  };
}

function latest(first: Date, ...others: (Date | null)[]): Date {
  return new Date(Math.max(first.getTime(), ...others.map((time) => time?.getTime() ?? 0)));
}

function renderComponent(component: MonitoredComponent) {
  return {
    is_enabled: component.isEnabled,
    check_interval: component.checkInterval,
    check_status: component.checkStatus,
    latest_check_details: component.latestCheckDetails,
    last_checked_at: component.lastCheckedAt,
    next_check_at: component.nextCheckAt,
    last_manual_check_at: component.lastManualCheckAt,
    changes_detected_at: component.changesDetectedAt,
    has_changed_recently: component.hasChangedRecently,
    was_manually_checked_recently: component.wasManuallyCheckedRecently,
  };
}

/** How a change record names its domain: by a number, or by that number as a text. */
export type DomainReference = (domain: StoredDomain) => number | string;

/** interface.md, section 2.2. */
export function renderWhoisChange(
  domain: StoredDomain,
  change: StoredChange,
  now: Date,
  reference: DomainReference,
): z.infer<typeof wireWhoisChange> {
  return {
    id: change.id,
    domain_id: reference(domain),
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
  reference: DomainReference,
): z.infer<typeof wireDnsChange> {
  const before = recordLines(change.oldValue);
  const after = recordLines(change.newValue);
  const removed = before.filter((line) => !after.includes(line));
  const added = after.filter((line) => !before.includes(line));
  return {
    ...renderWhoisChange(domain, change, now, reference),
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
  const { lastNotificationSentAt: sentAt } = channel;
  return {
    id: channel.id,
    label: channel.label,
    type: channel.type,
    type_human: channel.typeHuman,
    whois_notifications_enabled: channel.whoisNotificationsEnabled,
    dns_notifications_enabled: channel.dnsNotificationsEnabled,
    ssl_notifications_enabled: channel.sslNotificationsEnabled,
    is_protected: channel.isProtected,
    is_disabled: channel.isDisabled,
    disabled_reason: channel.disabledReason,
    last_notification_sent_at: sentAt,
    last_notification_sent_at_human: sentAt === null ? null : relativeText(sentAt, now),
    created_at: channel.createdAt,
    created_at_human: relativeText(channel.createdAt, now),
  };
}
