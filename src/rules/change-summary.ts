/**
 * Summarizes DNS changes: what was added, removed and altered, by record type. Pure, and
 * independent of the order of the changes.
 */
import type { DnsRecord } from "../client/change-values";
import { compare, groupBy, newestFirst } from "../common/order";
import { count as countOf, toJson, withoutCommands } from "../common/text";
import { shownField } from "./fields";

/** Changes of a domain's DNS records, by record type. Plain JSON. */
export interface DnsChangesSummary {
  /** Number of changes. */
  total: number;

  /** One entry for each record type that changed, by its name. */
  types: DnsTypeSummary[];

  /** The summary as text: for each type a line with its counts, then one line for each record. */
  text: string[];
}

/** Changes of the records of one type. */
export interface DnsTypeSummary {
  /** Such as `A` or `MX`; the field as served if its name has another form. */
  type: string;

  /** Newest first by `createdAt` and `id`. */
  changes: DnsChangeSummary[];
}

/** A record that was changed. */
export interface AlteredDnsRecord {
  /** The record as it was. */
  before: DnsRecord;

  /** The record as it is now. */
  after: DnsRecord;
}

/** One change of the records of a type. */
export interface DnsChangeSummary {
  /** Id of the change. */
  id: string;

  /** `SQL-TS`, taken as UTC. */
  createdAt: string;

  /** False if the records before or after could not be decoded: then the three lists are empty. */
  decoded: boolean;

  /** New records. */
  added: DnsRecord[];

  /** Removed records. */
  removed: DnsRecord[];

  /** Records that were changed. */
  altered: AlteredDnsRecord[];

  /** The change as text, one line for each record. */
  text: string[];
}

/** The part of a DNS change that a summary uses; a `DnsChangeResult` has all of it. */
export interface DecodedDnsChange {
  /** Identifier of the change. */
  id: string;

  /** The records that changed, such as `a_records`. */
  fieldChanged: string;

  /** `SQL-TS`, taken as UTC. */
  createdAt: string;

  /** Records before the change; null if they cannot be decoded. */
  before: DnsRecord[] | null;

  /** Records after the change; null if they cannot be decoded. */
  after: DnsRecord[] | null;
}

/**
 * Groups DNS changes by record type and describes what was added, removed and altered.
 *
 * Records with the same host and value are the same record; a different ttl or priority counts as
 * altered. So does a different value if exactly one record of a host was replaced by exactly one
 * other.
 * @param changes as from `getDnsChanges` (interface.md, section 2.3)
 */
export function summarizeDnsChanges(changes: readonly DecodedDnsChange[]): DnsChangesSummary {
  const byType = groupBy(changes.toSorted(newestFirst), ({ fieldChanged }) =>
    shownField(fieldChanged),
  );

  const types = [...byType]
    .sort(([a], [b]) => compare(a, b))
    .map(([type, ofType]) => ({ type, changes: ofType.map(summarize) }));

  return {
    total: changes.length,
    types,
    text: types.flatMap(linesOf),
  };
}

function summarize({ id, createdAt, before, after }: DecodedDnsChange): DnsChangeSummary {
  if (before === null || after === null) {
    const undecoded = [before === null ? "previous" : "", after === null ? "new" : ""];
    const which = undecoded.filter((word) => word !== "").join(" and ");
    const text = [`changed, but the ${which} records cannot be decoded: see oldValue and newValue`];

    return {
      id,
      createdAt,
      decoded: false,
      added: [],
      removed: [],
      altered: [],
      text,
    };
  }

  const { added, removed, altered } = match(before.map(recordOf), after.map(recordOf));
  const text = [
    ...added.map((record) => `added ${described(record)}`),
    ...removed.map((record) => `removed ${described(record)}`),
    ...altered.map(({ before: old, after: now }) => `altered ${alteration(old, now)}`),
  ];

  if (text.length === 0) text.push("nothing added, removed or altered");

  return {
    id,
    createdAt,
    decoded: true,
    added,
    removed,
    altered,
    text,
  };
}

/** Records that are not paired yet. */
interface Unpaired {
  removed: readonly DnsRecord[];
  added: readonly DnsRecord[];
}

/**
 * Pairs the records before and after, from the closest match to the loosest; unpaired ones were
 * added or removed.
 */
