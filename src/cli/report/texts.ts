/**
 * The texts that all formats of a report share. Texts of the service are returned as plain single
 * lines.
 */

import { isUuid } from "../../client/rules";
import { toInstantWithOffset } from "../../client/timestamps";
import { newestFirst } from "../../common/order";
import { oneLine } from "../../common/secrets";
import { count } from "../../common/text";
import { type Verdict, worst } from "../../rules/expiry-rule";
import type { Kind } from "../../rules/finding";
import type { DomainReport, Report } from "./model";
import { type Entry, entriesOf, type ToReview, toReview, urgentFirst } from "./urgency";

export const NOTHING = "–";

/** By verdict: its mark in Markdown, the heading of its findings, and its color on a terminal. */
export const VERDICT_TEXTS: Record<Verdict, { mark: string; heading: string; color: string }> = {
  fail: {
    mark: "❌",
    heading: "Violations",
    color: "\u001b[31m",
  },
  unknown: {
    mark: "❔",
    heading: "Not determined",
    color: "\u001b[35m",
  },
  warn: {
    mark: "⚠️",
    heading: "Warnings",
    color: "\u001b[33m",
  },
  pass: {
    mark: "✅",
    heading: "Fine",
    color: "",
  },
};

/** Headings of groups of domains, by the kind of their most urgent violation. */
const KIND_HEADINGS: Record<Kind, string> = {
  domain: "Missing",
  control: "Registrar, name servers or status changed",
  registration: "Registration expired, ending too soon or not known",
  certificate: "Certificate expired, invalid, ending too soon or not known",
  component: "Checks that are required",
  change: "Other changes",
  channel: "Channels",
  exception: "Exceptions that have ended",
};

/**
 * Texts of one domain. The label is empty if it is the name; changes are such as `2 WHOIS, 1 DNS`.
 */
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

/** The domain's name, or the id of one that could not be determined. */
export function nameOf({ domain, id }: Pick<DomainReport, "domain" | "id">): string {
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

/** Whether the number of changes is not known. */
export function lacksChanges({ findings }: DomainReport): boolean {
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
  const { domains, ...verdicts } = summary;
  const numbers = Object.entries(verdicts).filter(
    ([verdict, number]) => verdict === "pass" || number > 0,
  );

  const parts = numbers.map(([verdict, number]) => `${number} ${verdict}`);
  const others =
    findings.length > 0 ? `; ${count(findings.length, "channel")} of unknown domains` : "";

  return `${count(domains, "domain")}: ${parts.join(", ")}${others}${sinceWords(report)}`;
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
  const listed = newest.slice(0, most).map(({ kind, createdAt, summary }) => ({
    kind: kind.toUpperCase(),
    createdAt: oneLine(createdAt, 40),
    summary: oneLine(summary, 400),
  }));

  const total = reports.reduce((sum, { count }) => sum + count, 0);

  return { listed, more: total - listed.length };
}

/** Lines under a heading. */
export interface Lines {
  heading: string;
  lines: string[];
}

/**
 * The findings of a report as lines: violations, not determined, warnings and resolved ones; and
 * the changes to review.
 */
export function findingsOf(report: Report) {
  const entries = entriesOf(report);
  const linesOf = (verdict: Verdict): Lines => {
    const ofVerdict = entries.filter(({ finding }) => finding.verdict === verdict);
    return { heading: VERDICT_TEXTS[verdict].heading, lines: ofVerdict.map(entryLine) };
  };

  const found = [
    linesOf("fail"),
    linesOf("unknown"),
    linesOf("warn"),
    resolvedLines(report),
  ] as const;

  return { found, review: toReview(entries) };
}

function resolvedLines({ resolved }: Report): Lines {
  const lines = (resolved ?? []).map(
    ({ id, domain, text }) => `${oneLine(domain ?? id)}: ${oneLine(text, 500)}`,
  );

  return { heading: "Resolved", lines };
}

/** Names and times that a line shows of many. */
const MAX_SHOWN = 3;

/** Such as `a.example: …`, or `200 domains (a.example, b.example, c.example and 197 more): …`. */
export function entryLine({ finding, of }: Entry): string {
  const news = of.filter((one) => one.finding.isNew).length;
  const some = news === of.length ? "new: " : `${news} new: `;
  const mark = news > 0 ? some : "";
  const names = [...new Set(of.flatMap(({ name }) => (name === null ? [] : oneLine(name))))];
  const text = oneLine(finding.text, 500);
  if (names.length > 1)
    return `${mark}${count(names.length, "domain")} (${firstOf(names)}): ${text}`;

  const times = of.flatMap(({ finding: { at } }) => (at === null ? [] : oneLine(at, 40)));
  const line = times.length > 0 ? `${text} (${firstOf(times)})` : text;

  return mark + [...names, line].join(": ");
}

/** Such as `a, b, c and 197 more`. */
export function firstOf(texts: readonly string[]): string {
  const shown = texts.slice(0, MAX_SHOWN).join(", ");
  const more = texts.length - MAX_SHOWN;

  return more > 0 ? `${shown} and ${more} more` : shown;
}

/** The heading of the lines to paste. */
export const REVIEW_HEADING = "If these changes were intended, add to the rules file";

/** The lines above those to paste. */
export const REVIEW_KEYS = ["changes:", "  reviewed:"];

/** A line to paste below the keys, four spaces in: the id, and the domain as a comment. */
export function reviewLine({ id, name }: ToReview): string {
  const shown = oneLine(id, 100);
  return `- ${isUuid(id) ? shown : JSON.stringify(shown)} # ${oneLine(name, 100)}`;
}

/** The last parts of a report: facts that no rule is about, and notes. */
export function asides({ domains, notes }: Report): readonly [Lines, Lines] {
  const remarks = urgentFirst(domains).flatMap((domain) =>
    domain.remarks.map((text) => `${nameOf(domain)}: ${oneLine(text, 500)}`),
  );

  return [
    { heading: "Not required by a rule", lines: remarks },
    { heading: "Notes", lines: notes },
  ];
}

/** Domains of one kind, under a heading. */
export interface DomainGroup {
  key: string;
  heading: string;
  isFine: boolean;
  domains: DomainReport[];
}

const YEAR_DAYS = 365;

/** Groups in the order of their first domains, each with its domains in the order given. */
export function groupsOf(domains: readonly DomainReport[]): DomainGroup[] {
  const groups = new Map<string, DomainGroup>();
  for (const domain of domains) {
    const { key, heading } = groupOf(domain);
    const group = groups.get(key) ?? {
      key,
      heading,
      isFine: isFine(domain),
      domains: [],
    };

    group.domains.push(domain);
    groups.set(key, group);
  }

  return [...groups.values()];
}

function groupOf({ findings, registration }: DomainReport): { key: string; heading: string } {
  const [first] = findings;
  if (first?.verdict === "fail") return { key: first.kind, heading: KIND_HEADINGS[first.kind] };
  if (first) return { key: first.verdict, heading: VERDICT_TEXTS[first.verdict].heading };

  return (registration?.daysLeft ?? 0) <= YEAR_DAYS
    ? { key: "year", heading: "Fine, registration ends within a year" }
    : { key: "later", heading: "Fine for longer than a year" };
}

/** Whether nothing is wrong with a domain. */
export function isFine({ findings }: DomainReport): boolean {
  return findings.length === 0;
}
