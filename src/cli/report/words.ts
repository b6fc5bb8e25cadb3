/** Texts and groups shared by all formats of a report. The service's texts are returned as plain single lines. */

import { toInstantWithOffset } from "../../client/timestamps";
import { compare } from "../../common/order";
import { oneLine } from "../../common/redact";
import { count } from "../../common/text";
import type { Finding } from "../../rules/verdict";
import type { ChangesReport, DomainReport, Report, Summary } from "./model";

export const NOTHING = "–";

/** Verdicts, as `expiry` names them. */
export const VERDICTS = { ok: "ok", warning: "warn", attention: "fail", error: "error" };

/** What all forms show of a domain. The label is empty if it is the name; changes are such as `2 WHOIS, 1 DNS`. */
export function textsOf(report: DomainReport) {
  const { domain, label, registration, certificate } = report;
  return {
    name: nameOf(report),
    label: label === null || label === domain ? "" : oneLine(label),
    registration: datedTexts(registration),
    certificate: datedTexts(certificate),
    changes: changeCounts(report),
  };
}

export type DatedTexts = ReturnType<typeof datedTexts>;

/** What all forms show of a registration or a certificate. */
function datedTexts(part: DomainReport["registration"] | DomainReport["certificate"]) {
  return {
    status: part?.status ?? "not determined",
    expires: day(part?.expiresAt ?? null),
    left: left(part?.daysLeft ?? null),
  };
}

/** The domain's name, or the id of one that could not be determined. */
export function nameOf({ domain, id }: DomainReport): string {
  return oneLine(domain ?? id);
}

/** Such as `12 days`, `today` or `12 days ago`. */
function left(days: number | null): string {
  if (days === null) return NOTHING;
  if (days === 0) return "today";
  const text = count(Math.abs(days), "day");
  return days > 0 ? text : `${text} ago`;
}

/** The UTC day of a served date or time; as served if it cannot be parsed. */
export function day(text: string | null): string {
  if (text === null) return NOTHING;
  return toInstantWithOffset(text)?.toISOString().split("T")[0] ?? oneLine(text, 40);
}

function changeCounts({ whoisChanges, dnsChanges, problems }: DomainReport): string {
  const parts = [];
  if (whoisChanges?.count) parts.push(`${whoisChanges.count} WHOIS`);
  if (dnsChanges?.count) parts.push(`${dnsChanges.count} DNS`);
  if (problems.some(({ part }) => part === "domain" || part === "whoisChanges"))
    parts.push(whoisChanges ? "WHOIS incomplete" : "WHOIS unknown");
  if (problems.some(({ part }) => part === "domain" || part === "dnsChanges"))
    parts.push(dnsChanges ? "DNS incomplete" : "DNS unknown");
  return parts.join(", ").replace("WHOIS unknown, DNS unknown", "unknown") || "none";
}

/** The numbers of domains by verdict, with their words. */
export function countsOf({ ok, warning, attention, error }: Summary) {
  return [
    ["ok", ok, "fine"],
    ["warning", warning, "with warnings only"],
    ["attention", attention, attention === 1 ? "needs attention" : "need attention"],
    ["error", error, "not fully determined"],
  ] as const;
}

/** Such as `3 domains: 1 fine, 1 needs attention, 1 not fully determined`. */
export function summaryLine({ summary, channels }: Report): string {
  const parts = countsOf(summary)
    .filter(([verdict, number]) => verdict === "ok" || number > 0)
    .map(([, number, words]) => `${number} ${words}`);
  const others = channels.length > 0 ? `; ${count(channels.length, "channel")} of unknown domains` : "";
  return `${count(summary.domains, "domain")}: ${parts.join(", ")}${others}`;
}

/** Such as `registrations 30 days, certificates 14 days`. */
export function boundWords({ minimumDays, certificateDays }: Report): string {
  const certificates = certificateDays === null ? "not judged" : count(certificateDays, "day");
  return `registrations ${count(minimumDays, "day")}, certificates ${certificates}`;
}

/** Such as `2026-11-21 08:30 UTC`. */
export function generated({ generatedAt }: Report): string {
  return `${generatedAt.slice(0, 16).replace("T", " ")} UTC`;
}

/** The newest changes of a domain of both kinds, and how many more there are. */
export function newestChanges({ whoisChanges, dnsChanges }: DomainReport, most: number) {
  const ofKind = (kind: "WHOIS" | "DNS", report: ChangesReport | null) =>
    (report?.changes ?? []).map(({ createdAt, summary }) => ({ kind, createdAt, summary }));
  const listed = [...ofKind("WHOIS", whoisChanges), ...ofKind("DNS", dnsChanges)]
    .sort((a, b) => compare(b.createdAt, a.createdAt))
    .slice(0, most)
    .map(({ kind, createdAt, summary }) => ({
      kind,
      createdAt: oneLine(createdAt, 40),
      summary: oneLine(summary, 400),
    }));
  return { listed, more: (whoisChanges?.count ?? 0) + (dnsChanges?.count ?? 0) - listed.length };
}

