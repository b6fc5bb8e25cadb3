/** Makes and changes domains and their changes: what a seed leaves out is that of a healthy, checked domain. */
import type { DnsComponent, DomainComponents, MonitoredComponent, SslComponent } from "../../../client/types";
import type { ChangeSeed, DomainSeed, DomainUpdate } from "../types";
import type { Ids } from "./ids";
import type { StoredChange, StoredDomain } from "./stored";
import { type Clock, DAY, dateOnly, isoUtc, sqlTimestamp, sqlToIsoUtc } from "./time";

/** The sources of times and ids. */
export interface Sources {
  readonly clock: Clock;
  readonly ids: Ids;
}

type Kind = "whois" | "dns";

const record = (value: string, priority?: number) => ({ host: "@", value, ttl: 3600, priority });

const DEFAULT_VALUES: Record<string, readonly [before: unknown, after: unknown]> = {
  registrar: ["Former Registrar", "Example Registrar"],
  nameservers: [
    ["ns1.former.example", "ns2.former.example"],
    ["ns1.example.net", "ns2.example.net"],
  ],
  a_records: [[record("192.0.2.10")], [record("192.0.2.20")]],
  mx_records: [[record("mail.former.example", 10)], [record("mail.example.net", 10)]],
};

/** @param number the domain's integer, also the N of its default name `example-N.com` */
export function toDomain(seed: DomainSeed, number: number, sources: Sources): StoredDomain {
  const now = sources.clock.now();
  const { checked = true, domain = `example-${number}.com`, label = domain } = seed;
  const unchecked = {
    id: seed.id ?? sources.ids.uuid("domain"),
    number,
    domain,
    label,
    ...FOUND_NOTHING,
    description: null,
    checkedAt: null,
    // A domain with a history is not new.
    createdAt: checked ? new Date(now.getTime() - 90 * DAY) : now,
    editedAt: null,
    components: { whois: {}, dns: {}, ssl: {} },
    changes: {
      whois: toChanges(seed.whoisChanges, "whois", now, sources.ids),
      dns: toChanges(seed.dnsChanges, "dns", now, sources.ids),
    },
  };
  return { ...toUpdatedDomain(unchecked, { ...seed, checked }, now), editedAt: null };
}

/** The domain after a change. A first check finds out what is still unknown. */
export function toUpdatedDomain(domain: StoredDomain, update: DomainUpdate, now: Date): StoredDomain {
  const { checked } = update;
  const found = checked === true ? foundByChecks(now) : FOUND_NOTHING;
  const before = checked === false ? FOUND_NOTHING : domain;
  return {
    ...domain,
    domain: given(update.domain, domain.domain),
    label: given(update.label, domain.label),
    description: given(update.description, domain.description),
    colour: given(update.colour, before.colour ?? found.colour),
    provider: given(update.provider, before.provider ?? found.provider),
    expiresAt: given(update.expiresAt, before.expiresAt ?? found.expiresAt),
    checkedAt: checked === undefined ? domain.checkedAt : checked ? now : null,
    editedAt: now,
    components: {
      whois: { ...domain.components.whois, ...update.whois },
      dns: { ...domain.components.dns, ...update.dns },
      ssl: { ...domain.components.ssl, ...update.ssl },
    },
  };
}

const FOUND_NOTHING = { colour: null, provider: null, expiresAt: null };

function foundByChecks(now: Date) {
  const expiresAt = dateOnly(new Date(now.getTime() + 365 * DAY));
  return { colour: "#2563eb", provider: "Example Registrar", expiresAt };
}

/** `??` would replace null, which is a value here. */
function given<Value>(value: Value | undefined, otherwise: Value): Value {
  return value === undefined ? otherwise : value;
}

/** Newest first. The sort is stable: among changes of the same second the order of the seeds remains. */
function toChanges(seeds: readonly ChangeSeed[] = [], kind: Kind, now: Date, ids: Ids): StoredChange[] {
  const changes = seeds.map((seed) => toChange(seed, kind, now, ids));
  return changes.sort((one, other) =>
    one.createdAt < other.createdAt ? 1 : one.createdAt > other.createdAt ? -1 : 0,
  );
}

/** A change with its values encoded. Text is stored as it is, even where the interface describes something else. */
export function toChange(seed: ChangeSeed, kind: Kind, now: Date, ids: Ids): StoredChange {
  const fieldChanged = seed.fieldChanged ?? (kind === "whois" ? "registrar" : "a_records");
  const [before, after] = DEFAULT_VALUES[fieldChanged] ?? ["before", "after"];
  return {
    id: seed.id ?? ids.uuid("change"),
    identifier: ids.token("changeIdentifier"),
    fieldChanged,
    oldValue: encode(seed.oldValue === undefined ? before : seed.oldValue),
    newValue: encode(seed.newValue === undefined ? after : seed.newValue),
    createdAt: seed.createdAt ?? sqlTimestamp(now),
  };
}

function encode(value: unknown): string | null {
  if (value === null || typeof value === "string") return value;
  return JSON.stringify(value);
}

const MONITORED_RECORDS = ["A", "AAAA", "CNAME", "MX", "TXT", "SRV", "CAA", "PTR", "SOA"];

/** All three components at a time: those of a healthy domain, overridden by the fields that were given. */
export function componentsOf({ checkedAt, changes, components }: StoredDomain, now: Date): DomainComponents {
  const whois: MonitoredComponent = { ...monitored(checkedAt, changes.whois[0], now), ...components.whois };
  const dns: DnsComponent = {
    ...monitored(checkedAt, changes.dns[0], now),
    enabledRecords: MONITORED_RECORDS,
    ...components.dns,
  };
  const ssl: SslComponent = { ...certificate(checkedAt), ...components.ssl };
  return { whois, dns, ssl };
}

function monitored(checkedAt: Date | null, newest: StoredChange | undefined, now: Date): MonitoredComponent {
  const weekAgo = sqlTimestamp(new Date(now.getTime() - 7 * DAY));
  return {
    isEnabled: true,
    checkInterval: "weekly",
    checkStatus: checkedAt === null ? "PENDING" : "HEALTHY",
    latestCheckDetails: checkedAt === null ? null : "The latest check found no problems.",
    lastCheckedAt: checkedAt === null ? null : isoUtc(checkedAt),
    nextCheckAt: checkedAt === null ? null : isoUtc(new Date(checkedAt.getTime() + 7 * DAY)),
    lastManualCheckAt: null,
    changesDetectedAt: newest === undefined ? null : sqlToIsoUtc(newest.createdAt),
    // Both are SQL-TS, whose order as text is their order in time.
    hasChangedRecently: newest !== undefined && newest.createdAt >= weekAgo,
    wasManuallyCheckedRecently: false,
  };
}

function certificate(checkedAt: Date | null): SslComponent {
  const at = checkedAt === null ? null : isoUtc(checkedAt);
  return {
    isEnabled: true,
    issuer: checkedAt === null ? null : "Example Certificate Authority",
    organization: checkedAt === null ? null : "Example Organization",
    expiresAt: checkedAt === null ? null : isoUtc(new Date(checkedAt.getTime() + 60 * DAY)),
    lastCheckedAt: at,
    lastFoundInvalidAt: null,
    lastConsideredValidAt: at,
    hasChangedRecently: false,
  };
}
