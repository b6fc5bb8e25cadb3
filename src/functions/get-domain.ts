/** `getDomain`: the state of a domain. */
import type { Domain } from "../client/types";
import { findDomain } from "./domain-list";
import { requireName } from "./domain-named";
import { defineFunction, type Host, invalid, optional, requireId } from "./function";

/** A domain by its identifier, as the interface has it (section 4.1). */
export interface GetDomainByIdArgs {
  /** Identifier of the domain. */
  id: string;
  /** Not together with `id`. */
  domain?: never;
}

/**
 * A domain by its name, which is looked up in the list of domains.
 *
 * @experimental uses an undocumented endpoint: `docs/managed-channels.md`
 */
export interface GetDomainByNameArgs {
  /** Name of the domain, such as `example.com`. Case, a final dot and the forms of IDNA make no difference. */
  domain: string;
  /** Not together with `domain`. */
  id?: never;
}

/** Arguments of {@link getDomain}: exactly one of `id` and `domain`. */
export type GetDomainArgs = GetDomainByIdArgs | GetDomainByNameArgs;

/** A domain (interface.md, section 2.1), with every date as served. */
export type DomainResult = Domain;

/** The state of a domain (interface.md, section 4.1). */
export const getDomain = defineFunction<{ id?: string; domain?: string }, DomainResult>(
  "getDomain",
  { id: optional(requireId), domain: optional(requireName) },
  (args, host) => domainOf("getDomain", args, host),
);

/** The domain with this id or this name. @throws DomainMonitoringError of kind `validation` unless exactly one is given */
export async function domainOf(
  functionName: string,
  { id, domain }: { id?: string; domain?: string },
  { client, run }: Host,
): Promise<DomainResult> {
  if (id !== undefined && domain === undefined) return client.domains.get(id);
  if (id === undefined && domain !== undefined) return findDomain(domain, client, run);
  throw invalid(`${functionName} takes exactly one of id and domain: give the domain's id, or its name`);
}
