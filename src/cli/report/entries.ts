/**
 * The order of a report: the most urgent first, by kind of trouble. What many domains have is one
 * entry.
 */
import { compare, groupBy, type NonEmpty } from "../../common/order";
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
 * Orders domains by their most urgent findings, and passing ones by the end of the registration.
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

/** A finding, and the domain that it is about; null if it is about none of the report. */
export interface Named {
  name: string | null;
  id: string | null;
  finding: ReportedFinding;
}

/** A finding of one or many domains. */
export interface Entry {
  /** The most urgent findings; new ones come first. */
  finding: ReportedFinding;

  /** Without the name and the id of a domain. */
  text: string;

  /** Whether all of them have this text. */
  isSame: boolean;
  of: Named[];
}

/** Findings of one kind and field about more domains than these are one entry. */
export const MAX_DOMAINS = 10;

/** All findings of a report. */
export function findingsOf({ domains, findings }: Pick<Report, "domains" | "findings">): Named[] {
  return [
    ...domains.flatMap((domain) =>
      domain.findings.map((finding) => ({
        name: domain.domain ?? domain.id,
        id: domain.id,
        finding,
      })),
    ),
    ...findings.map((finding) => ({ name: null, id: null, finding })),
  ];
}

/**
 * Findings as entries, the most urgent first. What only one domain has comes before what many have.
 */
export function entriesOf(findings: readonly Named[]): Entry[] {
  const groups = groupBy(findings, ({ finding: { verdict, kind, about, field } }) =>
    JSON.stringify([verdict, kind, about, field]),
  );

  return [...groups.values()]
    .flatMap(entriesOfGroup)
    .sort((a, b) => byUrgency(a.finding, b.finding) || compare(a.of.length, b.of.length));
}

/** One entry if the group is about many domains; otherwise one for each text. */
function entriesOfGroup(group: NonEmpty<Named>): Entry[] {
  const domains = new Set(group.map(({ name }) => name));
  const texts = [...groupBy(group, textOf).values()];

  return domains.size > MAX_DOMAINS
    ? [entryOf(group, texts.length === 1)]
    : texts.map((same) => entryOf(same, true));
}

function entryOf(group: NonEmpty<Named>, isSame: boolean): Entry {
  const of = group.toSorted(newFirst);
  const [first = group[0]] = of;

  return { finding: first.finding, text: textOf(first), isSame, of };
}

function newFirst(a: Named, b: Named): number {
  const rank = ({ finding }: Named) => (finding.isNew ? 0 : 1);
  return compare(rank(a), rank(b)) || byUrgency(a.finding, b.finding);
}

/** Failures that differ only in the domain that was asked for have the same text. */
function textOf({ name, id, finding: { verdict, text } }: Named): string {
  if (verdict !== "unknown" || !name || !id) return text;
  return text.replaceAll(id, "…").replaceAll(name, "…");
}
