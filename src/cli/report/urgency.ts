/**
 * The order of a report: the most urgent first, by kind of trouble. Equal findings of many domains
 * are one entry.
 */
import { compare } from "../../common/order";
import type { Verdict } from "../../rules/expiry-rule";
import { KINDS } from "../../rules/finding";
import type { DomainReport, Report, ReportedFinding } from "./model";

/** A violation is more urgent than what could not be determined. */
const URGENT_FIRST: readonly Verdict[] = ["fail", "unknown", "warn", "pass"];

/** Orders findings: by verdict, then by kind, then by the days that are left. */
export function byUrgency(a: ReportedFinding, b: ReportedFinding): number {
  return (
    compare(URGENT_FIRST.indexOf(a.verdict), URGENT_FIRST.indexOf(b.verdict)) ||
    compare(KINDS.indexOf(a.kind), KINDS.indexOf(b.kind)) ||
    compare(a.urgency, b.urgency)
  );
}

/**
 * Orders domains by their most urgent findings, and those that pass by the end of the registration.
 */
export function urgentFirst(domains: readonly DomainReport[]): DomainReport[] {
  const days = ({ registration }: DomainReport) =>
    registration?.daysLeft ?? Number.MAX_SAFE_INTEGER;

  return domains.toSorted((a, b) => {
    const [first] = a.findings;
    const [second] = b.findings;
    if (first && second) return byUrgency(first, second) || days(a) - days(b);
    if (first || second) return first ? -1 : 1;

    return days(a) - days(b);
  });
}

/** Equal findings of one or many domains. */
export interface Entry {
  finding: ReportedFinding;

  /** Each finding with the name of its domain; null if it is about none of the report. */
  of: { name: string | null; finding: ReportedFinding }[];
}

/**
 * All findings of a report, the most urgent first. What only one domain has comes before what many
 * have.
 */
export function entriesOf({ domains, findings }: Report): Entry[] {
  const entries = new Map<string, Entry>();
  const add = (name: string | null, finding: ReportedFinding) => {
    const { kind, about, state, verdict, text } = finding;
    const key = JSON.stringify([kind, about, state, verdict, text]);
    const entry = entries.get(key) ?? { finding, of: [] };

    entry.of.push({ name, finding });
    entries.set(key, entry);
  };

  for (const domain of domains)
    for (const finding of domain.findings) add(domain.domain ?? domain.id, finding);

  for (const finding of findings) add(null, finding);

  return [...entries.values()].sort(
    (a, b) => byUrgency(a.finding, b.finding) || compare(a.of.length, b.of.length),
  );
}

/** A change that nobody has reviewed. */
export interface ToReview {
  id: string;
  name: string;
}

/** The changes to review, in the order of the findings. */
export function toReview(entries: readonly Entry[]): ToReview[] {
  const violations = entries.filter(
    ({ finding }) => finding.verdict === "fail" && finding.about === "changes",
  );

  return violations.flatMap((entry) =>
    entry.of.flatMap(({ name, finding }) => finding.ids.map((id) => ({ id, name: name ?? "" }))),
  );
}
