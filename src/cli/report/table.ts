/** A report for terminals: a table, findings, and the newest changes. */
import { oneLine } from "../../common/secrets";
import { columns, cut, section } from "../text";
import type { DomainReport, Report } from "./model";
import {
  asides,
  findingsOf,
  generated,
  lacksChanges,
  NOTHING,
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

const MAX_CHANGES = 5;
/** With longer names the table would not fit into 80 columns. */
const MAX_NAME_WIDTH = 23;

const HEADER = ["DOMAIN", "VERDICT", "EXPIRES", "DAYS", "CERTIFICATE", "DAYS", "CHANGES"];

export function renderTable(report: Report, isColored = false): string {
  const domains = urgentFirst(report.domains);
  const { found, review } = findingsOf(report);
  const [header = "", ...rows] = columns([HEADER, ...domains.map(cells)]);
  const lines = [
    `${oneLine(report.title)}, ${generated(report)}`,
    summaryLine(report),
    scopeWords(report),
    "",
    header,
    ...domains.map((domain, index) => painted(rows[index] ?? "", domain, isColored)),
    ...found.flatMap(({ heading, lines }) => section(heading, lines)),
    ...reviewBlock(review),
    ...section("Changes", domains.flatMap(changeLines)),
    ...asides(report).flatMap(({ heading, lines }) => section(heading, lines)),
  ];

  return `${lines.join("\n")}\n`;
}

/** Not `util.styleText`, which checks the terminal itself in some versions of Node. */
function painted(row: string, { verdict }: DomainReport, isColored: boolean): string {
  const { color } = VERDICT_TEXTS[verdict];
  return isColored && color !== "" ? `${color}${row}\u001b[39m` : row;
}

/** Lines to paste, which keep their indentation. */
function reviewBlock(review: readonly ToReview[]): string[] {
  if (review.length === 0) return [];
  return ["", REVIEW_HEADING, ...REVIEW_KEYS, ...review.map((one) => `    ${reviewLine(one)}`)];
}

function cells(domain: DomainReport): string[] {
  const { name, registration, certificate } = textsOf(domain);
  const { status } = certificate;

  return [
    cut(name, MAX_NAME_WIDTH),
    domain.verdict,
    cut(registration.expires, "2026-01-31".length),
    String(domain.registration?.daysLeft ?? NOTHING),
    /^(ok|expiring|expired)$/.test(status) || !domain.certificate ? certificate.expires : status,
    String(domain.certificate?.daysLeft ?? NOTHING),
    changeCount(domain),
  ];
}

function changeCount(domain: DomainReport): string {
  const { whoisChanges, dnsChanges } = domain;
  return lacksChanges(domain) ? "?" : String((whoisChanges?.count ?? 0) + (dnsChanges?.count ?? 0));
}

function changeLines(domain: DomainReport): string[] {
  const { listed, more } = newestChanges(domain, MAX_CHANGES);
  const lines = listed.map(
    ({ kind, createdAt, summary }) => `${nameOf(domain)}  ${createdAt}  ${kind}  ${summary}`,
  );

  return more > 0
    ? [...lines, `${nameOf(domain)}  and ${more} more changes: the format json has them`]
    : lines;
}
