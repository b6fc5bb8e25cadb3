/** Selects, sorts and decodes WHOIS and DNS changes. Depends neither on Pulumi nor on a client. */
import { type DnsRecord, decodeDnsValue, decodeWhoisValue } from "../client/change-values";
import { toInstant } from "../client/timestamps";
import type { DnsChange, OpenEnum, WhoisChange } from "../client/types";
import { compare } from "./order";

/** A list of changes. */
export interface ChangesResult<Change> {
  /** The requested identifier. */
  domainId: string;
  /** Number of changes that the service has, on all pages. */
  total: number;
  /** Whether there were more changes than are returned. */
  truncated: boolean;
  /** Newest first by `createdAt` and `id`; with `page` as served. */
  changes: Change[];
}

/** A change of registration data (interface.md, section 2.2). */
export interface WhoisChangeResult {
  /** Identifier of the change, UUID-shaped. */
  id: string;
  /** As served: a number or a string. */
  domainId: number | string;
  /** What has changed: `registrar`, `nameservers`, or a value that the interface does not show. */
  fieldChanged: OpenEnum<"registrar" | "nameservers">;
  /** Previous value as served. */
  oldValue: string | null;
  /** New value as served. */
  newValue: string | null;
  /** Previous value decoded: host names for `nameservers`, else the string. */
  before: string[] | string | null;
  /** New value decoded. */
  after: string[] | string | null;
  /** Short opaque token of the change. */
  identifier: string;
  /** `SQL-TS`, taken as UTC. */
  createdAt: string;
}

/** A change of DNS records (interface.md, section 2.3). */
export interface DnsChangeResult extends Omit<WhoisChangeResult, "fieldChanged" | "before" | "after"> {
  /** Which records have changed: `a_records`, `mx_records`, or a value that the interface does not show. */
  fieldChanged: OpenEnum<"a_records" | "mx_records">;
  /** Short record type label. */
  fieldChangedHuman: string | null;
  /** The previous records for people to read. */
  oldValueFormatted: string | null;
  /** The new records for people to read. */
  newValueFormatted: string | null;
  /** The change in short, in the service's words. */
  changeSummary: string | null;
  /** The difference as text. */
  diff: string | null;
  /** Records before the change; null if the string cannot be decoded. */
  before: DnsRecord[] | null;
  /** Records after the change; null if the string cannot be decoded. */
  after: DnsRecord[] | null;
}

/** The newest changes of a list, and how many there are. */
export interface NewestChanges<Change> {
  /** Changes in the list. */
  total: number;
  /** Changes in the list since the date. */
  matching: number;
  /** Newest first by `createdAt` and `id`, up to the limit. */
  changes: Change[];
}

/**
 * The newest changes of a list. Its order is not specified, so all of it is read.
 * @param since only changes since then; one whose date cannot be parsed is always included
 */
export async function newestChanges<Change extends WhoisChange | DnsChange>(
  list: AsyncIterable<Change>,
  { since, limit }: { since?: Date; limit: number },
): Promise<NewestChanges<Change>> {
  const matching: Change[] = [];
  let total = 0;
  for await (const change of list) {
    total++;
    const at = since && toInstant(change.createdAt);
    if (!since || !at || at >= since) matching.push(change);
  }
  matching.sort(newestFirst);
  return { total, matching: matching.length, changes: matching.slice(0, limit) };
}

function newestFirst(a: WhoisChange | DnsChange, b: WhoisChange | DnsChange): number {
  return compare(b.createdAt, a.createdAt) || compare(b.id, a.id);
}

function common(change: WhoisChange | DnsChange) {
  const { id, domainId, oldValue, newValue, identifier, createdAt } = change;
  return { id, domainId, oldValue, newValue, identifier, createdAt };
}

/** A WHOIS change as the functions return it. */
export function toWhoisResult(change: WhoisChange): WhoisChangeResult {
  const { fieldChanged, oldValue, newValue } = change;
  return {
    ...common(change),
    fieldChanged,
    before: decodeWhoisValue(fieldChanged, oldValue),
    after: decodeWhoisValue(fieldChanged, newValue),
  };
}

/** A DNS change as the functions return it. */
export function toDnsResult(change: DnsChange): DnsChangeResult {
  const { fieldChanged, fieldChangedHuman, oldValueFormatted, newValueFormatted, changeSummary, diff } =
    change;
  return {
    ...common(change),
    fieldChanged,
    fieldChangedHuman,
    oldValueFormatted,
    newValueFormatted,
    changeSummary,
    diff,
    before: decodeDnsValue(change.oldValue),
    after: decodeDnsValue(change.newValue),
  };
}
