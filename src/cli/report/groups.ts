/**
 * The parts of a report that belong together: findings as entries, and domains under headings. The
 * most urgent come first, by kind of trouble; what many domains have is one entry.
 */
import { compare, groupBy, type NonEmpty } from "../../common/order";
import type { Verdict } from "../../rules/expiry-rule";
import { KINDS, type Kind } from "../../rules/finding";
import { MAX_NAMED } from "../text";
import type { DomainReport, ReportedFinding } from "./model";
import { VERDICT_TEXTS } from "./texts";

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

/** Findings that are shown as one. */
export interface Entry {
  /** The most urgent first. */
  of: NonEmpty<ReportedFinding>;

  /** Whether all of them have the same text, but for the domain. */
  isSame: boolean;
}

/**
 * Findings as entries, the most urgent first. What only one domain has comes before what many have.
 * @param findings in the same order
 */
export function entriesOf(findings: readonly ReportedFinding[]): Entry[] {
  const groups = groupBy(findings, ({ verdict, kind, about }) => [verdict, kind, about].join());

  return [...groups.values()]
    .flatMap(entriesOfGroup)
    .sort((a, b) => byUrgency(a.of[0], b.of[0]) || compare(a.of.length, b.of.length));
}

/** One entry if the group is about more domains than are named; otherwise one for each text. */
function entriesOfGroup(group: NonEmpty<ReportedFinding>): Entry[] {
  const domains = new Set(group.map(({ domainId }) => domainId));
  const texts = [...groupBy(group, withoutDomain).values()];

  return domains.size > MAX_NAMED
    ? [{ of: group, isSame: texts.length === 1 }]
    : texts.map((of) => ({ of, isSame: true }));
}

/** Failures that differ only in the domain that was asked for have the same text. */
export function withoutDomain({ verdict, text, domainId, domain }: ReportedFinding): string {
  if (verdict !== "unknown" || domainId === null) return text;
  return text.replaceAll(domainId, "…").replaceAll(domain ?? domainId, "…");
}

/** Domains of one kind, under a heading. */
export interface DomainGroup {
  key: string;
  heading: string;
  isFine: boolean;
  domains: NonEmpty<DomainReport>;
}

/** Groups in the order of their first domains, each with its domains in the order given. */
export function groupsOf(domains: readonly DomainReport[]): DomainGroup[] {
  const groups = [...groupBy(domains, groupOf)];

  return groups.map(([key, ofGroup]) => ({
    key,
    heading: HEADINGS[key],
    isFine: ofGroup[0].findings.length === 0,
    domains: ofGroup,
  }));
}

type GroupKey = Kind | "unknown" | "warn" | "year" | "later";

/** By the kind of the most urgent violation, or by verdict, or by the end of the registration. */
const HEADINGS: Record<GroupKey, string> = {
  domain: "Missing from the account",
  registrar: "Another registrar",
  registration: "Registration expired, ending too soon or not known",
  certificate: "Certificate expired, invalid, of another issuer, ending too soon or not known",
  component: "Checks that are required",
  channel: "Channels",
  changes: "Changes that could not be read",
  exception: "Exceptions that have ended",
  unknown: VERDICT_TEXTS.unknown.heading,
  warn: VERDICT_TEXTS.warn.heading,
  year: "Fine, registration ends within a year",
  later: "Fine for longer than a year",
};

const YEAR_DAYS = 365;

function groupOf({ findings, registration }: DomainReport): GroupKey {
  const [first] = findings;
  if (first) return first.verdict === "fail" ? first.kind : first.verdict;

  return (registration?.daysLeft ?? 0) <= YEAR_DAYS ? "year" : "later";
}
