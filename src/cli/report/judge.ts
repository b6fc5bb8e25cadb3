/** Judges what was read of domains by the rules, and makes the report of it. Pure. */
import { toInstant } from "../../client/timestamps";
import type { DnsChange, WhoisChange } from "../../client/types";
import { newestChanges } from "../../functions/changes";
import { worst } from "../../rules/expiry-rule";
import { type Finding, finding } from "../../rules/finding";
import { judgeDomain } from "../../rules/judge";
import { type Failure, MISSING } from "../calls";
import { type ChannelFinding, compareRecorded } from "../channels/recorded";
import { exitCodeOf, type Undetermined } from "../output";
import type { Asked } from "./asked";
import { byUrgency } from "./entries";
import type { ChangeKind, DomainReport, Report, ReportedChange, ReportedFinding } from "./model";
import { notesOf } from "./notes";
import type { DomainFacts, Read } from "./read";

/** The report on what was asked, by what was read. */
export function judge(asked: Asked, read: Read): Report {
  const channels = asked.comparesChannels ? compareChannels(asked, read) : [];
  const domains = read.domains.map((one) => reportOn(one, asked, channels));
  const ofNone = channels
    .filter(({ domainId }) => domainId === null)
    .map((found) => reported(channelFinding(found), NO_DOMAIN));

  const findings = [...domains.flatMap((domain) => domain.findings), ...ofNone];
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
  const domain = known?.domain ?? (failure?.kind === MISSING ? id : null);
  const of = { domainId: id, domain };
  const own = channelsOfAll.filter(({ domainId }) => domainId === id).map(channelFinding);
  const judged = known && judgeDomain(known, asked.bound.of(known.domain), asked.now, own);
  const findings = [
    ...(judged?.findings ?? []).map((found) => reported(found, of)),
    ...undetermined("domain", "domain", failure, of),
    ...undetermined("whois", "changes", changes?.whois.failure, of),
    ...undetermined("dns", "changes", changes?.dns.failure, of),
    ...undetermined("channels", "channel", channels?.failure, of),
  ];

  return {
    id,
    verdict: worst(findings),
    domain,
    label: known?.label ?? null,
    registrar: known?.provider ?? null,
    findings: findings.toSorted(byUrgency),
    remarks: judged?.remarks ?? [],
    registration: judged?.registration ?? null,
    certificate: judged?.certificate ?? null,
    components: known?.components ?? null,
    changes: changesReport(facts, asked.since),
  };
}

type OfDomain = Pick<ReportedFinding, "domainId" | "domain">;

const NO_DOMAIN: OfDomain = { domainId: null, domain: null };

function reported(found: Finding, of: OfDomain, failure: Failure | null = null): ReportedFinding {
  return { key: keyOf(found, of), ...of, ...found, failure };
}

/** Texts of others are in it, so only letters, digits and what cannot end a comment are kept. */
function keyOf(
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
  of: OfDomain,
): ReportedFinding[] {
  if (!failure) return [];
  if (failure.kind === MISSING)
    return [reported(finding({ kind, about, state: MISSING, text: failure.message }), of)];

  const text = `${PARTS.get(about) ?? "the domain"} could not be determined: ${failure.message}`;
  const found = finding({ kind, about, state: "undetermined", verdict: "unknown", text });

  return [reported(found, of, failure)];
}

function channelFinding({ kind: state, message: text, channelId }: ChannelFinding): Finding {
  const verdict = state === "undetermined" ? "unknown" : "fail";

  return finding({ kind: "channel", about: "channels", state, verdict, text, channelId });
}

/** Null if none of them could be read; `findings` say what is missing. */
function changesReport({ changes }: DomainFacts, since: string | null): DomainReport["changes"] {
  if (!changes || since === null) return null;

  const { whois, dns } = changes;
  if (!whois.value && !dns.value) return null;

  const all = [
    ...(whois.value?.records ?? []).map((change) => reportedChange("whois", change)),
    ...(dns.value?.records ?? []).map((change) => reportedChange("dns", change)),
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
