/** A report for terminals: a table, problems, and the newest changes. */
import { oneLine } from "../../common/redact";
import { columns, cut, section } from "../text";
import type { DomainReport, Report } from "./model";
import {
  alarms,
  asides,
  boundWords,
  generated,
  NOTHING,
  nameOf,
  newestChanges,
  summaryLine,
  textsOf,
  urgentFirst,
  VERDICTS,
} from "./words";

const MAX_CHANGES = 5;
/** With longer names the table would not fit into 80 columns. */
const MAX_NAME_WIDTH = 23;

/** Not `util.styleText`, which checks the terminal itself in some versions of Node. */
const COLORS = { warning: "\u001b[33m", attention: "\u001b[31m", error: "\u001b[35m" };

const HEADER = ["DOMAIN", "VERDICT", "EXPIRES", "DAYS", "CERTIFICATE", "DAYS", "CHANGES"];

export function renderTable(report: Report, isColored = false): string {
  const domains = urgentFirst(report.domains);
  const [header = "", ...rows] = columns([HEADER, ...domains.map(cells)]);
  const paint = (domain: DomainReport, text: string) =>
    isColored && domain.verdict !== "ok" ? `${COLORS[domain.verdict]}${text}\u001b[39m` : text;
  const lines = [
    `${oneLine(report.title)}, ${generated(report)}`,
    summaryLine(report),
    `Required: ${boundWords(report)}. Changes since ${report.since}.`,
    "",
    header,
    ...domains.map((domain, index) => paint(domain, rows[index] ?? "")),
    ...alarms(report).flatMap(([heading, found]) => section(heading, found)),
    ...section("Changes", domains.flatMap(changeLines)),
    ...asides(report).flatMap(([heading, said]) => section(heading, said)),
  ];
  return `${lines.join("\n")}\n`;
}

function cells(domain: DomainReport): string[] {
  const { name, registration, certificate } = textsOf(domain);
  const { status } = certificate;
  return [
    cut(name, MAX_NAME_WIDTH),
    VERDICTS[domain.verdict],
    cut(registration.expires, "2026-01-31".length),
    String(domain.registration?.daysLeft ?? NOTHING),
    /^(ok|expiring|expired)$/.test(status) || !domain.certificate ? certificate.expires : status,
    String(domain.certificate?.daysLeft ?? NOTHING),
    changeCount(domain),
  ];
}

function changeCount({ whoisChanges, dnsChanges, problems }: DomainReport): string {
  return problems.some(({ part }) => part !== "channels")
    ? "?"
    : String((whoisChanges?.count ?? 0) + (dnsChanges?.count ?? 0));
}

function changeLines(domain: DomainReport): string[] {
  const { listed, more } = newestChanges(domain, MAX_CHANGES);
  const lines = listed.map(
    ({ kind, createdAt, summary }) => `${nameOf(domain)}  ${createdAt}  ${kind}  ${summary}`,
  );
  return more > 0 ? [...lines, `${nameOf(domain)}  and ${more} more`] : lines;
}
