/** A report for a job summary or a comment on a pull request (GitHub's and GitLab's Markdown). */
import { plain } from "../text";
import type { DomainReport, Report } from "./model";
import {
  certificateStatus,
  changeCounts,
  day,
  generated,
  labelOf,
  left,
  nameOf,
  newestChanges,
  problemLines,
  registrationStatus,
  summaryLine,
  UNREADABLE,
  unreadableLines,
  urgentFirst,
} from "./words";

/** Limits for changes, as a GitHub comment may have 65536 characters. */
const CHANGES = { ofDomain: 10, ofAll: 100 };

const MARKS = { ok: "✅", attention: "⚠️", error: "❔" };

/** Renders Markdown. */
export function renderMarkdown(report: Report): string {
  const domains = urgentFirst(report.domains);
  const header = [
    "",
    "Domain",
    "Registration",
    "Expires",
    "Left",
    "Certificate",
    "Expires",
    "Left",
    "Changes",
  ];
  const lines = [
    `## ${escapeMarkdown(report.title)}`,
    "",
    `**${summaryLine(report)}.** Bound: ${report.minimumDays} days. Changes since ${report.since}. Made ${generated(report)}.`,
    "",
    row(header),
    row(header.map(() => "---")),
    ...domains.map((domain) => row(cells(domain))),
    ...list("Not determined", domains.flatMap(problemLines).map(escapeMarkdown)),
    ...list(UNREADABLE, domains.flatMap(unreadableLines).map(escapeMarkdown)),
    ...changeDetails(domains),
    ...list("Notes", report.notes.map(escapeMarkdown)),
  ];
  return `${lines.join("\n")}\n`;
}

/**
 * Escapes text of others: no markup, links, images or notifications. Mentions, references and addresses are recognized
 * despite backslashes and entities, so they are split by a zero-width space.
 */
export function escapeMarkdown(text: string): string {
  return plain(text, 500)
    .replace(/[\\`*_[\]|~$]/g, "\\$&")
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replace(/[@#]/g, "$&&#8203;")
    .replaceAll("://", ":&#8203;//")
    .replace(/www(?=\.)/gi, "$&&#8203;")
    .replace(/(?<![a-z\d])gh(?=-\d)/gi, "$&&#8203;");
}

function row(columns: string[]): string {
  return `| ${columns.join(" | ")} |`;
}

function cells(domain: DomainReport): string[] {
  const { registration, certificate, verdict } = domain;
  const label = labelOf(domain);
  const name = escapeMarkdown(nameOf(domain));
  return [
    MARKS[verdict],
    label === "" ? name : `${name}<br>${escapeMarkdown(label)}`,
    registrationStatus(domain),
    escapeMarkdown(day(registration?.expiresAt ?? null)),
    left(registration?.daysLeft ?? null),
    certificateStatus(domain),
    escapeMarkdown(day(certificate?.expiresAt ?? null)),
    left(certificate?.daysLeft ?? null),
    changeCounts(domain),
  ];
}

function changeDetails(domains: DomainReport[]): string[] {
  const lines: string[] = [];
  let remaining = CHANGES.ofAll;
  for (const domain of domains) {
    const { listed, more } = newestChanges(domain, Math.min(CHANGES.ofDomain, remaining));
    remaining -= listed.length;
    const name = escapeMarkdown(nameOf(domain));
    for (const { kind, createdAt, summary } of listed) {
      lines.push(`- ${name}, ${escapeMarkdown(createdAt)}, ${kind}: ${escapeMarkdown(summary)}`);
    }
    if (more > 0) lines.push(`- ${name}: ${listed.length > 0 ? `and ${more} more` : `${more} changes`}`);
  }
  if (lines.length === 0) return [];
  return ["", "<details><summary>Changes</summary>", "", ...lines, "", "</details>"];
}

function list(title: string, lines: string[]): string[] {
  return lines.length === 0 ? [] : ["", `### ${title}`, "", ...lines.map((line) => `- ${line}`)];
}
