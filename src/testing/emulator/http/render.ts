/** The bodies of answers: stored things on the wire (interface.md, section 2), pages, and refused input. */
import { z } from "zod";
import type { MonitoredComponent } from "../../../client/types";
import type {
  wireDnsChange,
  wireDomain,
  wireNotificationChannel,
  wireWhoisChange,
} from "../../../client/wire";
import { componentsOf, type StoredChange, type StoredDomain } from "../data/domains";
import { relativeText, sqlTimestamp } from "../data/time";
import type { EmulatedChannel } from "../types";

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

/** One line for each record; text that is not a list of records is one line. */
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

/** A page of a list. */
export interface PageOf<Item> {
  /** The whole list, in its order. */
  items: readonly Item[];
  page: number;
  perPage: number;
  /** Absolute address of a page. */
  link: (page: number) => string;
}

/** One page of a list (interface.md, section 2.5). A page beyond the last one is empty, and its `prev` is the last page. */
export function paginate<Item>({ items, page, perPage, link }: PageOf<Item>) {
  const skipped = (page - 1) * perPage;
  const data = items.slice(skipped, skipped + perPage);
  const lastPage = Math.max(1, Math.ceil(items.length / perPage));
  return {
    data,
    links: {
      first: link(1),
      last: link(lastPage),
      prev: page > 1 ? link(Math.min(page - 1, lastPage)) : null,
      next: page < lastPage ? link(page + 1) : null,
    },
    meta: {
      current_page: page,
      from: data.length === 0 ? null : skipped + 1,
      last_page: lastPage,
      per_page: perPage,
      to: data.length === 0 ? null : skipped + data.length,
      total: items.length,
    },
  };
}

/** The fields of a zod issue that are used here. */
interface Issue {
  readonly code?: string | undefined;
  readonly path: readonly PropertyKey[];
  readonly message: string;
  /** Present on `unrecognized_keys`. */
  readonly keys?: readonly string[];
}

/** The body of a 422: `errors` maps field names to messages. */
export interface ValidationFailure {
  message: string;
  errors: Record<string, string[]>;
}

/**
 * Zod's messages name what was expected and the type of what came, never its value. Those on the body as a whole are
 * listed under `body`.
 */
export function validationFailure(issues: readonly Issue[]): ValidationFailure {
  // A map, because a submitted key may be called `__proto__`.
  const errors = new Map<string, string[]>();
  const add = (field: string, text: string) => errors.set(field, [...(errors.get(field) ?? []), text]);
  for (const issue of issues) {
    if (issue.code === "unrecognized_keys") {
      for (const key of issue.keys ?? []) add(key, "unknown field");
    } else {
      add(String(issue.path[0] ?? "body"), issue.message);
    }
  }
  return { message: "The given data was invalid.", errors: Object.fromEntries(errors) };
}
