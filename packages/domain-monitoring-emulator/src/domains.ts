/**
 * Domains and their changes as the emulator holds them: what a seed leaves out is that of a
 * healthy, checked domain.
 */
import { MONITORED_RECORDS } from "./fields";
import type { DnsComponent, MonitoredComponent, SslComponent } from "./interface";
import { dateOnly, daysAfter, type Ids, isoUtc, type Sources, sqlTimestamp } from "./sources";
import type { ChangeSeed, DomainSeed, DomainUpdate } from "./types";

/** A change as the emulator holds it, with its values as on the wire. */
export interface StoredChange {
  readonly id: string;
  readonly identifier: string;
  readonly fieldChanged: string;
  readonly oldValue: string | null;
  readonly newValue: string | null;
  readonly createdAt: string;
}

/**
 * A domain as the emulator holds it. Immutable: an update replaces it. Its components are those
 * fields that were given.
 */
export interface StoredDomain
  extends Readonly<
    Required<Omit<DomainSeed, "checked" | "whoisChanges" | "dnsChanges" | "channels">>
  > {
  /** Number of the domain in change records; its own id is a UUID (interface.md, section 2.2). */
  readonly number: number;

  /** Time of the latest checks; null before the first ones. */
  readonly checkedAt: Date | null;
  readonly createdAt: Date;

  /** Time of the latest manual change; null if there was none. */
  readonly editedAt: Date | null;

  /** Newest first. */
  readonly changes: Readonly<Record<ChangeKind, readonly StoredChange[]>>;
}

export type ChangeKind = "whois" | "dns";

/** @param own the fields that only this type of record has */
function record(host: string, value: string, own: object = {}) {
  return {
    host,
    value,
    ttl: 3600,
    ...own,
  };
}

/** A TXT record beyond 255 characters has its parts in quotes. */
const LONG_TXT = [
  "v=DKIM1; k=rsa; p=".padEnd(255, "MIIBIjANBgkqhkiG9w0B"),
  "AQEFAAOCAQ8AMIIBCgKCAQEA",
];

const DEFAULT_VALUES: Record<string, readonly [before: unknown, after: unknown]> = {
  registrar: ["Former Registrar", "Example Registrar"],
  nameservers: [
    ["ns1.former.example", "ns2.former.example"],
    ["ns1.example.net", "ns2.example.net"],
  ],
  expiry_date: ["2026-03-01", "2027-03-01"],
  // In the words of RFC 8056.
  status: [["ok"], ["client transfer prohibited", "client update prohibited"]],
  a_records: [[record("@", "192.0.2.10")], [record("@", "192.0.2.20")]],
  mx_records: [
    [record("@", "mail.former.example", { priority: 10 })],
    [record("@", "mail.example.net", { priority: 10 })],
  ],
  caa_records: [
    [record("@", "letsencrypt.org", { flags: 0, tag: "issue" })],
    [record("@", "letsencrypt.org", { flags: 0, tag: "issuewild" })],
  ],
  srv_records: [
    [record("_sip._tcp", "sip.example.net", { priority: 10, weight: 5, port: 5060 })],
    [record("_sip._tcp", "sip.example.net", { priority: 10, weight: 5, port: 5061 })],
  ],
  txt_records: [
    [record("@", "v=spf1 -all")],
    [record("mail._domainkey", LONG_TXT.map((part) => `"${part}"`).join(" "))],
  ],
};

/** @param number the domain's integer, also the N of its default name `example-N.com` */
export function toDomain(seed: DomainSeed, number: number, { clock, ids }: Sources): StoredDomain {
  const now = clock.now();
  const { checked = true, domain = `example-${number}.com`, label = domain } = seed;
  const unchecked: StoredDomain = {
    id: seed.id ?? ids.uuid("domain"),
    number,
    domain,
    label,
    description: null,
    colour: checked ? "#2563eb" : null,
    ...FOUND_NOTHING,
    // A domain with a history is not new.
    createdAt: checked ? daysAfter(now, -90) : now,
    editedAt: null,
    whois: {},
    dns: {},
    ssl: {},
    changes: {
      whois: toChanges(seed.whoisChanges, "whois", now, ids),
      dns: toChanges(seed.dnsChanges, "dns", now, ids),
    },
  };

  return { ...toUpdatedDomain(unchecked, { ...seed, checked }, now), editedAt: null };
}

/**
 * The domain after a change. A `Domain` of the client can be one: what else it has is not taken
 * from it.
 */
export function toUpdatedDomain(
  domain: StoredDomain,
  update: DomainUpdate,
  now: Date,
): StoredDomain {
  const { domain: name, label, description, colour, provider, expiresAt } = update;
  const before = { ...domain, ...foundBy(update.checked, domain, now) };

  return {
    ...changed(before, {
      domain: name,
      label,
      description,
      colour,
      provider,
      expiresAt,
    }),
    editedAt: now,
    whois: changed(domain.whois, update.whois),
    dns: changed(domain.dns, update.dns),
    ssl: changed(domain.ssl, update.ssl),
  };
}

const FOUND_NOTHING = {
  provider: null,
  expiresAt: null,
  checkedAt: null,
};

/** A check finds out what is still unknown. */
function foundBy(checked: boolean | undefined, { provider, expiresAt }: StoredDomain, now: Date) {
  if (checked === undefined) return {};
  if (!checked) return FOUND_NOTHING;

  return {
    provider: provider ?? "Example Registrar",
    expiresAt: expiresAt ?? dateOnly(daysAfter(now, 365)),
    checkedAt: now,
  };
}

