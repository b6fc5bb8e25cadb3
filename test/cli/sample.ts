/** A report with one domain in each state, made at a fixed time. */
import { byUrgency } from "../../src/cli/report/groups";
import type {
  DomainReport,
  Report,
  ReportedChange,
  ReportedFinding,
} from "../../src/cli/report/model";
import type { CertificateState } from "../../src/rules/certificate";
import { domain } from "../rules/support/domain";

/** Text that a hostile service could send. */
const HOSTILE =
  '<img src=x onerror=alert(1)> | "quoted" @org/team #1 [x](https://evil.example) \u001b[31m';

const checkedAt = "2026-02-28T06:00:00.000000Z";

export function finding(
  kind: ReportedFinding["kind"],
  text: string,
  more: Partial<ReportedFinding> = {},
): ReportedFinding {
  const about = kind === "registration" || kind === "certificate" ? kind : "domain";
  const common = { key: text, domainId: null, domain: null, channelId: null, failure: null };
  return { kind, about, state: "expiring", verdict: "fail", urgency: 0, text, ...common, ...more };
}

/** A domain in good order, with the changes of a test. */
export function domainReport(changed: Partial<DomainReport> = {}): DomainReport {
  return {
    id: "11111111-1111-4111-8111-111111111111",
    verdict: "pass",
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
      checkedAt,
      text: "expires on 2027-03-01, 365 days left",
    },
    certificate: {
      status: "ok",
      expiresAt: "2026-04-30T12:00:00.000000Z",
      daysLeft: 60,
      actBy: "2026-04-16",
      issuer: "Example Certificate Authority",
      organization: "Example Organization",
      checkedAt,
      unreadable: [],
      text: "its certificate expires on 2026-04-30, 60 days left",
    },
    components: domain({ checkedAt, ssl: { lastCheckedAt: checkedAt } }).components,
    changes: [],
    ...changed,
  };
}

/** A failing domain whose id and label are its name, with the changes of a test. */
function named(domain: string, changed: Partial<DomainReport>): DomainReport {
  return domainReport({ id: domain, domain, label: domain, verdict: "fail", ...changed });
}

/** A domain whose registration is in this state. */
export function registered(
  domain: string,
  status: "ok" | "expiring" | "expired" | "unknown",
  expiresAt: string | null,
  daysLeft: number | null,
): DomainReport {
  const text = `is ${status}: renew it`;
  const registration = { status, expiresAt, daysLeft, actBy: null, checkedAt: null, text };
  if (status === "ok") return named(domain, { verdict: "pass", registration });

  const urgency = daysLeft ?? Number.MAX_SAFE_INTEGER;
  const findings = [finding("registration", text, { urgency })];
  return named(domain, { findings, registration });
}

/** A domain whose certificate is in this state. */
export function certified(
  domain: string,
  given: Partial<CertificateState>,
  label = domain,
): DomainReport {
  const nothing = { issuer: null, organization: null, checkedAt: null, unreadable: [] };
  const dates = { expiresAt: null, daysLeft: null, actBy: null };
  const text = `its certificate is ${given.status}: renew it`;
  const certificate = { status: "ok", text, ...dates, ...nothing, ...given } as const;
  const findings = [finding("certificate", text, { urgency: given.daysLeft ?? 0 })];
  return named(domain, { label, findings, certificate });
}

export function change(given: Partial<ReportedChange> = {}): ReportedChange {
  return {
    id: "a1",
    kind: "whois",
    fieldChanged: "registrar",
    createdAt: "2026-02-20 10:00:00",
    summary: null,
    oldValue: "Former Registrar",
    newValue: "Example Registrar",
    ...given,
  };
}

const withChanges = domainReport({
  remarks: ["its DNS check has the status FAILED: see why in the service"],
  changes: [
    change({
      kind: "dns",
      fieldChanged: "mx_records",
      createdAt: "2026-02-25 10:00:00",
      summary: "1 added",
      oldValue: null,
      newValue: "example.com mail.example.net priority 10 ttl 3600",
    }),
    change({
      fieldChanged: "nameservers",
      oldValue: '["ns1.former.example"]',
      newValue: '["ns1.example.net"]',
    }),
    change({
      kind: "dns",
      fieldChanged: "a_records",
      createdAt: "2026-02-10 10:00:00",
      oldValue: "example.com 192.0.2.10 ttl 3600",
      newValue: null,
    }),
  ],
});

const past = { status: "expired", expiresAt: "2026-02-27T12:00:00.000000Z", daysLeft: -2 } as const;
const bad = { status: "invalid", expiresAt: "2026-06-30T12:00:00.000000Z", daysLeft: 121 } as const;
const unreadable: Partial<CertificateState> = {
  status: "unreadable",
  expiresAt: "2026-04-30T12:00:00+02:00",
  daysLeft: 60,
  unreadable: [{ field: "lastFoundInvalidAt", value: "last <Tuesday> at www.example.com" }],
};

