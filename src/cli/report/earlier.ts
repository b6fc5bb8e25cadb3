/**
 * Compares what was found with an earlier report: what is new, what is resolved, what could not be
 * determined and stays as it was, and which domains have left the account. Pure.
 */

import { comparableName } from "../../rules/domain-names";
import { type Finding, finding } from "../../rules/finding";
import { MISSING } from "../calls";
import { byUrgency } from "./entries";
import type { DomainReport, Report, ReportedFinding, ResolvedFinding } from "./model";

/** The findings of a report. */
type Found = Pick<Report, "domains" | "findings">;

/** Facts that the comparison needs beside both reports. */
interface Comparison {
  /** Whether every domain of the account was read. */
  isWhole: boolean;

  /** Ids of the changes that were reviewed since. */
  reviewed: ReadonlySet<string>;
}

/** @param found what was found this time */
export function compareWith(
  earlier: Found,
  found: Found,
  { isWhole, reviewed }: Comparison,
): Found & Pick<Report, "resolved"> {
  const before = new Map(earlier.domains.map((domain) => [domain.id, domain]));
  const domains = found.domains.map((domain) =>
    comparedDomain(domain, before.get(domain.id), reviewed),
  );

  const now = new Map(domains.map((domain) => [domain.id, domain]));
  const names = new Set(domains.map(({ domain }) => comparableName(domain ?? "")));
  const hasLeft = (one: DomainReport) =>
    wasThere(one) && !now.has(one.id) && !names.has(comparableName(one.domain ?? ""));

  const isDetermined = (one: DomainReport) => {
    const today = now.get(one.id);
    if (today) return today.verdict !== "unknown";
    // A domain is only once said to have left.
    return isWhole && !hasLeft(one) && !hasState(one, LEFT);
  };

  const left = isWhole ? earlier.domains.filter(hasLeft) : [];
  const ofDomains = earlier.domains
    .filter(isDetermined)
    .flatMap((one) => resolved(one, now.get(one.id)?.findings));

  const ofNone = { id: "", domain: null, findings: earlier.findings };

  return {
    domains: [...domains, ...left.map(leftDomain)],
    findings: marked(found.findings, earlier.findings),
    resolved: [...ofDomains, ...resolved(ofNone, found.findings)],
  };
}

/** The trouble that a finding is about. Texts have the days that are left, so they do not count. */
function subjectOf({ kind, about, field, change, ids }: Finding): string {
  // Changes of a field stay the same trouble when there are more of them.
  return JSON.stringify([kind, about, field, change ? "changes" : ids]);
}

/** A domain with the earlier findings that still count, and with new ones marked. */
function comparedDomain(
  domain: DomainReport,
  before: DomainReport | undefined,
  reviewed: Comparison["reviewed"],
): DomainReport {
  const earlier = before?.findings ?? [];
  const findings = [...domain.findings, ...keptFindings(domain.findings, earlier, reviewed)];

  return {
    ...domain,
    domain: domain.domain ?? before?.domain ?? null,
    findings: marked(findings, earlier).sort(byUrgency),
  };
}

/** New is what the earlier report lacks, what has become worse, and a change that was added. */
function marked(
  findings: readonly ReportedFinding[],
  before: readonly ReportedFinding[],
): ReportedFinding[] {
  const known = new Map(before.map((one) => [subjectOf(one), one]));

  return findings.map((one): ReportedFinding => {
    const earlier = known.get(subjectOf(one));
    const isSame = earlier?.state === one.state && earlier.verdict === one.verdict;
    const ids = new Set(earlier?.ids);

    return { ...one, isNew: !isSame || one.ids.some((id) => !ids.has(id)) };
  });
}

/** The earlier findings about what could not be determined this time. */
function keptFindings(
  findings: readonly ReportedFinding[],
  earlier: readonly ReportedFinding[],
  reviewed: Comparison["reviewed"],
): ReportedFinding[] {
  const failed = findings.filter(({ verdict }) => verdict === "unknown");
  const found = new Set(findings.map(subjectOf));
  const isReviewed = ({ change, ids }: Finding) =>
    change !== null && ids.every((id) => reviewed.has(id));

  return earlier
    .filter(({ verdict }) => verdict !== "unknown")
    .filter((one) => failed.some((failure) => isPartOf(one, failure)))
    .filter((one) => !found.has(subjectOf(one)) && !isReviewed(one))
    .map((one) => ({ ...one, isKept: true }));
}

/** Whether a finding is about what could not be determined. */
function isPartOf({ kind, change }: Finding, { about }: Finding): boolean {
  if (about === "domain") return true;
  return about === "channels" ? kind === "channel" : change?.kind === about;
}

const LEFT = "left";

function wasThere(one: DomainReport): boolean {
  return one.domain !== null && !hasState(one, MISSING) && !hasState(one, LEFT);
}

function hasState({ findings }: DomainReport, state: string): boolean {
  return findings.some((found) => found.state === state);
}

/** A domain of an earlier report that the account lacks. */
function leftDomain({ id, domain, label, registrar }: DomainReport): DomainReport {
  const text =
    "has left the account: the earlier report has it, so find out who removed it or where it went";

  const found = finding({ kind: "domain", about: "domain", state: LEFT, text });

  return {
    id,
    verdict: "fail",
    domain,
    label,
    registrar,
    findings: [{ ...found, failure: null, isNew: true, isKept: false }],
    remarks: [],
    registration: null,
    certificate: null,
    components: null,
    whoisChanges: null,
    dnsChanges: null,
  };
}

/** Findings that are no longer there. */
function resolved(
  { id, domain, findings }: Pick<DomainReport, "id" | "domain" | "findings">,
  now: readonly ReportedFinding[] = [],
): ResolvedFinding[] {
  const found = new Set(now.map(subjectOf));

  return findings
    .filter((one) => !found.has(subjectOf(one)))
    .map(({ kind, field, text }) => ({ id, domain, kind, field, text }));
}
