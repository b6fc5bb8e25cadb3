/** `getDomain` and `getDomains`: the state of a domain, and of all domains of an account. */
import type { Domain } from "../client/types";
import { optional } from "../rules/scalars";
import { byName, domainListOf, findDomain } from "./domain-list";
import {
  COUNT,
  DEFAULT_LIMIT,
  defineFunction,
  type Host,
  ID,
  invalid,
  NAME,
  type ServiceFunction,
} from "./function";

/** A domain by its identifier (interface.md, section 4.1). */
export interface GetDomainByIdArgs {
  /** Identifier of the domain. */
  id: string;

  /** Not together with `id`. */
  domain?: undefined;
}

/**
 * A domain by its name, looked up in the account's list of domains.
 *
 * @experimental the service does not document it: see "Managed channels" at the package's homepage
 */
export interface GetDomainByNameArgs {
  /**
   * Name of the domain, such as `example.com`. Compared without case, trailing dot or IDNA form.
   */
  domain: string;

  /** Not together with `domain`. */
  id?: undefined;
}

/** Arguments of {@link getDomain}: exactly one of `id` and `domain`. */
export type GetDomainArgs = GetDomainByIdArgs | GetDomainByNameArgs;

/** A domain (interface.md, section 2.1), with every date as served. */
export type DomainResult = Domain;

/** The arguments that say which domain is meant: exactly one of them. */
export const BY_ID_OR_NAME = { id: optional(ID), domain: optional(NAME) };

/** The state of a domain (interface.md, section 4.1). */
export const getDomain: ServiceFunction<GetDomainArgs, DomainResult> = defineFunction(
  "getDomain",
  BY_ID_OR_NAME,
  (args: { id?: string; domain?: string }, host) => domainOf("getDomain", args, host),
);

/**
 * The domain with this id or this name. @throws DomainMonitoringError of kind `validation` unless
 * exactly one is given
 */
export async function domainOf(
  functionName: string,
  { id, domain }: { id?: string; domain?: string },
  { client, run }: Host,
): Promise<DomainResult> {
  if (id !== undefined && domain === undefined) return client.domains.get(id);
  if (id === undefined && domain !== undefined) return findDomain(domain, client, run);

  throw invalid(
    `${functionName} takes exactly one of id and domain: give the domain's id, or its name`,
  );
}

/**
 * Arguments of {@link getDomains}.
 *
 * @experimental the service does not document it: see "Managed channels" at the package's homepage
 */
export interface GetDomainsArgs {
  /** Maximum number of domains to return. @default 1000 */
  limit?: number | undefined;
}

/**
 * The domains of an account.
 *
 * @experimental the service does not document it: see "Managed channels" at the package's homepage
 */
export interface GetDomainsResult {
  /** Number of domains in the account. */
  total: number;

  /** Whether the account has more domains than are returned. */
  truncated: boolean;

  /** Sorted by `domain`, then `id`. */
  domains: DomainResult[];
}

/** Every domain of the account. Each call reads the list anew. */
export const getDomains = defineFunction<GetDomainsArgs, GetDomainsResult>(
  "getDomains",
  { limit: optional(COUNT) },
  async ({ limit = DEFAULT_LIMIT }, { client, run }) => {
    const { records, error } = await domainListOf(client, run).anew();
    if (error) throw error;

    const sorted = records.toSorted(byName);

    return {
      total: sorted.length,
      truncated: sorted.length > limit,
      domains: sorted.slice(0, limit),
    };
  },
);
