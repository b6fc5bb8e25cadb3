/** A domain in the service's JSON. */
import { z } from "zod";
import type { Domain, MonitoredComponent, Page } from "../types";
import { nullableText, openEnum, paged, read, toPage, wirePage } from "./responses";

const monitoredComponent = {
  is_enabled: z.boolean(),
  check_interval: openEnum<"weekly">(),
  check_status: openEnum<"HEALTHY">(),
  latest_check_details: nullableText,
  last_checked_at: nullableText,
  next_check_at: nullableText,
  last_manual_check_at: nullableText,
  changes_detected_at: nullableText,
  has_changed_recently: z.boolean(),
  was_manually_checked_recently: z.boolean(),
};

/** interface.md, section 2.1. */
export const wireDomain = z.object({
  id: z.string(),
  label: z.string(),
  domain: z.string(),
  description: nullableText,
  colour: nullableText,
  provider: nullableText,
  expires_at: nullableText,
  components: z.object({
    whois: z.object(monitoredComponent),
    dns: z.object({ ...monitoredComponent, enabled_records: z.array(z.string()) }),
    ssl: z.object({
      is_enabled: z.boolean(),
      issuer: nullableText,
      organization: nullableText,
      expires_at: nullableText,
      last_checked_at: nullableText,
      last_found_invalid_at: nullableText,
      last_considered_valid_at: nullableText,
      has_changed_recently: z.boolean(),
    }),
  }),
  created_at: z.string(),
  updated_at: z.string(),
});

const wireDomainPage = wirePage(wireDomain);

/** Reads the answer of 4.1. @throws UnexpectedShape */
export function readDomain(body: unknown): Domain {
  return toDomain(read(wireDomain, body));
}

/** Reads a page of domains, which the interface does not show. @throws UnexpectedShape */
export function readDomainPage(body: unknown): Page<Domain> {
  return toPage(read(wireDomainPage, paged(body)), toDomain);
}

function toDomain(wire: z.infer<typeof wireDomain>): Domain {
  const { whois, dns, ssl } = wire.components;
  return {
    id: wire.id,
    label: wire.label,
    domain: wire.domain,
    description: wire.description ?? null,
    colour: wire.colour ?? null,
    provider: wire.provider ?? null,
    expiresAt: wire.expires_at ?? null,
    components: {
      whois: toComponent(whois),
      dns: { ...toComponent(dns), enabledRecords: dns.enabled_records },
      ssl: {
        isEnabled: ssl.is_enabled,
        issuer: ssl.issuer ?? null,
        organization: ssl.organization ?? null,
        expiresAt: ssl.expires_at ?? null,
        lastCheckedAt: ssl.last_checked_at ?? null,
        lastFoundInvalidAt: ssl.last_found_invalid_at ?? null,
        lastConsideredValidAt: ssl.last_considered_valid_at ?? null,
        hasChangedRecently: ssl.has_changed_recently,
      },
    },
    createdAt: wire.created_at,
    updatedAt: wire.updated_at,
  };
}

function toComponent(wire: z.infer<typeof wireDomain>["components"]["whois"]): MonitoredComponent {
  return {
    isEnabled: wire.is_enabled,
    checkInterval: wire.check_interval,
    checkStatus: wire.check_status,
    latestCheckDetails: wire.latest_check_details ?? null,
    lastCheckedAt: wire.last_checked_at ?? null,
    nextCheckAt: wire.next_check_at ?? null,
    lastManualCheckAt: wire.last_manual_check_at ?? null,
    changesDetectedAt: wire.changes_detected_at ?? null,
    hasChangedRecently: wire.has_changed_recently,
    wasManuallyCheckedRecently: wire.was_manually_checked_recently,
  };
}
