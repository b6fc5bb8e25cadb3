/** A report for terminals. Violations come last, because people read the last screen. */
import { columns, section } from "../text";
import type { DomainReport, Report } from "./model";
import { type Section, type Sections, sectionsOf } from "./sections";
import { NOTHING, textsOf, VERDICT_TEXTS } from "./texts";

/** The rest is only counted; `--format json` and `--format html` have all of it. */
const MAX = { fine: 20, ofDomain: 5, lines: 20 };

const HEADER = ["DOMAIN", "VERDICT", "WHY", "EXPIRES", "DAYS", "CERTIFICATE"];

export function renderTable(report: Report, isColored = false): string {
  const parts = sectionsOf(report);
  const lines = [
    `${parts.title}, ${parts.made}`,
    parts.scope,
    "",
    ...table(parts, isColored),
    ...shortened(parts.changes(MAX.ofDomain)),
    ...shortened(parts.remarks),
    ...shortened(parts.notes),
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
  const texts = textsOfLines(lines);
  const more = texts.length - MAX.lines;
  const last = `and ${more} more ${what}: the formats json and html have all of them`;

  return section(heading, more > 0 ? [...texts.slice(0, MAX.lines), last] : texts);
}

function textsOfLines(lines: Section["lines"]): string[] {
  return lines.map(({ text }) => text);
}

function cells(domain: DomainReport): string[] {
  const { name, why, registration, certificate } = textsOf(domain);
  const { status } = certificate;
  const isDated = /^(ok|expiring|expired)$/.test(status) || !domain.certificate;

  return [
    name,
    domain.verdict,
    why || NOTHING,
    registration.expires,
    String(domain.registration?.daysLeft ?? NOTHING),
    isDated ? certificate.expires : status,
  ];
}
