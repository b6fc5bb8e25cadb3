/**
 * Compares what was found with an earlier report: what is new, what is resolved, what could not be
 * determined and stays as it was, and which domains have left the account. Pure.
 */

import { comparableName } from "../../rules/domain-names";
import { worst } from "../../rules/expiry-rule";
import { type Finding, finding } from "../../rules/finding";
import { MISSING } from "../calls";
import { byUrgency } from "./entries";
import type { DomainReport, Report, ReportedFinding, ResolvedFinding } from "./model";

/** The findings of a report, and what is compared with an earlier one. */
export type Compared = Pick<Report, "domains" | "findings" | "resolved">;

/** Facts that the comparison needs beside both reports. */
export interface Comparison {
  /** Whether every domain of the account was read. */
  isWhole: boolean;

  /** Ids of the changes that were reviewed since. */
  reviewed: readonly string[];
}

/** @param found what was found this time */
export function compareWith(
  earlier: Report | undefined,
  found: Pick<Report, "domains" | "findings">,
  comparison: Comparison,
): Compared {
  const before = new Map(earlier?.domains.map((domain) => [domain.id, domain]));
  const known = found.domains.map((domain) =>
    withKept(domain, before.get(domain.id), comparison.reviewed),
  );

  const left = comparison.isWhole ? leftDomains(earlier?.domains ?? [], known) : [];
  const gone = new Set(left.map(({ id }) => id));
  const domains = known.map((domain) => ({
    ...domain,
    findings: marked(domain.findings, before.get(domain.id)?.findings ?? []),
  }));

  return {
    domains: [...domains, ...left],
    findings: marked(found.findings, earlier?.findings ?? []),
    resolved: [
      ...(earlier?.domains ?? [])
        .filter(({ id }) => !gone.has(id))
        .flatMap((one) => resolvedOf(one, domains, comparison.isWhole)),
      ...resolvedOf(unnamed(earlier?.findings ?? []), [unnamed(found.findings)], true),
    ],
  };
}

/** In place of a domain for findings about none. */
function unnamed(findings: ReportedFinding[]) {
  return { id: "", domain: null, verdict: worst(findings), findings };
}

type WithFindings = Pick<DomainReport, "id" | "domain" | "verdict" | "findings">;

/** The trouble that a finding is about. Texts have the days that are left, so they do not count. */
function subjectOf({ kind, about, field, change, ids }: Finding): string {
  // Changes of a field stay the same trouble when there are more of them.
  return JSON.stringify([kind, about, field, change ? "changes" : ids]);
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

/** A domain with the earlier findings about what could not be determined this time. */
function withKept(
  domain: DomainReport,
  before: DomainReport | undefined,
  reviewed: readonly string[],
): DomainReport {
  const failed = domain.findings.filter(({ verdict }) => verdict === "unknown");
  if (!before || failed.length === 0) return domain;

  const found = new Set(domain.findings.map(subjectOf));
  const isReviewed = ({ change, ids }: Finding) =>
    change !== null && ids.every((id) => reviewed.includes(id));

  const kept = before.findings.filter(
    (one) =>
      one.verdict !== "unknown" &&
      failed.some((failure) => isPartOf(one, failure)) &&
      !found.has(subjectOf(one)) &&
      !isReviewed(one),
  );

  const findings = [...domain.findings, ...kept.map((one) => ({ ...one, isKept: true }))];

  return { ...domain, domain: domain.domain ?? before.domain, findings: findings.sort(byUrgency) };
}

/** Whether a finding is about what could not be determined. */
function isPartOf({ kind, change }: Finding, { about }: Finding): boolean {
  if (about === "domain") return true;
  return about === "channels" ? kind === "channel" : change?.kind === about;
}

/** Domains of an earlier report that the account lacks. */
function leftDomains(
  before: readonly DomainReport[],
  now: readonly DomainReport[],
): DomainReport[] {
  const names = new Set(now.map(({ domain }) => comparableName(domain ?? "")));
  const ids = new Set(now.map(({ id }) => id));
  const wasThere = ({ domain, findings }: DomainReport) =>
    domain !== null && !findings.some(({ state }) => state === MISSING || state === LEFT);

  return before
    .filter(
      (one) => wasThere(one) && !ids.has(one.id) && !names.has(comparableName(one.domain ?? "")),
    )
    .map(leftDomain);
}

const LEFT = "left";

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

/** Findings that are no longer there, of domains that were read completely. */
function resolvedOf(
  { id, domain, findings }: WithFindings,
  now: readonly WithFindings[],
  isWhole: boolean,
): ResolvedFinding[] {
  const today = now.find((one) => one.id === id);
  // The domain's departure was reported once.
  const isSaid = !today && findings.some(({ state }) => state === LEFT);
  const isProven = today ? today.verdict !== "unknown" || id === "" : isWhole;
  if (isSaid || !isProven) return [];

  const found = new Set(today?.findings.map(subjectOf));

  return findings
    .filter((one) => !found.has(subjectOf(one)))
    .map(({ kind, field, text }) => ({ id, domain, kind, field, text }));
}
