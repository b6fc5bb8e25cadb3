/** The texts that all formats of a report share, without anything of a format. */
import { toInstant } from "../../client/timestamps";
import { count } from "../../common/text";
import { type Verdict, worst } from "../../rules/expiry-rule";
import { nameOf } from "../text";
import type { DomainReport, Report, ReportedChange } from "./model";

export const TITLE = "Domain report";

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
  const ofNone = findings.filter(({ domainId }) => domainId === null);
  if (ofNone.length === 0) return domains;

  const unnamed: ReportedDomain = {
    id: "",
    domain: "channels of unknown domains",
    verdict: worst(ofNone),
    findings: ofNone,
    registration: null,
    certificate: null,
    components: null,
  };

  return [...domains, unnamed];
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

/** Such as `2 WHOIS, 1 DNS`; `incomplete` where a list of changes could not be read. */
function changeCounts({ changes, findings }: DomainReport): string {
  const texts = (["whois", "dns"] as const).flatMap((component) => {
    const number = (changes ?? []).filter(({ kind }) => kind === component).length;
    return number > 0 ? `${number} ${component.toUpperCase()}` : [];
  });

  if (findings.some(({ kind }) => kind === "changes")) texts.push("incomplete");
  if (changes === null && texts.length === 0) return NOTHING;

  return texts.join(", ") || "none";
}

/** Such as `2026-02-26 10:00:00, DNS: mx_records: 1 added, 1 removed (a → b)`. */
export function changeText(change: ReportedChange): string {
  const { kind, createdAt, fieldChanged, summary, oldValue, newValue } = change;
  const values = `${oldValue || "nothing"} → ${newValue || "nothing"}`;
  const said = summary === null ? values : `${summary} (${values})`;

  return `${createdAt}, ${kind.toUpperCase()}: ${fieldChanged}: ${said}`;
}

/** Such as `3 domains: 1 pass, 2 fail`. */
export function summaryLine({ summary, findings }: Report): string {
  const ofNone = findings.filter(({ domainId }) => domainId === null).length;
  const channels = ofNone > 0 ? `; ${count(ofNone, "channel")} of unknown domains` : "";

  return countsLine(summary) + channels;
}

/** Domains and their verdicts in numbers. */
function countsLine({ domains, ...verdicts }: Report["summary"]): string {
  const numbers = Object.entries(verdicts).filter(
    ([verdict, number]) => verdict === "pass" || number > 0,
  );

  const parts = numbers.map(([verdict, number]) => `${number} ${verdict}`);

  return `${count(domains, "domain")}: ${parts.join(", ")}`;
}

/** Rules and range of a report in two sentences. */
export function scopeWords({ minimumDays, certificateDays, since }: Report): string {
  const bound = (days: number | null) => (days === null ? "not judged" : count(days, "day"));
  const bounds = `registrations ${bound(minimumDays)}, certificates ${bound(certificateDays)}`;
  const changes = since === null ? "Changes were not read" : `Changes since ${since}`;

  return `Required: ${bounds}. ${changes}.`;
}

/** Such as `2026-11-21 08:30 UTC`. */
export function generated({ generatedAt }: Report): string {
  return `${generatedAt.slice(0, 16).replace("T", " ")} UTC`;
}
