/** Asks for the WHOIS and DNS changes of a domain, and checks what is asked for. */
import type { Changes } from "../client/changes";
import type { DomainMonitoringClient } from "../client/client";
import { toInstant } from "../client/timestamps";
import type { DnsChange, WhoisChange } from "../client/types";
import {
  type ChangesResult,
  type DnsChangeResult,
  newestChanges,
  toDnsResult,
  toWhoisResult,
  type WhoisChangeResult,
} from "../rules/changes";
import { invalid, limitOf } from "./arguments";

/** Arguments of {@link getWhoisChanges} and {@link getDnsChanges}. */
export interface GetChangesArgs {
  /** Identifier of the domain. */
  domainId: string;
  /** Exactly this page, in the order served; not together with `limit` or `since`. @default all pages */
  page?: number;
  /** Records on a page, 1 to 100. @default 100, with `page` the service's: 15 */
  perPage?: number;
  /** Maximum number of changes to return. @default 1000 */
  limit?: number;
  /** Only changes since then, inclusive: `DATE` or `SQL-TS`. @default all */
  since?: string;
}

/** Result of {@link getWhoisChanges}. */
export type GetWhoisChangesResult = ChangesResult<WhoisChangeResult>;

/** Result of {@link getDnsChanges}. */
export type GetDnsChangesResult = ChangesResult<DnsChangeResult>;

/** WHOIS changes of a domain (interface.md, section 4.2). @throws DomainMonitoringError */
export function fetchWhoisChanges(
  args: GetChangesArgs,
  client: DomainMonitoringClient,
): Promise<GetWhoisChangesResult> {
  return read(args, client.whoisChanges, toWhoisResult);
}

/** DNS changes of a domain (interface.md, section 4.3). @throws DomainMonitoringError */
export function fetchDnsChanges(
  args: GetChangesArgs,
  client: DomainMonitoringClient,
): Promise<GetDnsChangesResult> {
  return read(args, client.dnsChanges, toDnsResult);
}
async function read<Change extends WhoisChange | DnsChange, Result>(
  args: GetChangesArgs,
  feed: Changes<Change>,
  toResult: (change: Change) => Result,
): Promise<ChangesResult<Result>> {
  const { domainId, page, perPage, since } = args;
  if (page !== undefined) {
    if (args.limit !== undefined || since !== undefined) {
      throw invalid(
        "page is given together with limit or since, but a page is returned as served: leave one of them out",
      );
    }
    const { data, meta } = await feed.list(domainId, { page, perPage });
    return { domainId, total: meta.total, truncated: meta.total > data.length, changes: data.map(toResult) };
  }
  const limit = limitOf(args.limit);
  const list = feed.iterate(domainId, perPage === undefined ? {} : { perPage });
  const from = since === undefined ? undefined : instantOf(since);
  const { total, matching, changes } = await newestChanges(list, { since: from, limit });
  return { domainId, total, truncated: matching > limit, changes: changes.map(toResult) };
}

function instantOf(since: string): Date {
  const instant = /^\d{4}-\d{2}-\d{2}( \d{2}:\d{2}:\d{2})?$/.test(since) ? toInstant(since) : undefined;
  if (!instant)
    throw invalid('since is not a valid date: use "2026-01-31" or "2026-01-31 08:30:00", taken as UTC');
  return instant;
}
