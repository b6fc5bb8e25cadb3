/** A report with one domain in each state, made at a fixed time. */
import type { DomainReport, Report, ReportedChange } from "../../src/cli/report/model";
import type { CertificateReport } from "../../src/rules/certificate";
import type { Finding } from "../../src/rules/verdict";

import { domain } from "../rules/support/domain";

/** What a hostile service could answer. */
export const HOSTILE =
  '<img src=x onerror=alert(1)> | "quoted" @org/team #1 [x](https://evil.example) \u001b[31m';

const checkedAt = "2026-02-28T06:00:00.000000Z";

/** What a rule finds. */
export function finding(about: Finding["about"], message: string, more: Partial<Finding> = {}): Finding {
  return { about, severity: "error", message, changeId: null, ...more };
}

/** A domain that is well, but for what a test changes. */
export function domainReport(changed: Partial<DomainReport> = {}): DomainReport {
  return {
    id: "11111111-1111-4111-8111-111111111111",
    verdict: "ok",
    domain: "example.com",
    label: "Company website",
    registrar: "Example Registrar",
    findings: [],
    remarks: [],
    registration: {
      status: "ok",
      expiresAt: "2027-03-01",
      daysLeft: 365,
      actBy: "2027-01-30",
      checkedAt: "2026-02-28T06:00:00.000000Z",
      message: "example.com expires on 2027-03-01, in 365 days",
    },
    certificate: {
      status: "ok",
      expiresAt: "2026-04-30T12:00:00.000000Z",
      daysLeft: 60,
      issuer: "Example Certificate Authority",
      organization: "Example Organization",
      checkedAt: "2026-02-28T06:00:00.000000Z",
      unreadable: [],
    },
    components: domain({ checkedAt, ssl: { lastCheckedAt: checkedAt } }).components,
    whoisChanges: { count: 0, changes: [] },
    dnsChanges: { count: 0, changes: [] },
    problems: [],
    ...changed,
  };
}

/** A domain whose registration is in this state. */
export function registered(
  domain: string,
  status: "ok" | "expiring" | "expired" | "unknown",
  expiresAt: string | null,
  daysLeft: number | null,
): DomainReport {
  const verdict = status === "ok" ? "ok" : "attention";
  const message = `${domain} is ${status}`;
  const registration = { status, expiresAt, daysLeft, actBy: null, checkedAt: null, message };
  const findings = status === "ok" ? [] : [finding("registration", `is ${status}: renew it`)];
  return domainReport({ id: domain, domain, label: domain, verdict, findings, registration });
}

/** A domain whose certificate is in this state. */
export function certified(
  domain: string,
  certificate: Partial<CertificateReport>,
  label = domain,
): DomainReport {
  const nothing = { issuer: null, organization: null, checkedAt: null, unreadable: [] };
  const given = { status: "ok", expiresAt: null, daysLeft: null, ...nothing, ...certificate } as const;
  const findings = [finding("certificate", `its certificate is ${given.status}: renew it`)];
  return domainReport({ id: domain, domain, label, verdict: "attention", findings, certificate: given });
}

function change(id: string, fieldChanged: string, createdAt: string, summary: string): ReportedChange {
  return { id, fieldChanged, createdAt, summary };
}

const nameservers = "nameservers: ns1.former.example → ns1.example.net";
const mail = "MX: added example.com mail.example.net priority 10 ttl 3600";
const address = "A: removed example.com 192.0.2.10 ttl 3600";
const changed = domainReport({
  remarks: ["its DNS check has the status FAILED: see why in the service"],
  whoisChanges: { count: 1, changes: [change("a1", "nameservers", "2026-02-20 10:00:00", nameservers)] },
  dnsChanges: {
    count: 2,
    changes: [
      change("b2", "mx_records", "2026-02-25 10:00:00", mail),
      change("b1", "a_records", "2026-02-10 10:00:00", address),
    ],
  },
});

