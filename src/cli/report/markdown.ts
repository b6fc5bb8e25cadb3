/** A report for a job summary or a comment on a pull request (GitHub's and GitLab's Markdown). */
import type { DomainReport, Report } from "./model";
import { type Section, sectionsOf } from "./sections";
import { type DatedTexts, NOTHING, textsOf, VERDICT_TEXTS } from "./texts";

/**
 * Size of the whole text in bytes of UTF-8. GitHub refuses a comment or an issue of more than
 * 65,536 characters; a text never has more characters than bytes, so the limit holds however it is
 * counted. The rest is for what a template adds.
 */
export const MARKDOWN_BUDGET = 60_000;

/** Changes that are listed of one domain. */
const MAX_CHANGES = 10;

const HEADER = ["", "Domain", "Registration", "Certificate", "Changes"];

export function renderMarkdown(report: Report): string {
  const parts = sectionsOf(report);
  const head = [
    `## ${escapeMarkdown(parts.title)}`,
    "",
    `**${parts.summary}.** ${escapeMarkdown(parts.scope)} Made ${parts.made}.`,
  ];

  const sections = [
    list(parts.violations),
    list(parts.undetermined),
    list(parts.warnings),
    table(parts.urgent, "less urgent domains"),
    folded(`Fine: ${parts.fine.length}`, table(parts.fine, "domains that are fine")),
    folded("Changes", { ...list(parts.changes(MAX_CHANGES)), head: [""] }),
    list(parts.remarks),
    list(parts.notes),
  ];

  return `${[...head, ...fitted(sections, MARKDOWN_BUDGET - sizeOf(head))].join("\n")}\n`;
}

/**
 * Escapes text of others: no markup, links, images or notifications. Mentions, references and
 * addresses are recognized despite backslashes and entities, so they are split by a zero-width
 * space.
 */
export function escapeMarkdown(text: string): string {
  return text
    .replace(/[\\`*_[\]|~$]/g, "\\$&")
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replace(/[@#]|[!%~](?=["\w])|\$(?=\d)|&amp;(?=\d)/g, "$&&#8203;")
    .replaceAll("://", ":&#8203;//")
    .replace(/www(?=\.)/gi, "$&&#8203;")
    .replace(/(?<![a-z\d])gh(?=-\d)/gi, "$&&#8203;");
}

/** A section as text. */
interface Part {
  /** Lines before the others, such as a heading. They count, and are not cut. */
  head: string[];
  lines: string[];

  /** Lines after the others, which are not cut either. */
  foot: string[];

  /** The line in place of so many that were cut. */
  more: (cut: number) => string;
}

/** Where everything is that a cut leaves out. */
const ELSEWHERE = "the formats json and html have all of them";

function list({ heading, what, lines }: Section): Part {
  return {
    head: ["", `### ${heading}`, ""],
    lines: lines.map(({ text }) => `- ${escapeMarkdown(text)}`),
    foot: [],
    more: (cut) => `- and ${cut} more ${what}: ${ELSEWHERE}`,
  };
}

function table(domains: readonly DomainReport[], what: string): Part {
  return {
    head: ["", row(HEADER), row(HEADER.map(() => "---"))],
    lines: domains.map((domain) => row(cells(domain))),
    foot: [],
    more: (cut) => `\nAnd ${cut} more ${what}: ${ELSEWHERE}.`,
  };
}

function row(columns: string[]): string {
  return `| ${columns.join(" | ")} |`;
}

function cells(domain: DomainReport): string[] {
  const { name, label, why, registration, certificate, changes } = textsOf(domain);
  const mark = `${VERDICT_TEXTS[domain.verdict].mark} ${why}`;

  return [
    mark.trim(),
    [name, ...(label === "" ? [] : [label])].map(escapeMarkdown).join("<br>"),
    dated(registration),
    dated(certificate),
    changes,
  ];
}

/** Such as `expired, 2026-02-19, 10 days ago`. */
function dated({ status, expires, left }: DatedTexts): string {
  const texts = [status, escapeMarkdown(expires), left];
  return texts.filter((text) => text !== NOTHING).join(", ");
}

function folded(summary: string, part: Part): Part {
  return {
    ...part,
    head: ["", `<details><summary>${summary}</summary>`, ...part.head],
    foot: ["", "</details>"],
  };
}

/** Bytes of these lines as UTF-8, each with its line break: never fewer than characters. */
function sizeOf(lines: readonly string[]): number {
  return lines.reduce((sum, line) => sum + Buffer.byteLength(line) + 1, 0);
}

/** The lines of all parts in their order: the first ones, as long as there is room. */
function fitted(parts: readonly Part[], budget: number): string[] {
  const shown = parts.filter(({ lines }) => lines.length > 0);
  const frames = shown.flatMap(({ head, lines, foot, more }) => [
    ...head,
    more(lines.length),
    ...foot,
  ]);

  let room = budget - sizeOf(frames);
  const fits = (line: string) => {
    room -= sizeOf([line]);
    return room >= 0;
  };

  return shown.flatMap(({ head, lines, foot, more }) => {
    const kept = lines.filter(fits);
    const cut = lines.length - kept.length;

    return [...head, ...kept, ...(cut > 0 ? [more(cut)] : []), ...foot];
  });
}
