/** `getDomains`: all domains of an account. The interface shows no such list. */
import { readDomains } from "./domain-list";
import { byName } from "./domain-named";
import { DEFAULT_LIMIT, defineFunction, optional, requireWholeNumber } from "./function";
import type { DomainResult } from "./get-domain";

/**
 * Arguments of {@link getDomains}.
 *
 * @experimental undocumented: `docs/managed-channels.md`
 */
export interface GetDomainsArgs {
  /** Maximum number of domains to return. @default 1000 */
  limit?: number;
}

/**
 * The domains of an account.
 *
 * @experimental undocumented: `docs/managed-channels.md`
 */
export interface GetDomainsResult {
  /** Number of domains that the account has. */
  total: number;
  /** Whether there were more domains than are returned. */
  truncated: boolean;
  /** By `domain`, then `id`. */
  domains: DomainResult[];
}

/** Every domain of the account. Each call reads the list anew. */
export const getDomains = defineFunction<GetDomainsArgs, GetDomainsResult>(
  "getDomains",
  { limit: optional(requireWholeNumber) },
  async ({ limit = DEFAULT_LIMIT }, { client, run }) => {
    const sorted = (await readDomains(client, run)).toSorted(byName);
    return { total: sorted.length, truncated: sorted.length > limit, domains: sorted.slice(0, limit) };
  },
);
