/** The state of a domain's three components at a time: that of a healthy domain, and over it what its seed says. */
import type { DnsComponent, DomainComponents, MonitoredComponent, SslComponent } from "../../client/types";
import type { StoredChange, StoredDomain } from "./seeds";
import { DAY, isoUtc, sqlTimestamp, sqlToIsoUtc } from "./times";

const MONITORED_RECORDS = ["A", "AAAA", "CNAME", "MX", "TXT", "SRV", "CAA", "PTR", "SOA"];

/** All three. */
export function componentsOf({ checkedAt, changes, components }: StoredDomain, now: Date): DomainComponents {
  const whois: MonitoredComponent = { ...monitored(checkedAt, changes.whois[0], now), ...components.whois };
  const dns: DnsComponent = {
    ...monitored(checkedAt, changes.dns[0], now),
    enabledRecords: MONITORED_RECORDS,
    ...components.dns,
  };
  const ssl: SslComponent = { ...certificate(checkedAt), ...components.ssl };
  return { whois, dns, ssl };
}

function monitored(checkedAt: Date | null, newest: StoredChange | undefined, now: Date): MonitoredComponent {
  const weekAgo = sqlTimestamp(new Date(now.getTime() - 7 * DAY));
  return {
    isEnabled: true,
    checkInterval: "weekly",
    checkStatus: checkedAt === null ? "PENDING" : "HEALTHY",
    latestCheckDetails: checkedAt === null ? null : "The latest check found no problems.",
    lastCheckedAt: checkedAt === null ? null : isoUtc(checkedAt),
    nextCheckAt: checkedAt === null ? null : isoUtc(new Date(checkedAt.getTime() + 7 * DAY)),
    lastManualCheckAt: null,
    changesDetectedAt: newest === undefined ? null : sqlToIsoUtc(newest.createdAt),
    // Both are SQL-TS, whose order as text is their order in time.
    hasChangedRecently: newest !== undefined && newest.createdAt >= weekAgo,
    wasManuallyCheckedRecently: false,
  };
}

function certificate(checkedAt: Date | null): SslComponent {
  const at = checkedAt === null ? null : isoUtc(checkedAt);
  return {
    isEnabled: true,
    issuer: checkedAt === null ? null : "Example Certificate Authority",
    organization: checkedAt === null ? null : "Example Organization",
    expiresAt: checkedAt === null ? null : isoUtc(new Date(checkedAt.getTime() + 60 * DAY)),
    lastCheckedAt: at,
    lastFoundInvalidAt: null,
    lastConsideredValidAt: at,
    hasChangedRecently: false,
  };
}
