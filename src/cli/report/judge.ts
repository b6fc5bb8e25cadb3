/** Judges what was read of domains by the rules, and makes the report of it. Pure. */
import { toInstant } from "../../client/timestamps";
import type { Domain } from "../../client/types";
import { oneLine } from "../../common/secrets";
import { isSince } from "../../functions/changes";
import { worst } from "../../rules/expiry-rule";
import { type Finding, finding } from "../../rules/finding";
import { type DomainJudgement, type DomainRules, judgeDomain } from "../../rules/judge";
import type { ChangeKind, DescribedChange } from "../../rules/reviewed-changes";
import { type Failure, MISSING } from "../calls";
import type { ChannelFinding } from "../channels/list";
import { exitCodeOf } from "../output";
import type { BoundRules } from "../rules-file";
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
  const findings = settings.channels
    .filter(({ domainId }) => domainId === null)
    .map(channelFinding);

  return {
    version: 1,
    title,
    generatedAt: now.toISOString(),
    exitCode: exitCodeOf([...domains, ...findings]),
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
function unusedReviews(
  facts: readonly DomainFacts[],
  { rules, isWhole }: ReportSettings,
): string[] {
  const lists = facts.flatMap(({ changes }) => Object.values(changes));
  const failures = [...facts.map(({ domain }) => domain), ...lists].flatMap(
    ({ failure }) => failure ?? [],
  );

  if (!isWhole || failures.some(({ kind }) => kind !== MISSING)) return [];

  const listed = new Set(lists.flatMap(({ ids }) => ids.map((id) => id.toLowerCase())));
  const { reviewed = [] } = rules.defaults.changes ?? {};
  const gone = reviewed.filter((id) => !listed.has(id.toLowerCase()));
  if (gone.length === 0) return [];

  return [`changes.reviewed lists ids that no longer exist: remove ${oneLine(firstOf(gone))}`];
}

function summaryOf(domains: readonly DomainReport[]): Report["summary"] {
  const summary = {
    domains: domains.length,
    pass: 0,
    warn: 0,
    fail: 0,
    unknown: 0,
  };

  for (const { verdict } of domains) summary[verdict] += 1;

  return summary;
}

function reportOn(facts: DomainFacts, settings: ReportSettings): DomainReport {
  const { id, changes, channels } = facts;
  const { value: known, failure } = facts.domain;
  const judged = known && judgeKnown(known, facts, settings);
  const findings: ReportedFinding[] = [
    ...(judged?.findings ?? []).map((found) => reported(found)),
    ...undetermined("domain", "domain", failure),
    ...undetermined("whois", "change", changes.whois?.failure),
    ...undetermined("dns", "change", changes.dns?.failure),
    ...undetermined("channels", "channel", channels?.failure),
  ];

  return {
    id,
    verdict: worst(findings),
    domain: known?.domain ?? (failure?.kind === MISSING ? id : null),
    label: known?.label ?? null,
    registrar: known?.provider ?? null,
    findings: findings.toSorted(byUrgency),
    remarks: judged?.remarks ?? [],
    registration: judged?.registration ?? null,
    certificate: judged?.certificate ?? null,
    components: known?.components ?? null,
    whoisChanges: changesReport(changes.whois, settings.since),
    dnsChanges: changesReport(changes.dns, settings.since),
  };
}

function judgeKnown(
  domain: Domain,
  { id, changes }: DomainFacts,
  settings: ReportSettings,
): DomainJudgement {
  const rules = settings.rules.of(domain.domain);
  const others = settings.channels.filter(({ domainId }) => domainId === id).map(channelFinding);

  return judgeDomain(domain, changesToJudge(changes, rules), rules, settings.now, others);
}

function reported(found: Finding, failure: Failure | null = null): ReportedFinding {
  return { ...found, failure, isNew: null };
}

/** The parts that are read of a domain, by the subject of a finding. */
export const PARTS: ReadonlyMap<Finding["about"], string> = new Map([
  ["whois", "WHOIS changes"],
  ["dns", "DNS changes"],
  ["channels", "channels"],
]);

function undetermined(
  about: Finding["about"],
  kind: Finding["kind"],
  failure: Failure | null | undefined,
): ReportedFinding[] {
  if (!failure) return [];
  if (failure.kind === MISSING)
    return [reported(finding({ kind, about, state: MISSING, text: failure.message }))];

  const text = `${PARTS.get(about) ?? "the domain"} could not be determined: ${failure.message}`;

  return [
    reported(
      finding({
        kind,
        about,
        state: "undetermined",
        verdict: "unknown",
        text,
      }),
      failure,
    ),
  ];
}

function channelFinding({
  kind: state,
  message: text,
  channelId,
}: ChannelFinding): ReportedFinding {
  const verdict = state === "undetermined" ? "unknown" : "fail";

  return reported(
    finding({
      kind: "channel",
      about: "channels",
      state,
      verdict,
      text,
      ids: [channelId],
    }),
  );
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

  return { count: listed.length, changes: listed.slice(0, MAX_CHANGES) };
}
