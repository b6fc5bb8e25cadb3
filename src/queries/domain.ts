/** Asks for the state of a domain. */
import type { DomainMonitoringClient } from "../client/client";
import type { Domain } from "../client/types";

/** Arguments of {@link getDomain}. */
export interface GetDomainArgs {
  /** Identifier of the domain. */
  id: string;
}

/** A domain (interface.md, section 2.1), with every date as served. */
export type DomainResult = Domain;

/** The state of a domain (interface.md, section 4.1). @throws DomainMonitoringError */
export function fetchDomain({ id }: GetDomainArgs, client: DomainMonitoringClient): Promise<DomainResult> {
  return client.domains.get(id);
}