/** With the fields that are given. Spreading one that is undefined would remove what is there. */
export function changed<Whole extends object>(whole: Whole, fields: Partial<Whole> = {}): Whole {
  const given = Object.entries(fields).filter(([, value]) => value !== undefined);
  return { ...whole, ...Object.fromEntries(given) };
}

/**
 * Newest first. The sort is stable: among changes of the same second the order of the seeds
 * remains.
 */
function toChanges(
  seeds: readonly ChangeSeed[] = [],
  kind: ChangeKind,
  now: Date,
  ids: Ids,
): StoredChange[] {
  const changes = seeds.map((seed) => toChange(seed, kind, now, ids));
  return changes.sort((one, other) => compareText(other.createdAt, one.createdAt));
}

/** By code unit: the order must be the same on every machine. */
function compareText(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}

/**
 * A change with its values encoded. Text is stored as it is, even where the interface describes
 * something else.
 */
export function toChange(seed: ChangeSeed, kind: ChangeKind, now: Date, ids: Ids): StoredChange {
  const fieldChanged = seed.fieldChanged ?? (kind === "whois" ? "registrar" : "a_records");
  const [before, after] = DEFAULT_VALUES[fieldChanged] ?? ["before", "after"];
  const { oldValue = before, newValue = after } = seed;

  return {
    id: seed.id ?? ids.uuid("change"),
    identifier: ids.token("changeIdentifier"),
    fieldChanged,
    oldValue: encode(oldValue),
    newValue: encode(newValue),
    createdAt: seed.createdAt ?? sqlTimestamp(now),
  };
}

function encode(value: unknown): string | null {
  if (value === null || typeof value === "string") return value;
  return JSON.stringify(value);
}

interface Components {
  whois: MonitoredComponent;
  dns: DnsComponent;
  ssl: SslComponent;
}

/** All three components: those of a healthy domain, with the fields that were given. */
export function componentsOf(domain: StoredDomain, now: Date): Components {
  const { checkedAt, changes } = domain;

  return {
    whois: { ...monitored(checkedAt, changes.whois[0], now), ...domain.whois },
    dns: {
      ...monitored(checkedAt, changes.dns[0], now),
      enabledRecords: MONITORED_RECORDS,
      ...domain.dns,
    },
    ssl: { ...certificate(checkedAt), ...domain.ssl },
  };
}

function monitored(
  checkedAt: Date | null,
  newest: StoredChange | undefined,
  now: Date,
): MonitoredComponent {
  return {
    isEnabled: true,
    checkInterval: "weekly",
    checkStatus: checkedAt ? "HEALTHY" : "PENDING",
    latestCheckDetails: checkedAt && "The latest check found no problems.",
    lastCheckedAt: checkedAt && isoUtc(checkedAt),
    nextCheckAt: checkedAt && isoUtc(daysAfter(checkedAt, 7)),
    lastManualCheckAt: null,
    changesDetectedAt:
      newest === undefined ? null : `${newest.createdAt.replace(" ", "T")}.000000Z`,
    // Both are SQL-TS, whose order as text is their order in time.
    hasChangedRecently:
      newest !== undefined && newest.createdAt >= sqlTimestamp(daysAfter(now, -7)),
    wasManuallyCheckedRecently: false,
  };
}

function certificate(checkedAt: Date | null): SslComponent {
  return {
    isEnabled: true,
    issuer: checkedAt && "R11",
    organization: checkedAt && "Let's Encrypt",
    expiresAt: checkedAt && isoUtc(daysAfter(checkedAt, 60)),
    lastCheckedAt: checkedAt && isoUtc(checkedAt),
    lastFoundInvalidAt: null,
    lastConsideredValidAt: checkedAt && isoUtc(checkedAt),
    hasChangedRecently: false,
  };
}

/**
 * Three domains in different states, with fixed ids and with dates relative to the given time.
 * Further ones, up to the number that is asked for, expire a month after the one before.
 */
export function exampleDomains(now: Date, count: number): DomainSeed[] {
  const inDays = (days: number) => dateOnly(daysAfter(now, days));
  const examples: DomainSeed[] = [
    website(now),
    {
      id: "22222222-2222-4222-8222-222222222222",
      domain: "example.org",
      label: "Campaign site",
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

/** A domain with changes. */
function website(now: Date): DomainSeed {
  const daysAgo = (days: number) => sqlTimestamp(daysAfter(now, -days));

  return {
    id: "11111111-1111-4111-8111-111111111111",
    domain: "example.com",
    label: "Company website",
    description: "The public website and its mail",
    whoisChanges: [
      {
        id: "a1111111-1111-4111-8111-111111111111",
        fieldChanged: "nameservers",
        createdAt: daysAgo(20),
      },
      {
        id: "a2222222-2222-4222-8222-222222222222",
        fieldChanged: "registrar",
        createdAt: daysAgo(21),
      },
    ],
    dnsChanges: [
      {
        id: "b1111111-1111-4111-8111-111111111111",
        fieldChanged: "mx_records",
        oldValue: [record("example.com", "mail.former.example", { priority: 10 })],
        newValue: [
          record("example.com", "mail1.example.net", { priority: 10 }),
          record("example.com", "mail2.example.net", { priority: 20 }),
        ],
        createdAt: daysAgo(3),
      },
      {
        id: "b2222222-2222-4222-8222-222222222222",
        fieldChanged: "a_records",
        oldValue: [record("example.com", "192.0.2.10")],
        newValue: [record("example.com", "192.0.2.20")],
        createdAt: daysAgo(19),
      },
    ],
  };
}