const elsewhere = finding("registrar", "its registrar is Evil", { about: "registrar" });
const off = finding("component", "its DNS checks are switched off", { about: "dns" });
const accepted = finding(
  "registration",
  "expires on 2026-03-04: renew it (accepted until 2026-12-31: given up)",
  { verdict: "warn" },
);

/** What differs in a domain with this part undetermined. */
export function failed(about: "domain" | "dns", status: number, message: string) {
  const failure = { kind: "http", status, message };
  const text = `${about === "dns" ? "DNS changes" : "the domain"} could not be determined: ${message}`;
  const kind = about === "dns" ? "changes" : "domain";
  const found = finding(kind, text, { about, state: "undetermined", verdict: "unknown", failure });

  return { verdict: "unknown" as const, findings: [found] };
}

/** A domain of which nothing is known but its id. */
export function undetermined(id: string, status: number, message: string): DomainReport {
  const parts = { registration: null, certificate: null, components: null, changes: null };
  const nothing = { domain: null, label: null, registrar: null, ...parts };
  return { id, remarks: [], ...nothing, ...failed("domain", status, message) };
}

const missing = "99999999-9999-4999-8999-999999999999";

/** Findings about channels whose domain is not known. */
const ofNone = [
  finding("channel", "channel pager (c1) in stack web/prod is gone", {
    about: "channels",
    state: "gone",
    channelId: "c1",
  }),
  finding("channel", "channel desk (c2) does not show its domain", {
    about: "channels",
    state: "undetermined",
    verdict: "unknown",
    channelId: "c2",
  }),
];

/** A report on these domains, and on channels whose domain is not known. */
export function reportOn(domains: readonly DomainReport[], others = ofNone): Report {
  const all = domains.map((one) => ({
    ...one,
    findings: one.findings.map((found) => ({ ...found, domainId: one.id, domain: one.domain })),
  }));

  return {
    version: 1,
    generatedAt: "2026-03-01T08:30:00.000Z",
    exitCode: 1,
    since: "2026-01-30",
    minimumDays: 30,
    certificateDays: 14,
    summary: { domains: 14, pass: 2, warn: 1, fail: 9, unknown: 2 },
    domains: all,
    findings: [...all.flatMap(({ findings }) => findings), ...others].sort(byUrgency),
    notes: ["channel pager was skipped: its domainId is a secret, so pass the id with --domain"],
  };
}

export const sampleReport: Report = reportOn([
  withChanges,
  registered("soon.example.org", "expiring", "2026-03-13", 12),
  registered("gone.example.org", "expired", "2026-02-19", -10),
  registered("new.example.net", "unknown", null, null),
  certified("shop.example.com", past, "Shop"),
  certified("odd.example.com", unreadable),
  certified("broken.example.com", bad),
  named("moved.example.net", { findings: [elsewhere] }),
  named("one.example.net", { findings: [off] }),
  named("two.example.net", { findings: [off] }),
  named("parked.example.net", { verdict: "warn", findings: [accepted] }),
  domainReport({ id: "hostile", domain: "bücher.example", label: HOSTILE }),
  undetermined(missing, 404, `GET /api/domains/${missing}: got 404, not found`),
  named("half.example.com", failed("dns", 500, "GET /api/…/dns: got 500, try later")),
]);

/** A report in which a hostile service chose every text. */
export const hostileReport: Report = {
  ...reportOn([
    domainReport({
      ...certified(HOSTILE, {
        expiresAt: HOSTILE,
        text: HOSTILE,
        issuer: HOSTILE,
        organization: HOSTILE,
        checkedAt: HOSTILE,
        unreadable: [{ field: "expiresAt", value: HOSTILE }],
      }),
      registrar: HOSTILE,
      verdict: "unknown",
      findings: [
        finding("registrar", HOSTILE),
        finding("registration", HOSTILE),
        ...failed("dns", 500, HOSTILE).findings,
      ],
      remarks: [HOSTILE],
      changes: [
        change({
          fieldChanged: HOSTILE,
          createdAt: HOSTILE,
          summary: HOSTILE,
          oldValue: HOSTILE,
          newValue: HOSTILE,
        }),
      ],
    }),
  ]),
  notes: [HOSTILE],
};

/** A report on this many domains, with names and dates of every kind. */
export function reportOf(count: number): Report {
  const kinds = [
    registered("example.com", "ok", "2027-03-01", 365),
    registered("shop.example.org", "expiring", "2026-03-13", 12),
    registered("a-rather-long-name-for-a-campaign.example", "expired", "2025-01-01", -424),
    registered("example.net", "ok", "2035-01-01", 3228),
    registered("new.example", "unknown", null, null),
  ];
  const domains = Array.from({ length: count }, (_, index) =>
    domainReport({ ...kinds[index % kinds.length], id: `id-${index}` }),
  );

  const summary = { domains: count, pass: count, warn: 0, fail: 0, unknown: 0 };
  return { ...reportOn(domains), summary };
}
