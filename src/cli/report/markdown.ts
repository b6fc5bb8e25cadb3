/** A report for a job summary or a comment on a pull request (GitHub's and GitLab's Markdown). */
import { plain } from "../text";
import type { DomainReport, Report } from "./model";
import {
  alarms,
  asides,
  boundWords,
  generated,
  groupsOf,
  type Lines,
  nameOf,
  newestChanges,
  summaryLine,
  textsOf,
  urgentFirst,
} from "./words";

/**
 * Size of the whole text in bytes of UTF-8. GitHub refuses a comment or an issue of more than 65,536 characters; a text never
 * has more characters than bytes, so the limit holds however it is counted. The rest is for what a template adds.
 */
export const MARKDOWN_BUDGET = 60_000;

/** Maximum numbers of changes that are listed. */
const MAX_CHANGES = { ofDomain: 10, ofAll: 100 };

const MARKS = { ok: "✅", warning: "⚠️", attention: "❌", error: "❔" };

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
  const head = [
    `## ${escapeMarkdown(report.title)}`,
    "",
    `**${summaryLine(report)}.** Required: ${boundWords(report)}. Changes since ${report.since}. Made ${generated(report)}.`,
  ];
  const rows = (some: DomainReport[], share: number, more: string): Part => ({
    head: ["", row(header), row(header.map(() => "---"))],
    lines: some.map((domain) => row(cells(domain))),
    more: (cut) => `\nAnd ${cut} more, ${more}: the formats json and html have all of them.`,
    share,
  });
  const fine = new Set(groupsOf(domains).flatMap((group) => (group.isFine ? group.domains : [])));
  const urgent = rows(
    domains.filter((domain) => !fine.has(domain)),
    0.3,
    "less urgent",
  );
  const folded = rows([...fine], 0.1, "fine");
  folded.head.unshift("", `<details><summary>Fine: ${fine.size}</summary>`);
  folded.foot = ["", "</details>"];
  const [violations, problems, warnings] = alarms(report);
  const parts = [
    list(violations, 0.3),
    list(problems, 0.1),
    list(warnings, 0.05),
    urgent,
    folded,
    changeDetails(domains),
    ...asides(report).map((said) => list(said, 0.05)),
  ];
  return `${[...head, ...fitInto(parts, MARKDOWN_BUDGET - sizeOf(head))].join("\n")}\n`;
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
  const { name, label, registration, certificate, changes } = textsOf(domain);
  return [
    MARKS[domain.verdict],
    [name, ...(label === "" ? [] : [label])].map(escapeMarkdown).join("<br>"),
    ...[registration, certificate].flatMap(({ status, expires, left }) => [
      status,
      escapeMarkdown(expires),
      left,
    ]),
    changes,
  ];
}

function changeDetails(domains: DomainReport[]): Part {
  const lines: string[] = [];
  let remaining = MAX_CHANGES.ofAll;
  for (const domain of domains) {
    const { listed, more } = newestChanges(domain, Math.min(MAX_CHANGES.ofDomain, remaining));
    remaining -= listed.length;
    const name = escapeMarkdown(nameOf(domain));
    for (const { kind, createdAt, summary } of listed) {
      lines.push(`- ${name}, ${escapeMarkdown(createdAt)}, ${kind}: ${escapeMarkdown(summary)}`);
    }
    if (more > 0) lines.push(`- ${name}: ${listed.length > 0 ? `and ${more} more` : `${more} changes`}`);
  }
  return {
    head: ["", "<details><summary>Changes</summary>", ""],
    lines,
    foot: ["", "</details>"],
    more: moreLine,
    share: 0.05,
  };
}

function list([heading, lines]: Lines, share: number): Part {
  return {
    head: ["", `### ${heading}`, ""],
    lines: lines.map((line) => `- ${escapeMarkdown(line)}`),
    more: moreLine,
    share,
  };
}

function moreLine(cut: number): string {
  return `- and ${cut} more`;
}

/** Lines of one kind, the most important first. */
export interface Part {
  /** Lines before the others, such as a heading. They count, and are not cut. */
  head: string[];
  lines: string[];
  /** Lines after the others. */
  foot?: string[];
  /** The line in place of so many that were cut. */
  more: (cut: number) => string;
  /** Share of the budget that no other part takes, from 0 to 1. */
  share: number;
}

/** Bytes of these lines as UTF-8, each with its line break: never fewer than characters. */
function sizeOf(lines: readonly string[]): number {
  return lines.reduce((sum, line) => sum + Buffer.byteLength(line) + 1, 0);
}

/**
 * The lines of all parts in their order, together at most `budget` bytes if the heads fit. A part that needs less than its share
 * leaves the rest to the others, the first of them before the next.
 */
function fitInto(parts: readonly Part[], budget: number): string[] {
  const shown = parts.filter(({ lines }) => lines.length > 0);
  const sizes = shown.map(({ head, lines, foot = [] }) => sizeOf([...head, ...lines, ...foot]));
  const granted = shown.map(({ share }, index) => Math.min(sizes[index] ?? 0, Math.floor(share * budget)));
  let rest = budget - granted.reduce((sum, bytes) => sum + bytes, 0);
  return shown.flatMap((part, index) => {
    const extra = Math.min((sizes[index] ?? 0) - (granted[index] ?? 0), rest);
    rest -= extra;
    return cutTo(part, (granted[index] ?? 0) + extra);
  });
}

function cutTo({ head, lines, foot = [], more }: Part, bytes: number): string[] {
  let room = bytes - sizeOf([...head, ...foot]);
  if (sizeOf(lines) <= room) return [...head, ...lines, ...foot];
  room -= sizeOf([more(lines.length)]);
  const kept: string[] = [];
  for (const line of lines) {
    room -= sizeOf([line]);
    if (room < 0) break;
    kept.push(line);
  }
  return [...head, ...kept, more(lines.length - kept.length), ...foot];
}
