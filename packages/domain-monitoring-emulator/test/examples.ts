/** The example domains, and a channel of the healthy one. */
export const HEALTHY = "11111111-1111-4111-8111-111111111111";
export const EXPIRING = "22222222-2222-4222-8222-222222222222";
export const UNCHECKED = "33333333-3333-4333-8333-333333333333";

/** Id of a channel made by hand. */
export const ID = "c0000000-0000-4000-8000-000000000001";
const domain = `/api/domains/${HEALTHY}`;

/** Addresses: of the healthy domain, but for the first. */
export const at = {
  domains: "/api/domains",
  domain,
  whois: `${domain}/changes/whois`,
  dns: `${domain}/changes/dns`,
  channels: `${domain}/notification-channels`,
  channel: `${domain}/notification-channels/${ID}`,
};

export const DESTINATION = "https://hooks.example.com/very-secret-destination";
export const channel = { label: "On call", type: "slack", value: DESTINATION };
export const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
export const SQL_TS = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/;
