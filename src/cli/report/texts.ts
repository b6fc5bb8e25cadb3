/** The texts that all formats of a report share, without anything of a format. */
import { toInstant } from "../../client/timestamps";
import { newestFirst } from "../../common/order";
import { count } from "../../common/text";
import { type Verdict, worst } from "../../rules/expiry-rule";
import type { DomainReport, Report } from "./model";

export const NOTHING = "–";

/** By verdict: its mark in Markdown, the heading of its findings, and its color on a terminal. */
export const VERDICT_TEXTS: Record<Verdict, { mark: string; heading: string; color: string }> = {
  fail: { mark: "❌", heading: "Violations", color: "\u001b[31m" },
  unknown: { mark: "❔", heading: "Not determined", color: "\u001b[35m" },
  warn: { mark: "⚠️", heading: "Warnings", color: "\u001b[33m" },
  pass: { mark: "✅", heading: "Fine", color: "" },
};

/**
 * Texts of one domain. The label is empty if it is the name; `why` is the kind of its first
 * finding; changes are such as `2 WHOIS, 1 DNS`.
 */
export function textsOf(report: DomainReport) {
  const { domain, label, registration, certificate, findings } = report;

  return {
    name: nameOf(report),
    label: label === null || label === domain ? "" : label,
    why: findings[0]?.kind ?? "",
    registration: datedTexts(registration),
    certificate: datedTexts(certificate),
    changes: changeCounts(report),
  };
}

export type DatedTexts = ReturnType<typeof datedTexts>;

/** Texts of a registration or a certificate. */
function datedTexts(part: DomainReport["registration"] | DomainReport["certificate"]) {
  return {
    status: part?.status ?? "not determined",
    expires: day(part?.expiresAt ?? null),
    left: left(part?.daysLeft ?? null),
  };
}

/** A domain in a format that lists them all, or the channels whose domain is not known. */
export type ReportedDomain = Pick<
  DomainReport,
  "id" | "domain" | "verdict" | "findings" | "registration" | "certificate" | "components"
>;

/** The domains, and one more for findings about channels whose domain is not known. */
export function reportedDomains({ domains, findings }: Report): readonly ReportedDomain[] {
  if (findings.length === 0) return domains;

  const unnamed: ReportedDomain = {
    id: "",
    domain: "channels of unknown domains",
    verdict: worst(findings),
    findings,
    registration: null,
    certificate: null,
    components: null,
  };

  return [...domains, unnamed];
}

/** The domain's name, or its id if the name could not be determined. */
export function nameOf({ domain, id }: Pick<DomainReport, "domain" | "id">): string {
  return domain ?? id;
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
  return toInstant(text)?.toISOString().split("T")[0] ?? text;
}

/** Whether the number of changes is not known. */
function lacksChanges({ findings }: DomainReport): boolean {
  return findings.some(({ verdict, about }) => verdict === "unknown" && about !== "channels");
}

function changeCounts(domain: DomainReport): string {
  const { whoisChanges, dnsChanges } = domain;
  const texts: string[] = [];

  if (whoisChanges?.count) texts.push(`${whoisChanges.count} WHOIS`);
  if (dnsChanges?.count) texts.push(`${dnsChanges.count} DNS`);
  if (lacksChanges(domain)) texts.push("incomplete");

  return texts.join(", ") || "none";
}

/** Such as `3 domains: 1 pass, 2 fail`. */
export function summaryLine(report: Report): string {
  const { summary, findings } = report;
  const channels =
    findings.length > 0 ? `; ${count(findings.length, "channel")} of unknown domains` : "";

  return countsLine(summary) + channels + sinceWords(report);
}

/** Domains and their verdicts in numbers. */
export function countsLine({ domains, ...verdicts }: Report["summary"]): string {
  const numbers = Object.entries(verdicts).filter(
    ([verdict, number]) => verdict === "pass" || number > 0,
  );

  const parts = numbers.map(([verdict, number]) => `${number} ${verdict}`);

  return `${count(domains, "domain")}: ${parts.join(", ")}`;
}

/** Such as `; 2 new, 1 resolved`; empty without an earlier report. */
function sinceWords({ domains, findings, resolved }: Report): string {
  if (!resolved) return "";
  const all = [...domains.flatMap((domain) => domain.findings), ...findings];

  return `; ${all.filter(({ isNew }) => isNew).length} new, ${resolved.length} resolved`;
}

/** Rules and range of a report in two sentences. */
export function scopeWords(report: Report): string {
  const { minimumDays, certificateDays, kinds, since, reviewSince } = report;
  const bound = (days: number | null) => (days === null ? "not judged" : count(days, "day"));
  const bounds = `registrations ${bound(minimumDays)}, certificates ${bound(certificateDays)}`;
  const titles = kinds.map((kind) => kind.toUpperCase()).join(" and ");
  const review = reviewSince === null ? "not judged" : `reviewed since ${reviewSince}`;

  return `Required: ${bounds}. ${titles} changes: listed since ${since}, ${review}.`;
}

/** Such as `2026-11-21 08:30 UTC`. */
export function generated({ generatedAt }: Report): string {
  return `${generatedAt.slice(0, 16).replace("T", " ")} UTC`;
}

/** The newest changes of a domain of both kinds, and how many more there are. */
export function newestChanges({ whoisChanges, dnsChanges }: DomainReport, most: number) {
  const reports = [whoisChanges, dnsChanges].filter((report) => report !== null);
  const newest = reports.flatMap(({ changes }) => changes).sort(newestFirst);
  const listed = newest.slice(0, most);
  const total = reports.reduce((sum, { count }) => sum + count, 0);

  return { listed, more: total - listed.length };
}