export const PARTS = {
  domain: "the domain",
  whoisChanges: "WHOIS changes",
  dnsChanges: "DNS changes",
  channels: "channels",
};

/** Lines under a heading. */
export type Lines = readonly [heading: string, lines: string[]];

/** What a report says first: violations, what could not be determined, and warnings; the most urgent domains first. */
export function alarms({ domains, channels }: Report): readonly [Lines, Lines, Lines] {
  const found = (severity: Finding["severity"]) =>
    ofEach(domains, ({ findings }) =>
      findings.filter((finding) => finding.severity === severity).map(({ message }) => message),
    );
  const problems = ofEach(domains, (domain) =>
    domain.problems.map(({ part, message }) => `${PARTS[part]} could not be determined: ${oneLine(message)}`),
  );
  const ofChannels = (isUndetermined: boolean) =>
    channels.filter(({ kind }) => (kind === "undetermined") === isUndetermined).map(({ message }) => message);
  return [
    ["Violations", [...found("error"), ...ofChannels(false)]],
    ["Not determined", [...problems, ...ofChannels(true)]],
    ["Warnings", found("warning")],
  ];
}

/** What a report says last: what no rule is about, and notes. */
export function asides({ domains, notes }: Report): readonly [Lines, Lines] {
  return [
    ["Not required by a rule", ofEach(domains, ({ remarks }) => remarks)],
    ["Notes", notes],
  ];
}

/** Texts of the most urgent domain first, each after its name. */
function ofEach(domains: readonly DomainReport[], linesOf: (domain: DomainReport) => string[]): string[] {
  return urgentFirst(domains).flatMap((domain) =>
    linesOf(domain).map((text) => `${nameOf(domain)}: ${oneLine(text, 500)}`),
  );
}

export type DomainGroup = ReturnType<typeof groupsOf>[number];

/** Rank of what is folded. */
const FINE = 3;

/** Within one rank, the domain comes first whose registration ends first. */
const GROUPS = {
  registration: { heading: "Registration expired or ending too soon", rank: 0 },
  certificate: { heading: "Certificate expired, invalid or ending too soon", rank: 0 },
  other: { heading: "Other violations", rank: 0 },
  unknown: { heading: "Not known", rank: 1 },
  warning: { heading: "Warnings", rank: 2 },
  year: { heading: "Fine, registration ends within a year", rank: FINE },
  later: { heading: "Fine for longer than a year", rank: FINE },
};

const YEAR_DAYS = 365;

/** Groups in the order of their first domains, each with its domains in the order given. */
export function groupsOf(domains: readonly DomainReport[]) {
  return [...new Set(domains.map(keyOf))].map((key) => {
    const { heading, rank } = GROUPS[key];
    const members = domains.filter((domain) => keyOf(domain) === key);
    return { key, heading, isFine: rank === FINE, domains: members };
  });
}

/** Whether nothing is wrong with a domain. */
export function isFine(domain: DomainReport): boolean {
  return GROUPS[keyOf(domain)].rank === FINE;
}

/** Sorts by urgency: violations, then what is not known, then warnings, then the others; each by the end of the registration. */
export function urgentFirst(domains: readonly DomainReport[]): DomainReport[] {
  const rank = (domain: DomainReport) => GROUPS[keyOf(domain)].rank;
  const days = ({ registration }: DomainReport) => registration?.daysLeft ?? Number.MAX_SAFE_INTEGER;
  return [...domains].sort((a, b) => rank(a) - rank(b) || days(a) - days(b));
}

function keyOf({ findings, registration, certificate, verdict }: DomainReport): keyof typeof GROUPS {
  const violated = new Set(findings.flatMap(({ about, severity }) => (severity === "error" ? about : [])));
  if (violated.has("registration") && registration?.status !== "unknown") return "registration";
  if (violated.has("certificate") && /^(expiring|expired|invalid)$/.test(certificate?.status ?? ""))
    return "certificate";
  if (violated.has("component") || violated.has("change") || violated.has("channel")) return "other";
  if (verdict === "warning") return "warning";
  if (verdict !== "ok") return "unknown";
  return (registration?.daysLeft ?? 0) <= YEAR_DAYS ? "year" : "later";
}
