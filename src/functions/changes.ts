/** WHOIS and DNS changes as data: decoded, in an order that does not depend on the service, bounded. */
import type * as pulumi from "@pulumi/pulumi";
import { type DnsRecord, decodeDnsValue, decodeWhoisValue } from "../client/change-values";
import type { Changes } from "../client/changes";
import type { DomainMonitoringClient } from "../client/client";
import { DomainMonitoringError } from "../client/errors";
import { toInstant } from "../client/timestamps";
import type { DnsChange, OpenEnum, WhoisChange } from "../client/types";
import { call, callOutput, type FunctionOptions, type OutputFunctionOptions } from "./invoke";

/** Arguments of {@link getWhoisChanges} and {@link getDnsChanges}. */
export interface GetChangesArgs {
  /** Identifier of the domain. */
  domainId: string;
  /** Exactly this page, in the order served; not together with `limit` or `since`. @default all pages */
  page?: number;
  /** Records on a page, 1 to 100. @default 100, with `page` the service's: 15 */
  perPage?: number;
  /** The most changes to return. @default 1000 */
  limit?: number;
  /** Only changes from then on, inclusive: `DATE` or `SQL-TS`. @default all */
  since?: string;
}

/** Arguments of the Output forms. */
export type GetChangesOutputArgs = { [Name in keyof GetChangesArgs]: pulumi.Input<GetChangesArgs[Name]> };

/** A list of changes. */
export interface ChangesResult<Change> {
  /** The identifier that was asked for. */
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
  /** What has changed; more values than these two occur. */
  fieldChanged: OpenEnum<"registrar" | "nameservers">;
  /** Previous value as it came. */
  oldValue: string | null;
  /** New value as it came. */
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
  /** What has changed: a record type, such as `a_records`; more values than these two occur. */
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
  /** Records before the change; null where the string does not decode. */
  before: DnsRecord[] | null;
  /** Records after the change; null where the string does not decode. */
  after: DnsRecord[] | null;
}

/** Result of {@link getWhoisChanges}. */
export type GetWhoisChangesResult = ChangesResult<WhoisChangeResult>;

/** Result of {@link getDnsChanges}. */
export type GetDnsChangesResult = ChangesResult<DnsChangeResult>;

/**
 * WHOIS changes of a domain (interface.md, section 4.2). Runs in previews too and leaves nothing in the state.
 * @throws DomainMonitoringError; kind `validation` where the arguments break a rule
 */
export function getWhoisChanges(
  args: GetChangesArgs,
  opts?: FunctionOptions,
): Promise<GetWhoisChangesResult> {
  return call((client) => askWhois(args, client), opts);
}

/** The same for arguments that may be outputs; while they are unknown in a preview, nothing is asked. */
export function getWhoisChangesOutput(
  args: GetChangesOutputArgs,
  opts?: OutputFunctionOptions,
): pulumi.Output<GetWhoisChangesResult> {
  return callOutput(args, askWhois, opts);
}

/**
 * DNS changes of a domain (interface.md, section 4.3). Runs in previews too and leaves nothing in the state.
 * @throws DomainMonitoringError; kind `validation` where the arguments break a rule
 */
export function getDnsChanges(args: GetChangesArgs, opts?: FunctionOptions): Promise<GetDnsChangesResult> {
  return call((client) => askDns(args, client), opts);
}

/** The same for arguments that may be outputs; while they are unknown in a preview, nothing is asked. */
export function getDnsChangesOutput(
  args: GetChangesOutputArgs,
  opts?: OutputFunctionOptions,
): pulumi.Output<GetDnsChangesResult> {
  return callOutput(args, askDns, opts);
}

function askWhois(args: GetChangesArgs, client: DomainMonitoringClient): Promise<GetWhoisChangesResult> {
  return read(args, client.whoisChanges, toWhoisResult);
}

function askDns(args: GetChangesArgs, client: DomainMonitoringClient): Promise<GetDnsChangesResult> {
  return read(args, client.dnsChanges, toDnsResult);
}

async function read<Change extends WhoisChange | DnsChange, Result>(
  args: GetChangesArgs,
  feed: Changes<Change>,
  toResult: (change: Change) => Result,
): Promise<ChangesResult<Result>> {
  const { domainId, page, perPage, limit = 1000, since } = args;
  if (page !== undefined) {
    if (args.limit !== undefined || since !== undefined) {
      throw invalid(
        "page is given together with limit or since, but a page is returned as served: leave one of them out",
      );
    }
    const { data, meta } = await feed.list(domainId, { page, perPage });
    return { domainId, total: meta.total, truncated: meta.total > data.length, changes: data.map(toResult) };
  }
  if (!Number.isInteger(limit) || limit < 1)
    throw invalid("limit is no whole number of 1 or more: correct it");
  const from = since === undefined ? undefined : instantOf(since);
  const matching: Change[] = [];
  let total = 0;
  for await (const change of feed.iterate(domainId, perPage === undefined ? {} : { perPage })) {
    total++;
    // A date that cannot be read is no reason to hide a change.
    const at = from && toInstant(change.createdAt);
    if (!from || !at || at >= from) matching.push(change);
  }
  matching.sort(newestFirst);
  const changes = matching.slice(0, limit).map(toResult);
  return { domainId, total, truncated: matching.length > limit, changes };
}

function newestFirst(a: WhoisChange | DnsChange, b: WhoisChange | DnsChange): number {
  return compare(b.createdAt, a.createdAt) || compare(b.id, a.id);
}

/** By code unit, not by locale: the order must be the same on every machine. */
function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function instantOf(since: string): Date {
  const instant = /^\d{4}-\d{2}-\d{2}( \d{2}:\d{2}:\d{2})?$/.test(since) ? toInstant(since) : undefined;
  if (!instant) throw invalid('since is no date: write "2026-01-31" or "2026-01-31 08:30:00", taken as UTC');
  return instant;
}

function invalid(message: string): DomainMonitoringError {
  return new DomainMonitoringError("validation", message);
}

function common(change: WhoisChange | DnsChange) {
  const { id, domainId, oldValue, newValue, identifier, createdAt } = change;
  return { id, domainId, oldValue, newValue, identifier, createdAt };
}

function toWhoisResult(change: WhoisChange): WhoisChangeResult {
  const { fieldChanged, oldValue, newValue } = change;
  return {
    ...common(change),
    fieldChanged,
    before: decodeWhoisValue(fieldChanged, oldValue),
    after: decodeWhoisValue(fieldChanged, newValue),
  };
}

function toDnsResult(change: DnsChange): DnsChangeResult {
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