const lapsed: Partial<CertificateReport> = {
  status: "expired",
  expiresAt: "2026-02-27T12:00:00.000000Z",
  daysLeft: -2,
};
const unreadable: Partial<CertificateReport> = {
  status: "unreadable",
  expiresAt: "2026-04-30T12:00:00+02:00",
  daysLeft: 60,
  unreadable: [{ field: "lastFoundInvalidAt", value: "last <Tuesday> at www.example.com" }],
};

const invalid: Partial<CertificateReport> = {
  status: "invalid",
  expiresAt: "2026-06-30T12:00:00.000000Z",
  daysLeft: 121,
};

const unreviewed = domainReport({
  id: "moved",
  domain: "moved.example.net",
  label: "moved.example.net",
  verdict: "attention",
  findings: [
    finding("change", "has a change that nobody has reviewed: add to changes.reviewed: - c1", {
      changeId: "c1",
    }),
  ],
});

const accepted = domainReport({
  id: "parked",
  domain: "parked.example.net",
  label: "parked.example.net",
  verdict: "warning",
  findings: [
    finding("registration", "expires on 2026-03-04: renew it (accepted until 2026-12-31: given up)", {
      severity: "warning",
    }),
  ],
});

const hostile = domainReport({ id: "hostile", domain: "bücher.example", label: HOSTILE });

const untold = domainReport({
  id: "99999999-9999-4999-8999-999999999999",
  verdict: "error",
  domain: null,
  label: null,
  registrar: null,
  registration: null,
  certificate: null,
  whoisChanges: null,
  dnsChanges: null,
  problems: [
    {
      part: "domain",
      kind: "http",
      status: 404,
      message: "GET /api/domains/99999999-9999-4999-8999-999999999999: answered 404, not found",
    },
  ],
});

const half = domainReport({
  id: "half",
  domain: "half.example.com",
  label: "half.example.com",
  verdict: "error",
  dnsChanges: null,
  problems: [
    { part: "dnsChanges", kind: "http", status: 500, message: "GET /api/…/dns: answered 500, try later" },
  ],
});

/** The report. */
export const sampleReport: Report = {
  version: 1,
  title: "Domains of <Example> | all",
  generatedAt: "2026-03-01T08:30:00.000Z",
  since: "2026-01-30",
  minimumDays: 30,
  certificateDays: 14,
  summary: { domains: 12, ok: 2, warning: 1, attention: 7, error: 2 },
  domains: [
    changed,
    registered("soon.example.org", "expiring", "2026-03-13", 12),
    registered("gone.example.org", "expired", "2026-02-19", -10),
    registered("new.example.net", "unknown", null, null),
    certified("shop.example.com", lapsed, "Shop"),
    certified("odd.example.com", unreadable),
    certified("broken.example.com", invalid),
    unreviewed,
    accepted,
    hostile,
    untold,
    half,
  ],
  channels: [
    {
      kind: "gone",
      domainId: null,
      channelId: "c1",
      message: "channel pager (c1) in stack web/prod is gone",
    },
    {
      kind: "undetermined",
      domainId: null,
      channelId: "c2",
      message: "channel desk (c2) does not show its domain",
    },
  ],
  notes: ["channel pager was skipped: its domainId is a secret, so give the id by --domain"],
};

/** A report on so many domains, with names and dates of every kind. */
export function reportOf(count: number): Report {
  const kinds = [
    () => registered("example.com", "ok", "2027-03-01", 365),
    () => registered("shop.example.org", "expiring", "2026-03-13", 12),
    () => registered("a-rather-long-name-for-a-campaign.example", "expired", "2025-01-01", -424),
    () => registered("example.net", "ok", "2035-01-01", 3228),
    () => registered("new.example", "unknown", null, null),
  ];
  const domains = Array.from({ length: count }, (_, index) => {
    const domain = kinds[index % kinds.length]?.() ?? domainReport();
    return { ...domain, id: `id-${index}` };
  });
  return {
    ...sampleReport,
    domains,
    summary: { domains: count, ok: count, warning: 0, attention: 0, error: 0 },
  };
}
