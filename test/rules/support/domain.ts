import type { DomainResult } from "../../../src";

/** A domain in good order, with these dates. */
export function domain({
  expiresAt = "2026-12-31" as string | null,
  checkedAt = null as string | null,
  ssl = {} as Partial<DomainResult["components"]["ssl"]>,
} = {}) {
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

  const result: DomainResult = {
    id: "domain-1",
    label: "Website",
    domain: "example.com",
    description: null,
    colour: null,
    provider: null,
    expiresAt,
    components: {
      whois: monitored,
      dns: { ...monitored, enabledRecords: [] },
      ssl: {
        isEnabled: true,
        issuer: null,
        organization: null,
        expiresAt: null,
        lastCheckedAt: null,
        lastFoundInvalidAt: null,
        lastConsideredValidAt: null,
        hasChangedRecently: false,
        ...ssl,
      },
    },
    createdAt: "2025-01-01 00:00:00",
    updatedAt: "2025-01-01 00:00:00",
  };

  return result;
}
