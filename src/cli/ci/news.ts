/** What is new in a report since the one before it. */
import { oneLine } from "../../common/redact";
import { escapeMarkdown } from "../report/markdown";
import type { DomainReport, Report } from "../report/model";
import { nameOf, PARTS, urgentFirst } from "../report/words";

/** The lines of a comment, the most urgent first; a warning alone is no reason for one. */
export function newsLines(report: Report, previous: Report | undefined): string[] {
  const known = new Set(previous?.domains.flatMap(newsOf).map(({ key }) => key));
  return urgentFirst(report.domains).flatMap((domain) =>
    newsOf(domain)
      .filter(({ key, isWarning }) => !known.has(key) && !isWarning)
      .map(({ text }) => escapeMarkdown(`${nameOf(domain)}: ${text}`)),
  );
}

function newsOf({ id, findings, problems }: DomainReport) {
  return [
    ...findings.map(({ about, severity, changeId, message }) => ({
      key: JSON.stringify([id, about, severity, changeId]),
      text: oneLine(message, 300),
      isWarning: severity === "warning",
    })),
    ...problems.map(({ part, kind, message }) => ({
      key: JSON.stringify([id, part, kind]),
      text: `${PARTS[part]} could not be determined: ${oneLine(message)}`,
      isWarning: false,
    })),
  ];
}
