/**
 * The order of a report: the most urgent first, by kind of trouble. What many domains have is one
 * entry.
 */
import { compare, groupBy, type NonEmpty } from "../../common/order";
import type { Verdict } from "../../rules/expiry-rule";
import { KINDS } from "../../rules/finding";
import type { DomainReport, ReportedFinding } from "./model";

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

/** A finding of one or many domains. */
export interface Entry {
  /** The most urgent of them. */
  finding: ReportedFinding;

  /** Without the name and the id of a domain. */
  text: string;

  /** Whether all of them have this text. */
  isSame: boolean;
  of: ReportedFinding[];
}

/** Findings of one kind about more domains than these are one entry. */
export const MAX_DOMAINS = 10;

/**
 * Findings as entries, the most urgent first. What only one domain has comes before what many have.
 */
export function entriesOf(findings: readonly ReportedFinding[]): Entry[] {
  const groups = groupBy(findings, ({ verdict, kind, about }) =>
    JSON.stringify([verdict, kind, about]),
  );

  return [...groups.values()]
    .flatMap(entriesOfGroup)
    .sort((a, b) => byUrgency(a.finding, b.finding) || compare(a.of.length, b.of.length));
}

/** One entry if the group is about many domains; otherwise one for each text. */
function entriesOfGroup(group: NonEmpty<ReportedFinding>): Entry[] {
  const domains = new Set(group.map(({ domainId }) => domainId));
  const texts = [...groupBy(group, textOf).values()];

  return domains.size > MAX_DOMAINS
    ? [entryOf(group, texts.length === 1)]
    : texts.map((same) => entryOf(same, true));
}

function entryOf(group: NonEmpty<ReportedFinding>, isSame: boolean): Entry {
  const of = group.toSorted(byUrgency);
  const [first = group[0]] = of;

  return { finding: first, text: textOf(first), isSame, of };
}

/** Failures that differ only in the domain that was asked for have the same text. */
function textOf({ verdict, text, domainId, domain }: ReportedFinding): string {
  if (verdict !== "unknown" || domainId === null) return text;
  return text.replaceAll(domainId, "…").replaceAll(domain ?? domainId, "…");
}
