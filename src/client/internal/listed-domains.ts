/**
 * The list of domains, which the interface does not show, ready to send. Sources of what is known of it:
 * docs/beyond-the-interface.md.
 */
import type { Domain, ListDomainsRequest, Page } from "../types";
import { loadSchemas } from "./http";
import { pageQuery } from "./input";
import type { Operation } from "./operation";

/** Alternative that works without the list. It is not known where a service shows ids. */
const BY_ID =
  "give the domain's id, a UUID: the service's own pages may show it in their address or in the domain's settings";

const NO_LIST = "the service has no list of domains here, and the interface does not show one";

/** Reasons for a refusal of the list, by status. */
const MEANINGS: Record<number, string> = {
  302: `a redirect, as to a login page: ${NO_LIST}: check the base address, or ${BY_ID}`,
  403: `the API token may not list domains: use a token with the required scope, or ${BY_ID}`,
  404: `${NO_LIST}: check the base address, or ${BY_ID}`,
  405: `${NO_LIST}: ${BY_ID}`,
};

export function listDomains({ page }: ListDomainsRequest): Operation<Page<Domain>> {
  return {
    name: "domains.list",
    method: "GET",
    path: `/api/domains${pageQuery({ page })}`,
    read: loadSchemas().readDomainPage,
    meanings: MEANINGS,
    ifForeign: `${NO_LIST}: check the base address, or ${BY_ID}`,
  };
}
