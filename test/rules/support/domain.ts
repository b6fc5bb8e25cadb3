import type { DomainResult } from "../../../src";

/** A domain in good order, with these dates. */
export function domain({
  expiresAt = "2026-12-31" as string | null,
  checkedAt = null as string | null,
  ssl = {} as Partial<DomainResult["components"]["ssl"]>,
} = {}): DomainResult {
  const texts = { id: "domain-1", label: "Website", domain: "example.com" };
  const unset = { description: null, colour: null, provider: null };
  const created = { createdAt: "2025-01-01 00:00:00", updatedAt: "2025-01-01 00:00:00" };
  const monitored = {
    isEnabled: true,
    checkInterval: "weekly",
    checkStatus: "HEALTHY",
    latestCheckDetails: null,
    lastCheckedAt: checkedAt,
    nextCheckAt: null,
    lastManualCheckAt: null,
    changesDetectedAt: null,
    hasChangedRecently: false,
    wasManuallyCheckedRecently: false,
  };
  const certificate = {
    isEnabled: true,
    issuer: null,
    organization: null,
    expiresAt: null,
    lastCheckedAt: null,
    lastFoundInvalidAt: null,
    lastConsideredValidAt: null,
    hasChangedRecently: false,
  };
  const dns = { ...monitored, enabledRecords: [] };
  const components = { whois: monitored, dns, ssl: { ...certificate, ...ssl } };

  return { ...texts, ...unset, expiresAt, components, ...created };
}
