/** Judges what was read of domains by the rules, and makes the report of it. Pure. */
import { toInstant } from "../../client/timestamps";
import type { DnsChange, WhoisChange } from "../../client/types";
import { newestChanges } from "../../functions/changes";
import { worst } from "../../rules/expiry-rule";
import { type Finding, finding } from "../../rules/finding";
import { judgeDomain } from "../../rules/judge";
import { type Failure, MISSING } from "../calls";
import { type ChannelFinding, compareRecorded } from "../channels/recorded";
import { exitCodeOf } from "../output";
import { isNamed } from "../rules/binding";
import type { Rules } from "../rules/schema";
import { firstOf } from "../text";
import type { Asked } from "./asked";
import { byUrgency } from "./groups";
import type { ChangeKind, DomainReport, Report, ReportedChange, ReportedFinding } from "./model";
import type { DomainFacts } from "./read";

/** The report on what was asked, by what was read. */
export function judge(asked: Asked, all: readonly DomainFacts[]): Report {
  const known = all.filter(({ domain }) => domain.failure?.kind !== MISSING);
  const channels = asked.comparesChannels ? compareChannels(asked, known) : [];
  const channelsOf = (id: string | null) => channels.filter(({ domainId }) => domainId === id);

  const domains = all.map((facts) => judgeFacts(facts, channelsOf(facts.id), asked));
  const ofNoDomain = channelsOf(null).map((found) => withDomain(found, NO_DOMAIN));
  const findings = [...domains.flatMap((domain) => domain.findings), ...ofNoDomain];
  const { registration, certificate } = asked.bound.defaults;

  return {
    version: 1,
    generatedAt: asked.now.toISOString(),
    exitCode: exitCodeOf(findings),
    since: asked.since,
    minimumDays: registration?.minimumDays ?? null,
    certificateDays: certificate?.minimumDays ?? null,
    summary: summaryOf(domains),
    domains,
    findings: findings.toSorted(byUrgency),
    notes: notesOf(asked, known),
  };
}

/**
 * Channels are only missing where every list could be read.
 * @param domains without those that the account lacks
 */
function compareChannels({ selection }: Asked, domains: readonly DomainFacts[]): ChannelFinding[] {
  const listed = domains.flatMap(({ channels }) => channels ?? []);
  const areListed = listed.length === domains.length && listed.every(({ failure }) => !failure);

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

/** The report on one domain. @param channels findings about its channels */
function judgeFacts(facts: DomainFacts, channels: Finding[], asked: Asked): DomainReport {
  const { id } = facts;
  const { value: known, failure } = facts.domain;
  const domain = known?.domain ?? (failure?.kind === MISSING ? id : null);
  const of = { domainId: id, domain };
  const judged = known
    ? judgeDomain(known, asked.bound.of(known.domain), asked.now, channels)
    : NOT_JUDGED;

  const findings = [...judged.findings.map((found) => withDomain(found, of)), ...unread(facts, of)];

  return {
    id,
    verdict: worst(findings),
    domain,
    label: known?.label ?? null,
    registrar: known?.provider ?? null,
    findings: findings.toSorted(byUrgency),
    remarks: judged.remarks,
    registration: judged.registration,
    certificate: judged.certificate,
    components: known?.components ?? null,
    changes: changesReport(facts, asked.since),
  };
}

/** The judgement on a domain that could not be read. */
const NOT_JUDGED = { registration: null, certificate: null, findings: [], remarks: [] };

type OfDomain = Pick<ReportedFinding, "domainId" | "domain">;

const NO_DOMAIN: OfDomain = { domainId: null, domain: null };

function withDomain(found: Finding, of: OfDomain, failure: Failure | null = null): ReportedFinding {
  return { key: findingKey(found, of), ...of, ...found, failure };
}

/**
 * The same from night to night. It may hold a text of the service, so only letters, digits and what
 * cannot end a comment are kept.
 */
function findingKey(
  { kind, about, state, channelId, verdict }: Finding,
  { domainId }: OfDomain,
): string {
  const parts = [domainId, kind, about === kind ? null : about, state, channelId, verdict];

  return parts
    .filter((part) => part !== null)
    .map((part) => part.replace(/[^\p{L}\p{N}._-]+/gu, "_"))
    .join("/");
}

/** The parts that are read of a domain, by the subject of a finding. */
const PARTS: ReadonlyMap<Finding["about"], string> = new Map([
  ["whois", "WHOIS changes"],
  ["dns", "DNS changes"],
  ["channels", "channels"],
]);

/** The findings about what could not be read of a domain. */
function unread({ domain, changes, channels }: DomainFacts, of: OfDomain): ReportedFinding[] {
  return [
    ...undetermined("domain", "domain", domain.failure, of),
    ...undetermined("changes", "whois", changes?.whois.failure, of),
    ...undetermined("changes", "dns", changes?.dns.failure, of),
    ...undetermined("channel", "channels", channels?.failure, of),
  ];
}

function undetermined(
  kind: Finding["kind"],
  about: Finding["about"],
  failure: Failure | null | undefined,
  of: OfDomain,
): ReportedFinding[] {
  if (!failure) return [];

  if (failure.kind === MISSING) {
    const missing = finding({ kind, about, state: MISSING, text: failure.message });
    return [withDomain(missing, of)];
  }

  const part = PARTS.get(about) ?? "the domain";
  const text = `${part} could not be determined: ${failure.message}`;
  const unknown = finding({ kind, about, state: "undetermined", verdict: "unknown", text });

  return [withDomain(unknown, of, failure)];
}

/** Null if none of them could be read; `findings` say what is missing. */
function changesReport({ changes }: DomainFacts, since: string | null): DomainReport["changes"] {
  if (!changes || since === null) return null;

  const { whois, dns } = changes;
  if (!whois.value && !dns.value) return null;

  const all = [
    ...(whois.value ?? []).map((change) => reportedChange("whois", change)),
    ...(dns.value ?? []).map((change) => reportedChange("dns", change)),
  ];

  return newestChanges(all, toInstant(since));
}

/** The service formats only the values of DNS records. */
function reportedChange(kind: ChangeKind, change: WhoisChange | DnsChange): ReportedChange {
  const { id, fieldChanged, createdAt, oldValue, newValue } = change;
  const formatted: Partial<DnsChange> = change;

  return {
    id,
    kind,
    fieldChanged,
    createdAt,
    summary: formatted.changeSummary || null,
    oldValue: formatted.oldValueFormatted || oldValue,
    newValue: formatted.newValueFormatted || newValue,
  };
}

/**
 * One line for everything that was skipped, and for each group of the rules file without an effect.
 * @param domains without those that the account lacks
 */
function notesOf({ selection, rules }: Asked, domains: readonly DomainFacts[]): string[] {
  const names = domains.flatMap(({ domain }) => domain.value?.domain ?? []);
  // A group may match a domain that was not read.
  const isWhole = selection.all && names.length === domains.length;
  const groups = isWhole ? emptyGroups(rules, names) : [];

  return [...selection.notes, ...groups];
}

function emptyGroups({ groups }: Rules, domains: readonly string[]): string[] {
  const empty = groups.filter(({ names }) => !domains.some((name) => isNamed(name, names)));

  return empty.map(
    ({ name, names }) =>
      `groups.${name} matches no domain (${firstOf(names)}): correct its names, or remove it`,
  );
}
