/** Domains and their changes as the emulator holds them: what a seed leaves out is that of a healthy, checked domain. */
import type { DnsComponent, DomainComponents, MonitoredComponent, SslComponent } from "../../client/types";
import { DAY, dateOnly, type Ids, isoUtc, type Sources, sqlTimestamp, sqlToIsoUtc } from "./sources";
import type { ChangeSeed, DomainSeed, DomainUpdate } from "./types";

/** A change as the emulator holds it, with its values as on the wire. */
export interface StoredChange {
  readonly id: string;
  readonly identifier: string;
  readonly fieldChanged: string;
  readonly oldValue: string | null;
  readonly newValue: string | null;
  /** `SQL-TS`. */
  readonly createdAt: string;
}

/** A domain as the emulator holds it. Immutable: an update replaces it. */
export interface StoredDomain
  extends Readonly<
    Required<
      Pick<DomainSeed, "id" | "domain" | "label" | "description" | "colour" | "provider" | "expiresAt">
    >
  > {
  /** Number of the domain in change records; its own id is a UUID (interface.md, section 2.2). */
  readonly number: number;
  /** Time of the latest checks; null before the first ones. */
  readonly checkedAt: Date | null;
  readonly createdAt: Date;
  /** Time of the latest manual change; null if there was none. */
  readonly editedAt: Date | null;
  /** Fields that differ from those of a healthy domain. */
  readonly components: Required<Pick<DomainSeed, "whois" | "dns" | "ssl">>;
  /** Newest first. */
  readonly changes: Readonly<Record<Kind, readonly StoredChange[]>>;
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
    colour: checked ? "#2563eb" : null,
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
  const expiresAt = dateOnly(new Date(now.getTime() + 365 * DAY));
  const found = checked === true ? { provider: "Example Registrar", expiresAt } : FOUND_NOTHING;
  const before = checked === false ? FOUND_NOTHING : domain;
  return {
    ...domain,
    domain: given(update.domain, domain.domain),
    label: given(update.label, domain.label),
    description: given(update.description, domain.description),
    colour: given(update.colour, domain.colour),
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

const FOUND_NOTHING = { provider: null, expiresAt: null };

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

/** Types of records that can be monitored. */
export const MONITORED_RECORDS = ["A", "AAAA", "CNAME", "MX", "TXT", "SRV", "CAA", "PTR", "SOA"];

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

function mailServer(value: string, priority: number) {
  return { host: "example.com", value, ttl: 3600, priority };
}

/**
 * Three domains in different states, with fixed ids and with dates relative to the given time.
 *
 * 1. `example.com` is healthy, expires in a year and has WHOIS and DNS changes.
 * 2. `example.org` expires in twelve days.
 * 3. `example.net` was just added: nothing has been checked, so what checks find out is null.
 *
 * Further ones, up to the number that is asked for, expire a month after the one before.
 */
export function exampleDomains(now: Date, count = 3): DomainSeed[] {
  const daysAgo = (days: number) => sqlTimestamp(new Date(now.getTime() - days * DAY));
  const inDays = (days: number) => dateOnly(new Date(now.getTime() + days * DAY));
  const examples: DomainSeed[] = [
    {
      id: "11111111-1111-4111-8111-111111111111",
      domain: "example.com",
      label: "Company website",
      description: "The public website and its mail",
      provider: "Example Registrar",
      expiresAt: inDays(365),
      whoisChanges: [
        { id: "a1111111-1111-4111-8111-111111111111", fieldChanged: "nameservers", createdAt: daysAgo(20) },
        { id: "a2222222-2222-4222-8222-222222222222", fieldChanged: "registrar", createdAt: daysAgo(21) },
      ],
      dnsChanges: [
        {
          id: "b1111111-1111-4111-8111-111111111111",
          fieldChanged: "mx_records",
          oldValue: [mailServer("mail.former.example", 10)],
          newValue: [mailServer("mail1.example.net", 10), mailServer("mail2.example.net", 20)],
          createdAt: daysAgo(3),
        },
        {
          id: "b2222222-2222-4222-8222-222222222222",
          fieldChanged: "a_records",
          oldValue: [{ host: "example.com", value: "192.0.2.10", ttl: 3600 }],
          newValue: [{ host: "example.com", value: "192.0.2.20", ttl: 3600 }],
          createdAt: daysAgo(19),
        },
      ],
    },
    {
      id: "22222222-2222-4222-8222-222222222222",
      domain: "example.org",
      label: "Campaign site",
      provider: "Example Registrar",
      expiresAt: inDays(12),
    },
    {
      id: "33333333-3333-4333-8333-333333333333",
      domain: "example.net",
      label: "New domain",
      checked: false,
    },
  ];
  const further = Array.from({ length: Math.max(0, count - examples.length) }, (_, index) => ({
    expiresAt: inDays(30 * (index + 4)),
  }));
  return [...examples, ...further].slice(0, count);
}
