/** Judges what was read of domains by the rules, and makes the report of it. Pure. */
import { toInstant } from "../../client/timestamps";
import type { Domain } from "../../client/types";
import { oneLine } from "../../common/redact";
import { isSince } from "../../functions/changes";
import { type Verdict, worst } from "../../rules/expiry-rule";
import { type Finding, finding } from "../../rules/finding";
import { type DomainRules, judgeDomain } from "../../rules/judge";
import type { ChangeKind, DescribedChange } from "../../rules/reviewed-changes";
import type { Failure } from "../calls";
import type { ChannelFinding } from "../channels/list";
import { exitCodeOf } from "../output";
import type { BoundRules } from "../rules-file";
import { MISSING } from "../selection";
import type { ChangesReport, DomainReport, Report, ReportedFinding } from "./model";
import type { ChangeFacts, DomainFacts } from "./read";
import { firstOf } from "./texts";
import { byUrgency } from "./urgency";

export interface ReportSettings extends Pick<Report, "title" | "since" | "kinds" | "notes"> {
  now: Date;
  rules: BoundRules;
  /** Differences between the stacks and the service. */
  channels: readonly ChannelFinding[];
  /** Whether all domains of the account are in the report. */
  isWhole: boolean;
}

export function createReport(facts: readonly DomainFacts[], settings: ReportSettings): Report {
  const { title, since, kinds, now, rules, notes } = settings;
  const { registration, certificate, changes } = rules.defaults;
  const domains = facts.map((one) => reportOn(one, settings));
  const findings = settings.channels.filter(({ domainId }) => domainId === null).map(channelFinding);
  const verdicts = [...domains, ...findings].map(({ verdict }) => verdict);
  return {
    version: 1,
    title,
    generatedAt: now.toISOString(),
    exitCode: exitCodeOf(verdicts),
    kinds,
    since,
    reviewSince: changes?.since ?? null,
    minimumDays: registration?.minimumDays ?? null,
    certificateDays: certificate?.minimumDays ?? null,
    summary: summaryOf(domains),
    domains,
    findings,
    resolved: null,
    notes: [...notes, ...unusedReviews(facts, settings)],
  };
}

/** Reviewed changes that no list has any more, which shows only where every list was read. */
function unusedReviews(facts: readonly DomainFacts[], { rules, isWhole }: ReportSettings): string[] {
  const lists = facts.flatMap(({ changes }) => Object.values(changes));
  const failures = [...facts.map(({ domain }) => domain), ...lists].flatMap(({ failure }) => failure ?? []);
  if (!isWhole || failures.some(({ kind }) => kind !== MISSING)) return [];
  const listed = new Set(lists.flatMap(({ ids }) => ids.map((id) => id.toLowerCase())));
  const { reviewed = [] } = rules.defaults.changes ?? {};
  const gone = reviewed.filter((id) => !listed.has(id.toLowerCase()));
  if (gone.length === 0) return [];
  return [`changes.reviewed has ids that no list has any more: ${oneLine(firstOf(gone))}: remove them`];
}

function summaryOf(domains: readonly DomainReport[]): Report["summary"] {
  const count = (wanted: Verdict) => domains.filter(({ verdict }) => verdict === wanted).length;
  return {
    domains: domains.length,
    pass: count("pass"),
    warn: count("warn"),
    fail: count("fail"),
    unknown: count("unknown"),
  };
}

function reportOn(facts: DomainFacts, settings: ReportSettings): DomainReport {
  const known = facts.domain.value;
  return known ? reportOnKnown(known, facts, settings) : reportOnUnknown(facts);
}

/** The parts of a domain that could not be read. */
const NOTHING_KNOWN = {
  domain: null,
  label: null,
  registrar: null,
  remarks: [],
  registration: null,
  certificate: null,
  components: null,
  whoisChanges: null,
  dnsChanges: null,
};

function reportOnUnknown({ id, domain: { failure } }: DomainFacts): DomainReport {
  const findings = undetermined("domain", failure);
  const name = failure?.kind === MISSING ? id : null;
  return {
    id,
    ...NOTHING_KNOWN,
    domain: name,
    verdict: worst(findings.map(({ verdict }) => verdict)),
    findings,
  };
}

function reportOnKnown(known: Domain, facts: DomainFacts, settings: ReportSettings): DomainReport {
  const { id, changes, channels } = facts;
  const { since, now } = settings;
  const rules = settings.rules.of(known.domain);
  const others = settings.channels.filter(({ domainId }) => domainId === id).map(channelFinding);
  const judged = judgeDomain(known, changesToJudge(changes, rules), rules, now, others);
  const findings: ReportedFinding[] = [
    ...judged.findings.map((found) => reported(found)),
    ...undetermined("whois", changes.whois?.failure),
    ...undetermined("dns", changes.dns?.failure),
    ...undetermined("channels", channels?.failure),
  ];
  return {
    id,
    verdict: worst(findings.map(({ verdict }) => verdict)),
    domain: known.domain,
    label: known.label,
    registrar: known.provider,
    findings: findings.toSorted(byUrgency),
    remarks: judged.remarks,
    registration: judged.registration,
    certificate: judged.certificate,
    components: known.components,
    whoisChanges: changesReport(changes.whois, since),
    dnsChanges: changesReport(changes.dns, since),
  };
}

function reported(found: Finding, failure: Failure | null = null): ReportedFinding {
  return { ...found, failure, isNew: null };
}

/** The parts of a domain that are read, by what a finding about them is about. */
export const PARTS = {
  domain: { kind: "domain", words: "the domain" },
  whois: { kind: "change", words: "WHOIS changes" },
  dns: { kind: "change", words: "DNS changes" },
  channels: { kind: "channel", words: "channels" },
} as const;

function undetermined(about: keyof typeof PARTS, failure: Failure | null | undefined): ReportedFinding[] {
  if (!failure) return [];
  const { kind, words } = PARTS[about];
  if (failure.kind === MISSING)
    return [reported(finding({ kind, about, state: MISSING, text: failure.message }))];
  const text = `${words} could not be determined: ${failure.message}`;
  return [reported(finding({ kind, about, state: "undetermined", verdict: "unknown", text }), failure)];
}

function channelFinding({ kind: state, message: text, channelId }: ChannelFinding): ReportedFinding {
  const verdict = state === "undetermined" ? "unknown" : "fail";
  return reported(finding({ kind: "channel", about: "channels", state, verdict, text, ids: [channelId] }));
}

/** The changes that the rule is about, of all that were read. */
function changesToJudge(changes: DomainFacts["changes"], rules: DomainRules): DescribedChange[] {
  const since = toInstant(rules.changes?.since ?? "");
  const kinds: readonly ChangeKind[] = rules.changes?.kinds ?? [];
  return kinds
    .flatMap((kind) => changes[kind]?.changes ?? [])
    .filter((change) => since && isSince(change, since));
}

/** Maximum number of changes of one kind in a report on a domain. */
const MAX_CHANGES = 1000;

function changesReport(facts: ChangeFacts | undefined, since: string): ChangesReport | null {
  if (!facts?.changes) return null;
  const from = toInstant(since);
  const listed = facts.changes.filter((change) => !from || isSince(change, from));
  const changes = listed.slice(0, MAX_CHANGES).map(({ kind: _ofTheList, ...change }) => change);
  return { count: listed.length, changes };
}
