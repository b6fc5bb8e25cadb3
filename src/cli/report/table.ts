/** A report for terminals. Violations come last, because people read the last screen. */
import { columns, cut, section } from "../text";
import type { DomainReport, Report } from "./model";
import { type Block, type Section, type Sections, sectionsOf } from "./sections";
import { NOTHING, textsOf, VERDICT_TEXTS } from "./texts";

/** The rest is only counted; `--format json` and `--format html` have all of it. */
const MAX = { fine: 20, ofDomain: 5, lines: 20, review: 50 };

/** With longer names the table would not fit into 80 columns. */
const MAX_NAME_WIDTH = 23;

const HEADER = ["DOMAIN", "VERDICT", "WHY", "EXPIRES", "DAYS", "CERTIFICATE"];

export function renderTable(report: Report, isColored = false): string {
  const parts = sectionsOf(report);
  const [theft, others] = parts.blocks;
  const lines = [
    `${parts.title}, ${parts.made}`,
    parts.scope,
    "",
    ...table(parts, isColored),
    ...shortened(parts.changes(MAX.ofDomain)),
    ...shortened(parts.remarks),
    ...shortened(parts.notes),
    ...(others ? block(others, MAX.review) : []),
    ...(theft ? block(theft) : []),
    ...shortened(parts.resolved),
    ...whole(parts.warnings),
    ...whole(parts.undetermined),
    ...whole(parts.violations),
    "",
    parts.summary,
  ];

  return `${lines.join("\n")}\n`;
}

function table({ urgent, fine }: Sections, isColored: boolean): string[] {
  const domains = [...urgent, ...fine.slice(0, MAX.fine)];
  const [header = "", ...rows] = columns([HEADER, ...domains.map(cells)]);
  const folded = fine.length - MAX.fine;

  return [
    header,
    ...domains.map((domain, index) => painted(rows[index] ?? "", domain, isColored)),
    ...(folded > 0 ? [`and ${folded} more that are fine`] : []),
  ];
}

/** Not `util.styleText`, which checks the terminal itself in some versions of Node. */
function painted(row: string, { verdict }: DomainReport, isColored: boolean): string {
  const { color } = VERDICT_TEXTS[verdict];
  return isColored && color !== "" ? `${color}${row}\u001b[39m` : row;
}

function whole({ heading, lines }: Section): string[] {
  return section(heading, textsOfLines(lines));
}

function shortened({ heading, what, lines }: Section): string[] {
  return section(heading, firstOf(textsOfLines(lines), MAX.lines, what));
}

/** The first lines, and the number of the others. */
function firstOf(lines: readonly string[], most: number, what: string, mark = ""): string[] {
  const more = lines.length - most;
  const last = `${mark}and ${more} more ${what}: the formats json and html have all of them`;

  return more > 0 ? [...lines.slice(0, most), last] : [...lines];
}

/** Lines to paste, which keep their indentation. What is cut is said in a comment. */
function block({ heading, what, keys, lines }: Block, most = lines.length): string[] {
  if (lines.length === 0) return [];
  const pasted = firstOf(textsOfLines(lines), most, what, "# ");

  return ["", heading, ...keys, ...pasted.map((text) => `    ${text}`)];
}

function textsOfLines(lines: Section["lines"]): string[] {
  return lines.map(({ text }) => text);
}

function cells(domain: DomainReport): string[] {
  const { name, why, registration, certificate } = textsOf(domain);
  const { status } = certificate;
  const isDated = /^(ok|expiring|expired)$/.test(status) || !domain.certificate;

  return [
    cut(name, MAX_NAME_WIDTH),
    domain.verdict,
    why || NOTHING,
    cut(registration.expires, "2026-01-31".length),
    String(domain.registration?.daysLeft ?? NOTHING),
    isDated ? certificate.expires : status,
  ];
}
