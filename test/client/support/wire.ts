/** Answers as the service gives them (interface.md, section 2). */

export const DOMAIN_ID = "11111111-1111-4111-8111-111111111111";

const component = {
  is_enabled: true,
  check_interval: "weekly",
  check_status: "HEALTHY",
  latest_check_details: "All good",
  last_checked_at: "2026-01-31T08:30:00.000000Z",
  next_check_at: null,
  last_manual_check_at: null,
  changes_detected_at: null,
  has_changed_recently: false,
  was_manually_checked_recently: false,
};

export function domain(extra: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    id: DOMAIN_ID,
    label: "Shop",
    domain: "shop.example",
    description: null,
    colour: null,
    provider: "Registrar",
    expires_at: "2027-01-31",
    components: {
      whois: component,
      dns: { ...component, enabled_records: ["A", "MX"] },
      ssl: {
        is_enabled: true,
        issuer: null,
        organization: null,
        expires_at: null,
        last_checked_at: null,
        last_found_invalid_at: null,
        last_considered_valid_at: null,
        has_changed_recently: false,
      },
    },
    created_at: "2026-01-01 00:00:00",
    updated_at: "2026-01-01 00:00:00",
    ...extra,
  };
}

export function whoisChange(id: string, extra: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    id,
    domain_id: 7,
    field_changed: "registrar",
    old_value: "Old",
    new_value: "New",
    identifier: "abc",
    created_at: "2026-01-31 08:30:00",
    created_at_human: "1 day ago",
    ...extra,
  };
}

export function dnsChange(id: string, extra: Record<string, unknown> = {}): Record<string, unknown> {
  return whoisChange(id, {
    field_changed: "a_records",
    old_value: "[]",
    new_value: '[{"host":"@","value":"192.0.2.1","ttl":300}]',
    field_changed_human: "A",
    old_value_formatted: "",
    new_value_formatted: "192.0.2.1",
    change_summary: "1 added",
    diff: "+ 192.0.2.1",
    ...extra,
  });
}

/** One page of a list; `links` may be replaced. */
export function page(
  data: unknown[],
  meta: { page?: number; lastPage?: number; total?: number; perPage?: number } = {},
  links: Record<string, unknown> = {},
): Record<string, unknown> {
  return {
    data,
    links: { first: null, last: null, prev: null, next: null, ...links },
    meta: {
      current_page: meta.page ?? 1,
      from: data.length > 0 ? 1 : null,
      last_page: meta.lastPage ?? 1,
      per_page: meta.perPage ?? 15,
      to: data.length > 0 ? data.length : null,
      total: meta.total ?? data.length,
    },
  };
}

export function channel(extra: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    id: "99999999-9999-4999-8999-999999999999",
    label: "On call",
    type: "email",
    type_human: "E-mail",
    whois_notifications_enabled: true,
    dns_notifications_enabled: true,
    ssl_notifications_enabled: true,
    is_protected: false,
    is_disabled: false,
    disabled_reason: null,
    last_notification_sent_at: null,
    last_notification_sent_at_human: null,
    created_at: "2026-01-31 08:30:00",
    created_at_human: "now",
    ...extra,
  };
}