function match(before: DnsRecord[], after: DnsRecord[]) {
  const all = { removed: before.toSorted(compareRecords), added: after.toSorted(compareRecords) };
  const equal = pair(all, ({ host, value, ttl, priority }) =>
    JSON.stringify([host, value, ttl, priority]),
  );

  const alike = pair(equal.rest, ({ host, value }) => JSON.stringify([host, value]));
  const single = pair(alike.rest, ({ host }) => host, { single: true });
  const altered = [...alike.pairs, ...single.pairs].sort(
    (a, b) => compareRecords(a.before, b.before) || compareRecords(a.after, b.after),
  );

  return {
    added: [...single.rest.added],
    removed: [...single.rest.removed],
    altered,
  };
}

/**
 * Pairs records with the same key in their order; with `single`, only those whose key no other
 * record has.
 */
function pair(
  { removed, added }: Unpaired,
  key: (record: DnsRecord) => string,
  { single = false } = {},
): { pairs: AlteredDnsRecord[]; rest: Unpaired } {
  const candidates = groupBy(added, key);
  const pairs: AlteredDnsRecord[] = [];

  for (const [name, olds] of groupBy(removed, key)) {
    const news = candidates.get(name) ?? [];
    if (single && (olds.length > 1 || news.length > 1)) continue;
    for (const [index, old] of olds.entries()) {
      const now = news[index];
      if (now) pairs.push({ before: old, after: now });
    }
  }

  const paired = new Set(pairs.flatMap((each) => [each.before, each.after]));
  const isLeft = (record: DnsRecord) => !paired.has(record);

  return { pairs, rest: { removed: removed.filter(isLeft), added: added.filter(isLeft) } };
}

/** A record as plain JSON, without other properties. */
function recordOf({ host, value, ttl, priority }: DnsRecord): DnsRecord {
  return priority === undefined ? { host, value, ttl } : { host, value, ttl, priority };
}

function compareRecords(a: DnsRecord, b: DnsRecord): number {
  return (
    compare(a.host, b.host) ||
    compare(a.value, b.value) ||
    compare(a.ttl, b.ttl) ||
    compare(a.priority ?? Number.NEGATIVE_INFINITY, b.priority ?? Number.NEGATIVE_INFINITY)
  );
}

function linesOf({ type, changes }: DnsTypeSummary): string[] {
  const count = (list: "added" | "removed" | "altered") =>
    changes.reduce((sum, change) => sum + change[list].length, 0);

  const undecoded = changes.filter(({ decoded }) => !decoded).length;
  const counts = [
    `${count("added")} added`,
    `${count("removed")} removed`,
    `${count("altered")} altered`,
    ...(undecoded > 0 ? [`${undecoded} not decoded`] : []),
  ].join(", ");

  const name = shown(type);

  return [
    `${name}: ${countOf(changes.length, "change")}: ${counts}`,
    ...changes.flatMap(({ createdAt, text }) =>
      text.map((line) => `${name} ${shown(createdAt)}: ${line}`),
    ),
  ];
}

function described({ host, value, ttl, priority }: DnsRecord): string {
  const rank = priority === undefined ? "" : `, priority ${priority}`;
  return `${shown(host)} ${shown(value)} (ttl ${ttl}${rank})`;
}

function alteration(before: DnsRecord, after: DnsRecord): string {
  const differences: string[] = [];

  if (before.value !== after.value)
    differences.push(`value ${shown(before.value)} is now ${shown(after.value)}`);

  if (before.ttl !== after.ttl) differences.push(`ttl ${before.ttl} is now ${after.ttl}`);
  if (before.priority !== after.priority) {
    differences.push(`priority ${before.priority ?? "none"} is now ${after.priority ?? "none"}`);
  }

  const subject =
    before.value === after.value
      ? `${shown(before.host)} ${shown(before.value)}`
      : shown(before.host);

  return `${subject}: ${differences.join(", ")}`;
}

/**
 * Anyone can write into DNS, so what a terminal or a pipeline would obey, line breaks and direction
 * marks are escaped.
 */
function shown(text: string): string {
  const isPlain = /^[\x21\x23-\x7e][\x20\x21\x23-\x7e]*$/.test(text) && !text.endsWith(" ");
  if (isPlain && withoutCommands(text) === text) return text;

  return toJson(text);
}
