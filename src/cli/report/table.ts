/** A report for terminals: a table, problems, and the newest changes. */
import { columns, cut, plain, section } from "../text";
import type { DomainReport, Report } from "./model";
import {
  generated,
  nameOf,
  newestChanges,
  problemLines,
  summaryLine,
  textsOf,
  UNREADABLE,
  unreadableLines,
  urgentFirst,
} from "./words";

/** Appearance of the table. */
export interface TableStyle {
  /** Whether to color domains that need attention. @default false */
  color?: boolean;
}

/** Maximum number of changes listed for a domain. */
const MAX_CHANGES = 5;
/** Longer names are cut, so that one does not widen the whole column. */
const MAX_NAME_WIDTH = 40;

/** Not `util.styleText`, which checks the terminal itself in some versions of Node. */
const COLORS = { attention: "\u001b[33m", error: "\u001b[35m" };

const HEADER = ["DOMAIN", "STATUS", "EXPIRES", "LEFT", "CERTIFICATE", "LEFT", "CHANGES"];

/** Renders the table. */
export function renderTable(report: Report, { color = false }: TableStyle = {}): string {
  const domains = urgentFirst(report.domains);
  const [header = "", ...rows] = columns([HEADER, ...domains.map(cells)]);
  const paint = (domain: DomainReport, text: string) =>
    color && domain.verdict !== "ok" ? `${COLORS[domain.verdict]}${text}\u001b[39m` : text;
  const lines = [
    plain(report.title),
    `${summaryLine(report)} (${generated(report)}, bound ${report.minimumDays} days, changes since ${report.since})`,
    "",
    header,
    ...domains.map((domain, index) => paint(domain, rows[index] ?? "")),
    ...section("Not determined", domains.flatMap(problemLines)),
    ...section(UNREADABLE, domains.flatMap(unreadableLines)),
    ...section("Changes", domains.flatMap(changeLines)),
    ...section("Notes", report.notes),
  ];
  return `${lines.join("\n")}\n`;
}

function cells(domain: DomainReport): string[] {
  const { name, registration, certificate, changes } = textsOf(domain);
  const day = domain.certificate?.expiresAt ? certificate.expires : "";
  const state = certificate.status === "ok" ? "" : certificate.status;
  return [
    cut(name, MAX_NAME_WIDTH),
    registration.status,
    registration.expires,
    registration.left,
    `${day} ${state}`.trim(),
    certificate.left,
    changes,
  ];
}

function changeLines(domain: DomainReport): string[] {
  const { listed, more } = newestChanges(domain, MAX_CHANGES);
  const lines = listed.map(
    ({ kind, createdAt, summary }) => `${nameOf(domain)}  ${createdAt}  ${kind}  ${summary}`,
  );
  return more > 0 ? [...lines, `${nameOf(domain)}  and ${more} more`] : lines;
}
