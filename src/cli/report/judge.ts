/** Judges what was read of domains by the rules, and makes the report of it. Pure. */
import { toInstant } from "../../client/timestamps";
import { newestChanges } from "../../functions/changes";
import type { DomainRules } from "../../rules/domain-rules";
import { worst } from "../../rules/expiry-rule";
import { type Finding, finding } from "../../rules/finding";
import { judgeDomain } from "../../rules/judge";
import { type KnownChange, withoutRecord } from "../../rules/reviewed-changes";
import { type Failure, MISSING } from "../calls";
import type { ChannelFinding } from "../channels/list";
import { compareRecorded } from "../channels/recorded";
import { exitCodeOf, type Undetermined } from "../output";
import type { Asked } from "./asked";
import { compareWith } from "./earlier";
import { byUrgency } from "./entries";
import type { ChangesReport, DomainReport, Report, ReportedFinding } from "./model";
import { notesOf } from "./notes";
import type { DomainFacts, Read } from "./read";

/** The report on what was asked, by what was read. */
export function judge(asked: Asked, read: Read): Report {
  const { bound, earlier } = asked;
  const channels = asked.comparesChannels ? compareChannels(asked, read) : [];
  const found = {
    domains: read.domains.map((one) => reportOn(one, asked, channels)),
    findings: channels.filter(({ domainId }) => domainId === null).map(channelFinding),
  };

  const { isWhole } = read;
  const reviewed = new Set(bound.defaults.changes?.reviewed);
  const { domains, findings, resolved } = earlier
    ? compareWith(earlier.found, found, { isWhole, reviewed })
    : { ...found, resolved: null };

  const { registration, certificate, changes } = bound.defaults;

  return {
    version: 1,
    title: asked.title,
    generatedAt: asked.now.toISOString(),
    exitCode: exitCodeOf([...domains, ...findings]),
    kinds: asked.kinds,
    since: asked.since,
    reviewSince: changes?.since ?? null,
    minimumDays: registration?.minimumDays ?? null,
    certificateDays: certificate?.minimumDays ?? null,
    summary: summaryOf(domains),
    domains,
    findings,
    resolved,
    notes: notesOf(asked, read),
  };
}

/** Channels are only missing where every list could be read. */
function compareChannels({ selection }: Asked, { domains }: Read): ChannelFinding[] {
  const ofAccount = domains.filter(({ domain }) => domain.failure?.kind !== MISSING);
  const listed = ofAccount.flatMap(({ channels }) => channels ?? []);
  const areListed = listed.length === ofAccount.length && listed.every(({ failure }) => !failure);

  return compareRecorded(selection.channels, listed, selection.all && areListed);
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

function reportOn(
  facts: DomainFacts,
  asked: Asked,
  channelsOfAll: readonly ChannelFinding[],
): DomainReport {
  const { id, changes, channels } = facts;
  const { value: known, failure } = facts.domain;
  const own = channelsOfAll.filter(({ domainId }) => domainId === id).map(channelFinding);
  const rules = known && asked.bound.of(known.domain);
  const judged = rules && judgeDomain(known, changesToJudge(changes, rules), rules, asked.now, own);
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
    whoisChanges: changesReport(changes.whois?.value?.records, asked.since),
    dnsChanges: changesReport(changes.dns?.value?.records, asked.since),
  };
}

function reported(found: Finding, failure: Failure | null = null): ReportedFinding {
  return { ...found, failure, isNew: null, isKept: false };
}

/** The parts that are read of a domain, by the subject of a finding. */
const PARTS: ReadonlyMap<Finding["about"], string> = new Map([
  ["whois", "WHOIS changes"],
  ["dns", "DNS changes"],
  ["channels", "channels"],
]);

/** The parts of domains that could not be determined, by their findings. */
export function undeterminedParts({ domains }: Report): Undetermined[] {
  return domains.flatMap(({ id, findings }) =>
    findings.map(({ about, failure }) => ({ id, what: PARTS.get(about), failure })),
  );
}

function undetermined(
  about: Finding["about"],
  kind: Finding["kind"],
  failure: Failure | null | undefined,
): ReportedFinding[] {
  if (!failure) return [];
  if (failure.kind === MISSING)
    return [reported(finding({ kind, about, state: MISSING, text: failure.message }))];

  const text = `${PARTS.get(about) ?? "the domain"} could not be determined: ${failure.message}`;
  const found = finding({ kind, about, state: "undetermined", verdict: "unknown", text });

  return [reported(found, failure)];
}

function channelFinding({
  kind: state,
  message: text,
  channelId,
}: ChannelFinding): ReportedFinding {
  const verdict = state === "undetermined" ? "unknown" : "fail";
  const ids = [channelId];

  return reported(finding({ kind: "channel", about: "channels", state, verdict, text, ids }));
}

/** The changes that the rule is about, of all that were read. */
function changesToJudge(changes: DomainFacts["changes"], { changes: rule }: DomainRules) {
  if (!rule) return [];
  const read = rule.kinds.flatMap((kind) => changes[kind]?.value?.records ?? []);

  return newestChanges(read, toInstant(rule.since));
}

/** Maximum number of changes of one kind in a report on a domain. */
const MAX_CHANGES = 1000;

function changesReport(
  records: readonly KnownChange[] | undefined,
  since: string,
): ChangesReport | null {
  if (!records) return null;
  const listed = newestChanges(records, toInstant(since));

  return { count: listed.length, changes: listed.slice(0, MAX_CHANGES).map(withoutRecord) };
}
