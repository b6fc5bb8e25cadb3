/** `getWhoisChanges` and `getDnsChanges`: the changes of a domain. */
import { type DnsRecord, decodeDnsValue, decodeWhoisValue } from "../client/change-values";
import type { DomainMonitoringClient } from "../client/client";
import type { Changes } from "../client/domains";
import { DomainMonitoringError, type OperationName } from "../client/errors";
import { readAll, unreadableProblem } from "../client/pages";
import { toInstant } from "../client/timestamps";
import type { DnsChange, WhoisChange } from "../client/types";
import { newestFirst } from "../common/order";
import { optional, SINCE } from "../rules/scalars";
import {
  COUNT,
  DEFAULT_LIMIT,
  defineFunction,
  ID,
  invalid,
  type ServiceFunction,
} from "./function";

/** Arguments of {@link getWhoisChanges} and {@link getDnsChanges}. */
export interface GetChangesArgs {
  /** Identifier of the domain. */
  domainId: string;

  /**
   * Reads only this page, in the service's order; not together with `limit` or `since`. @default
   * all pages
   */
  page?: number | undefined;

  /** Records on a page, 1 to 100. @default 100, with `page` the service's: 15 */
  perPage?: number | undefined;

  /** Maximum number of changes to return. @default 1000 */
  limit?: number | undefined;

  /** Only changes from this time on: `DATE` or `SQL-TS`. @default all */
  since?: string | undefined;
}

/** A list of changes. */
export interface ChangesResult<Change> {
  /** The requested identifier. */
  domainId: string;

  /** Number of changes in the service, on all pages. */
  total: number;

  /** Whether the service has more changes than are returned. */
  truncated: boolean;

  /** Newest first by `createdAt` and `id`; with `page`, in the service's order. */
  changes: Change[];
}

/** Result of {@link getWhoisChanges}. */
export type GetWhoisChangesResult = ChangesResult<WhoisChangeResult>;

/** A change of registration data (interface.md, section 2.2). */
export interface WhoisChangeResult extends Omit<WhoisChange, "createdAtHuman"> {
  /** Previous value, decoded: host names for `nameservers`, else the string. */
  before: string[] | string | null;

  /** New value, decoded. */
  after: string[] | string | null;
}

/** Result of {@link getDnsChanges}. */
export type GetDnsChangesResult = ChangesResult<DnsChangeResult>;

/** A change of DNS records (interface.md, section 2.3). */
export interface DnsChangeResult extends Omit<DnsChange, "createdAtHuman"> {
  /** Records before the change; null if the string cannot be decoded. */
  before: DnsRecord[] | null;

  /** Records after the change; null if the string cannot be decoded. */
  after: DnsRecord[] | null;
}

/** WHOIS changes of a domain (interface.md, section 4.2). */
export const getWhoisChanges = changesFunction(
  "getWhoisChanges",
  "whoisChanges.list",
  (client) => client.whoisChanges,
  ({ createdAtHuman: _changesByItself, ...change }): WhoisChangeResult => {
    const decoded = (value: string | null) => decodeWhoisValue(change.fieldChanged, value);
    return {
      ...change,
      before: decoded(change.oldValue),
      after: decoded(change.newValue),
    };
  },
);

/** DNS changes of a domain (interface.md, section 4.3). */
export const getDnsChanges = changesFunction(
  "getDnsChanges",
  "dnsChanges.list",
  (client) => client.dnsChanges,
  ({ createdAtHuman: _changesByItself, ...change }): DnsChangeResult => ({
    ...change,
    before: decodeDnsValue(change.oldValue),
    after: decodeDnsValue(change.newValue),
  }),
);

/** A function for one of the two lists. */
function changesFunction<Change extends WhoisChange | DnsChange, Result>(
  name: string,
  operation: OperationName,
  listOf: (client: DomainMonitoringClient) => Changes<Change>,
  toResult: (change: Change) => Result,
): ServiceFunction<GetChangesArgs, ChangesResult<Result>> {
  const rules = {
    domainId: ID,
    page: optional(COUNT),
    perPage: optional(COUNT),
    limit: optional(COUNT),
    since: optional(SINCE),
  };

  return defineFunction(
    name,
    rules,
    async ({ domainId, page, perPage, limit, since }, { client }) => {
      const list = listOf(client);
      if (page !== undefined) {
        if (limit !== undefined || since !== undefined)
          throw invalid("page cannot be combined with limit or since: leave one of them out");

        const { data, unreadable, meta } = await list.list(domainId, { page, perPage });
        if (unreadable.length > 0)
          throw new DomainMonitoringError("response", `${name}: ${unreadableProblem(unreadable)}`, {
            operation,
            unreadable,
          });

        const { total } = meta;

        return {
          domainId,
          total,
          truncated: total > data.length,
          changes: data.map(toResult),
        };
      }

      const { records, error } = await readAll(list.iterate(domainId, { perPage }));
      // A program must not miss a change.
      if (error) throw error;

      const matching = newestChanges(records, since);
      const changes = matching.slice(0, limit ?? DEFAULT_LIMIT).map(toResult);

      return {
        domainId,
        total: records.length,
        truncated: matching.length > changes.length,
        changes,
      };
    },
  );
}

/** The changes since then, newest first: the order of a list is not specified. */
export function newestChanges<Change extends { id: string; createdAt: string }>(
  changes: readonly Change[],
  since?: Date,
): Change[] {
  return changes.filter((change) => !since || isSince(change, since)).sort(newestFirst);
}

/** Whether a change was found at this time or later; always true if its date cannot be parsed. */
function isSince({ createdAt }: { createdAt: string }, since: Date): boolean {
  const at = toInstant(createdAt);
  return !at || at >= since;
}
