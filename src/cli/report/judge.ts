/** Judges what was read of domains by the rules, and makes the report of it. Pure. */
import { toInstant } from "../../client/timestamps";
import type { Domain } from "../../client/types";
import { isSince } from "../../functions/changes";
import { certificateReport } from "../../rules/certificate";
import type { ChangeKind, DescribedChange } from "../../rules/reviewed-changes";
import { type DomainRules, type Finding, judgeDomain, violation } from "../../rules/verdict";
import type { Failure, Listed, Outcome } from "../calls";
import type { ChannelFinding, DomainChannels } from "../channels/list";
import { EXIT_FAILURE, EXIT_VERDICT } from "../output";
import type { ChangesReport, DomainReport, Problem, Report } from "./model";

/** What is known of a domain, or why it is not. */
export interface DomainReading {
  /** Id of the domain; the name as given, where it could not be looked up. */
  id: string;
  domain: Outcome<Domain>;
  /** Newest first; without the kinds that were not read. */
  changes: { [Kind in ChangeKind]?: Listed<DescribedChange> };
  /** Undefined if they were not read. */
  channels?: DomainChannels;
}

export interface ReportSettings extends Pick<Report, "title" | "since" | "notes"> {
  now: Date;
  rulesFor: (domain: string) => DomainRules;
  channels: readonly ChannelFinding[];
}

export function createReport(readings: readonly DomainReading[], settings: ReportSettings): Report {
  const { title, since, now, rulesFor, channels, notes } = settings;
  const { minimumDays, certificateDays = null } = rulesFor("").expiry;
  const domains = readings.map((reading) => reportOn(reading, settings));
  const count = (wanted: DomainReport["verdict"]) =>
    domains.filter(({ verdict }) => verdict === wanted).length;
  return {
    version: 1,
    title,
    generatedAt: now.toISOString(),
    since,
    minimumDays,
    certificateDays,
    summary: {
      domains: domains.length,
      ok: count("ok"),
      warning: count("warning"),
      attention: count("attention"),
      error: count("error"),
    },
    domains,
    channels: channels.filter(({ domainId }) => domainId === null),
    notes,
  };
}

/** A failure takes precedence: a verdict on some domains must not read as one on all. */
export function reportExitCode({ summary, channels }: Report): number {
  const { attention, error } = summary;
  if (error > 0 || channels.some(({ kind }) => kind === "undetermined")) return EXIT_FAILURE;
  return attention + channels.length > 0 ? EXIT_VERDICT : 0;
}

function reportOn({ id, domain, changes, channels }: DomainReading, settings: ReportSettings): DomainReport {
  const { since, now, rulesFor } = settings;
  const others = settings.channels
    .filter(({ domainId }) => domainId === id)
    .map(({ message }) => violation("channel", message));
  const problems = [
    ...problem("domain", domain),
    ...problem("whoisChanges", changes.whois),
    ...problem("dnsChanges", changes.dns),
    ...problem("channels", channels),
  ];
  const known = domain.value;
  const rules = rulesFor(known?.domain ?? "");
  const judged = known && judgeDomain(known, changesOf(changes, rules), rules, now, others);
  const { findings = [], remarks = [] } = judged ?? {};
  const listed = (list: Listed<DescribedChange> | undefined) =>
    list?.records ? changesReport(list.records, since) : null;
  return {
    id,
    verdict: verdictOf(problems, findings),
    domain: known?.domain ?? null,
    label: known?.label ?? null,
    registrar: known?.provider ?? null,
    findings,
    remarks,
    registration: judged?.registration ?? null,
    certificate: judged?.certificate ?? (known ? certificateReport(known.components.ssl, now) : null),
    components: known?.components ?? null,
    whoisChanges: listed(changes.whois),
    dnsChanges: listed(changes.dns),
    problems,
  };
}

/** The changes that the rule is about, of all that were read. */
function changesOf(changes: DomainReading["changes"], rules: DomainRules): DescribedChange[] {
  const since = toInstant(rules.changes?.since ?? "");
  return (rules.changes?.kinds ?? [])
    .flatMap((kind) => changes[kind]?.records ?? [])
    .filter((change) => since && isSince(change, since));
}

function verdictOf(problems: readonly Problem[], findings: readonly Finding[]): DomainReport["verdict"] {
  if (problems.length > 0) return "error";
  if (findings.some(({ severity }) => severity === "error")) return "attention";
  return findings.length > 0 ? "warning" : "ok";
}

function problem(part: Problem["part"], outcome: { failure?: Failure | null } | undefined): Problem[] {
  return outcome?.failure ? [{ part, ...outcome.failure }] : [];
}

/** Maximum number of changes of one kind in a report on a domain. */
const MAX_CHANGES = 1000;

function changesReport(changes: readonly DescribedChange[], since: string): ChangesReport {
  const from = toInstant(since);
  const listed = changes.filter((change) => !from || isSince(change, from));
  const reported = listed.slice(0, MAX_CHANGES).map(({ kind: _ofTheList, ...change }) => change);
  return { count: listed.length, changes: reported };
}
