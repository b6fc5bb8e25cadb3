/** A report for terminals. Violations come last, because people read the last screen. */
import type { Verdict } from "../../rules/expiry-rule";
import { columns, MAX_NAMED, MAX_SHOWN, section } from "../text";
import { type DomainGroup, groupsOf } from "./groups";
import type { DomainReport, Report } from "./model";
import { type Section, type Sections, sectionsOf, textsOfLines } from "./sections";
import { NOTHING, textsOf, VERDICT_TEXTS } from "./texts";

/** The rest is only counted; `--format json` and `--format html` have all of it. */
const MAX = { fine: 20, ofDomain: 5, lines: 20 };

const HEADER = ["DOMAIN", "VERDICT", "WHY", "EXPIRES", "DAYS", "CERTIFICATE"];

export function renderTable(report: Report, isColored = false): string {
  const parts = sectionsOf(report);
  const paint = (verdict: Verdict) => (text: string) => (isColored ? painted(text, verdict) : text);

  const lines = [
    `${parts.title}, ${parts.made}`,
    parts.scope,
    "",
    ...table(parts, paint),
    ...firstLines(parts.changes(MAX.ofDomain)),
    ...firstLines(parts.remarks),
    ...firstLines(parts.notes),
    ...allLines(parts.warnings, paint("warn")),
    ...allLines(parts.undetermined, paint("unknown")),
    ...allLines(parts.violations, paint("fail")),
    "",
    parts.summary,
  ];

  return `${lines.join("\n")}\n`;
}

/** Colors a text by a verdict, if the output is in color. */
type Paint = (verdict: Verdict) => (text: string) => string;

function table({ urgent, fine }: Sections, paint: Paint): string[] {
  const groups = groupsOf(urgent).map(groupRows);
  const all = [...groups, foldedRows("pass", fine, MAX.fine, "that are fine")];
  const [header = "", ...lines] = columns([
    HEADER,
    ...all.flatMap(({ shown }) => shown).map(cells),
  ]);

  return [
    header,
    ...all.flatMap(({ verdict, shown, folded }) =>
      [...lines.splice(0, shown.length), ...folded].map(paint(verdict)),
    ),
  ];
}

/** Many of one group are the first ones and a number, as they are below `Violations`. */
function groupRows({ heading, domains: [first, ...others] }: DomainGroup): Rows {
  const limit = others.length < MAX_NAMED ? MAX_NAMED : MAX_SHOWN;
  return foldedRows(first.verdict, [first, ...others], limit, `under "${heading}"`);
}

/** Domains of which the first ones have rows, and the others are a number. */
interface Rows {
  verdict: Verdict;
  shown: readonly DomainReport[];
  folded: string[];
}

function foldedRows(
  verdict: Verdict,
  domains: readonly DomainReport[],
  limit: number,
  what: string,
): Rows {
  const more = domains.length - limit;

  return {
    verdict,
    shown: domains.slice(0, limit),
    folded: more > 0 ? [`and ${more} more ${what}`] : [],
  };
}

/** Not `util.styleText`, which checks the terminal itself in some versions of Node. */
function painted(text: string, verdict: Verdict): string {
  const { color } = VERDICT_TEXTS[verdict];
  return color === "" ? text : `${color}${text}\u001b[39m`;
}

function allLines(part: Section, paint: (text: string) => string): string[] {
  return section(part.heading, textsOfLines(part)).map((text) =>
    text === "" ? text : paint(text),
  );
}

function firstLines(part: Section): string[] {
  const { heading, what } = part;
  const texts = textsOfLines(part);
  const more = texts.length - MAX.lines;
  const last = `and ${more} more ${what}: the formats json and html have all of them`;

  return section(heading, more > 0 ? [...texts.slice(0, MAX.lines), last] : texts);
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
