/** A report for a job summary or a comment on a pull request (GitHub's and GitLab's Markdown). */
import { oneLine } from "../../common/secrets";
import type { DomainReport, Report } from "./model";
import {
  asides,
  findingsOf,
  generated,
  isFine,
  type Lines,
  nameOf,
  newestChanges,
  REVIEW_HEADING,
  REVIEW_KEYS,
  reviewLine,
  scopeWords,
  summaryLine,
  textsOf,
  VERDICT_TEXTS,
} from "./texts";
import { type ToReview, urgentFirst } from "./urgency";

/**
 * Size of the whole text in bytes of UTF-8. GitHub refuses a comment or an issue of more than
 * 65,536 characters; a text never has more characters than bytes, so the limit holds however it is
 * counted. The rest is for what a template adds.
 */
export const MARKDOWN_BUDGET = 60_000;

const MAX_CHANGES = { ofDomain: 10, ofAll: 100 };

const HEADER = [
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

export function renderMarkdown(report: Report): string {
  const domains = urgentFirst(report.domains);
  const fine = domains.filter(isFine);
  const urgent = domains.filter((domain) => !isFine(domain));
  const { found, review } = findingsOf(report);
  const [fail, unknown, warn, resolved] = found;
  const [remarks, notes] = asides(report);
  const head = [
    `## ${escapeMarkdown(report.title)}`,
    "",
    `**${summaryLine(report)}.** ${scopeWords(report)} Made ${generated(report)}.`,
  ];

  const parts = [
    list(fail, 0.3, "less urgent violations"),
    list(unknown, 0.1, "that could not be determined"),
    list(warn, 0.05, "less urgent warnings"),
    list(resolved, 0.05, "that are resolved"),
    reviewBlock(review, 0.1),
    table(urgent, 0.15, "less urgent domains"),
    folded(`Fine: ${fine.length}`, table(fine, 0.1, "domains that are fine")),
    folded("Changes", bullets([""], changeLines(domains), 0.05, "lines of changes")),
    list(remarks, 0.05, "that no rule requires"),
    list(notes, 0.05, "notes"),
  ];

  return `${[...head, ...fitInto(parts, MARKDOWN_BUDGET - sizeOf(head))].join("\n")}\n`;
}

/**
 * Escapes text of others: no markup, links, images or notifications. Mentions, references and
 * addresses are recognized despite backslashes and entities, so they are split by a zero-width
 * space.
 */
export function escapeMarkdown(text: string): string {
  return oneLine(text, 500)
    .replace(/[\\`*_[\]|~$]/g, "\\$&")
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replace(/[@#]|[!%~](?=["\w])|\$(?=\d)|&amp;(?=\d)/g, "$&&#8203;")
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
    VERDICT_TEXTS[domain.verdict].mark,
    [name, ...(label === "" ? [] : [label])].map(escapeMarkdown).join("<br>"),
    ...[registration, certificate].flatMap(({ status, expires, left }) => [
      status,
      escapeMarkdown(expires),
      left,
    ]),
    changes,
  ];
}

function table(domains: readonly DomainReport[], share: number, others: string): Part {
  return {
    head: ["", row(HEADER), row(HEADER.map(() => "---"))],
    lines: domains.map((domain) => row(cells(domain))),
    foot: [],
    more: (cut) => `\nAnd ${cut} more ${others}: ${ELSEWHERE}.`,
    share,
  };
}

function changeLines(domains: readonly DomainReport[]): string[] {
  let remaining = MAX_CHANGES.ofAll;

  return domains.flatMap((domain) => {
    const { listed, more } = newestChanges(domain, Math.min(MAX_CHANGES.ofDomain, remaining));

    remaining -= listed.length;
    const name = escapeMarkdown(nameOf(domain));
    const lines = listed.map(
      ({ kind, createdAt, summary }) =>
        `- ${name}, ${escapeMarkdown(createdAt)}, ${kind}: ${escapeMarkdown(summary)}`,
    );

    const rest = listed.length > 0 ? `and ${more} more changes` : `${more} changes`;

    return more > 0 ? [...lines, `- ${name}: ${rest}`] : lines;
  });
}

function list({ heading, lines }: Lines, share: number, others: string): Part {
  const escaped = lines.map((line) => `- ${escapeMarkdown(line)}`);
  return bullets(["", `### ${heading}`, ""], escaped, share, others);
}

function bullets(head: string[], lines: string[], share: number, others: string): Part {
  return {
    head,
    lines,
    foot: [],
    more: (cut) => `- and ${cut} more ${others}: ${ELSEWHERE}`,
    share,
  };
}

/** Where everything is that a cut leaves out. */
const ELSEWHERE = "the formats json and html have all of them";

/** A code block, whose lines cannot end it: they are indented. */
function reviewBlock(review: readonly ToReview[], share: number): Part {
  return {
    head: ["", `### ${REVIEW_HEADING}`, "", "~~~yaml", ...REVIEW_KEYS],
    lines: review.map((one) => `    ${reviewLine(one)}`),
    foot: ["~~~"],
    more: (cut) => `    # and ${cut} more changes to review: ${ELSEWHERE}`,
    share,
  };
}

function folded(summary: string, part: Part): Part {
  return {
    ...part,
    head: ["", `<details><summary>${summary}</summary>`, ...part.head],
    foot: ["", "</details>"],
  };
}

/** Lines of one kind, the most important first. */
interface Part {
  /** Lines before the others, such as a heading. They count, and are not cut. */
  head: string[];
  lines: string[];

  /** Lines after the others, which are not cut either. */
  foot: string[];

  /** The line in place of so many that were cut. */
  more: (cut: number) => string;

  /** Share of the budget that no part before it takes, from 0 to 1; together 1. */
  share: number;
}

/** Bytes of these lines as UTF-8, each with its line break: never fewer than characters. */
function sizeOf(lines: readonly string[]): number {
  return lines.reduce((sum, line) => sum + Buffer.byteLength(line) + 1, 0);
}

/**
 * The lines of all parts in their order: each part takes what it needs, but leaves those after it
 * their shares.
 */
function fitInto(parts: readonly Part[], budget: number): string[] {
  const shown = parts.filter(({ lines }) => lines.length > 0);
  const reserved = shown.map(({ head, lines, foot, share }) =>
    Math.min(sizeOf([...head, ...lines, ...foot]), Math.floor(share * budget)),
  );

  let left = budget;

  return shown.flatMap((part, index) => {
    const others = reserved.slice(index + 1).reduce((sum, bytes) => sum + bytes, 0);
    const lines = cutTo(part, left - others);
    left -= sizeOf(lines);

    return lines;
  });
}

function cutTo({ head, lines, foot, more }: Part, bytes: number): string[] {
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
