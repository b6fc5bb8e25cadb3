/** Answers as the service gives them (interface.md, section 2). */

export const DOMAIN_ID = "11111111-1111-4111-8111-111111111111";

type Fields = Record<string, unknown>;

/** Fields with one value. */
const all = (value: unknown, ...names: string[]): Fields =>
  Object.fromEntries(names.map((name) => [name, value]));

const component = {
  check_interval: "weekly",
  check_status: "HEALTHY",
  latest_check_details: "All good",
  last_checked_at: "2026-01-31T08:30:00.000000Z",
  is_enabled: true,
  ...all(null, "next_check_at", "last_manual_check_at", "changes_detected_at"),
  ...all(false, "has_changed_recently", "was_manually_checked_recently"),
};

const certificate = {
  is_enabled: true,
  ...all(null, "issuer", "organization", "expires_at", "last_checked_at"),
  ...all(null, "last_found_invalid_at", "last_considered_valid_at"),
  has_changed_recently: false,
};

export function domain(extra: Fields = {}): Fields {
  return {
    id: DOMAIN_ID,
    label: "Shop",
    domain: "shop.example",
    ...all(null, "description", "colour"),
    provider: "Registrar",
    expires_at: "2027-01-31",
    components: {
      whois: component,
      dns: { ...component, enabled_records: ["A", "MX"] },
      ssl: certificate,
    },
    ...all("2026-01-01 00:00:00", "created_at", "updated_at"),
    ...extra,
  };
}

/** The same, with these fields in one of its components. */
export function domainWith(part: "whois" | "dns" | "ssl", extra: Fields): Fields {
  const { components } = domain() as { components: Record<string, Fields> };
  return domain({ components: { ...components, [part]: { ...components[part], ...extra } } });
}

export function whoisChange(id: string, extra: Fields = {}): Fields {
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

export function dnsChange(id: string, extra: Fields = {}): Fields {
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
  { page = 1, lastPage = 1, total = data.length, perPage = 15 } = {},
  links: Fields = {},
): Fields {
  const [from, to] = data.length > 0 ? [1, data.length] : [null, null];
  return {
    data,
    links: { ...all(null, "first", "last", "prev", "next"), ...links },
    meta: { current_page: page, from, last_page: lastPage, per_page: perPage, to, total },
  };
}

export function channel(extra: Fields = {}): Fields {
  return {
    id: "99999999-9999-4999-8999-999999999999",
    label: "On call",
    type: "email",
    type_human: "E-mail",
    ...all(
      true,
      "whois_notifications_enabled",
      "dns_notifications_enabled",
      "ssl_notifications_enabled",
    ),
    ...all(false, "is_protected", "is_disabled"),
    ...all(null, "disabled_reason", "last_notification_sent_at", "last_notification_sent_at_human"),
    created_at: "2026-01-31 08:30:00",
    created_at_human: "now",
    ...extra,
  };
}
