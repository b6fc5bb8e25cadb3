/**
 * Listing, creating, changing and deleting domains, which is undocumented, ready to send. Sources of what is known of
 * it: docs/managed-channels.md. PATCH and DELETE have the same effect once or twice, so they are repeated like reads.
 */
import { isOneOf } from "../channel-rules";
import { DOMAIN_FIELDS, DOMAIN_RULES } from "../domain-rules";
import type { CreateDomain, Domain, ListDomainsRequest, Page, UpdateDomain } from "../types";
import { loadSchemas } from "./http";
import { NO_OPERATION } from "./managed-channels";
import { type Operation, pageQuery, pathSegment, refuse, wireName } from "./operation";

/** Alternative that works without the list. It is not known where a service shows ids. */
const BY_ID =
  "give the domain's id, a UUID: the service's own pages may show it in their address or in the domain's settings";

const NO_LIST = "the service has no list of domains here, which is undocumented";

/** Reasons for a refusal of the list, by status. */
const LIST_MEANINGS: Record<number, string> = {
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
    meanings: LIST_MEANINGS,
    ifForeign: `${NO_LIST}: check the base address, or ${BY_ID}`,
  };
}

/** Reasons for a refusal, by status. */
const MEANINGS: Record<number, string> = {
  404:
    "not found: check the domain's id and the base address. A service without this undocumented operation " +
    "answers the same",
  405: NO_OPERATION,
};

export function createDomain(domain: CreateDomain): Operation<Domain> {
  const body = encode("the domain", domain, DOMAIN_FIELDS, ["domain", "label"]);
  return {
    name: "domains.create",
    method: "POST",
    path: "/api/domains",
    body,
    read: (answer) => loadSchemas().readOneDomain(answer),
    meanings: MEANINGS,
    uncertaintyHint:
      `The domain ${JSON.stringify(domain.domain)} may have been created anyway: look for it in the service before ` +
      "creating it again",
  };
}

export function updateDomain(id: string, changes: UpdateDomain): Operation<Domain> {
  const known = DOMAIN_FIELDS.filter((name) => name !== "domain");
  return {
    name: "domains.update",
    method: "PATCH",
    path: `/api/domains/${pathSegment("id", id)}`,
    body: encode("the change", changes, known),
    read: (answer) => loadSchemas().readOneDomain(answer, id),
    meanings: MEANINGS,
    uncertaintyHint: `The domain ${id} may have been changed anyway: the same change can be sent again`,
  };
}

export function deleteDomain(id: string): Operation<void> {
  return {
    name: "domains.delete",
    method: "DELETE",
    path: `/api/domains/${pathSegment("id", id)}`,
    read: () => undefined,
    ignoresBody: true,
    meanings: MEANINGS,
    uncertaintyHint: `The domain ${id} may have been deleted anyway: a repeated delete then answers 404`,
  };
}

type Fields = readonly (keyof CreateDomain)[];

/** The body of a request. @throws DomainMonitoringError of kind `validation` */
function encode(what: string, given: Partial<CreateDomain>, known: Fields, required: Fields = []): string {
  const sent = known.filter((name) => given[name] !== undefined || required.includes(name));
  const isKnown = Object.keys(given).every((name) => isOneOf(known, name));
  refuse(what, [
    ...sent.flatMap((name) => {
      const problem = DOMAIN_RULES[name](given[name]);
      return problem === undefined ? [] : [`${name} ${problem}`];
    }),
    ...(isKnown ? [] : [`it has an unknown field: use ${known.join(", ")}`]),
    ...(sent.length > 0 ? [] : ["it has no field: give at least one"]),
  ]);
  return JSON.stringify(Object.fromEntries(sent.map((name) => [wireName(name), given[name]])));
}
