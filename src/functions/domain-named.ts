/** Finds a domain by its name among those of an account, which functions and commands read in their own ways. */
import type { DomainMonitoringError } from "../client/errors";
import type { Domain } from "../client/types";
import { compare } from "../common/order";
import { sanitizeText } from "../common/redact";
import { comparableName, NOT_A_NAME, nearestName } from "../rules/domain-names";
import { invalid } from "./function";

/** The order of domains wherever all of them are returned: by name, then by id. */
export function byName(a: Domain, b: Domain): number {
  return compare(a.domain, b.domain) || compare(a.id, b.id);
}

/** The rule of a name. @throws DomainMonitoringError of kind `validation` if it is not a domain name */
export function requireName(name: unknown): string {
  if (typeof name === "string" && comparableName(name) !== undefined) return name;
  throw invalid(`domain ${NOT_A_NAME}`);
}

/**
 * The one domain with this name.
 * @param domains all of the account
 * @throws DomainMonitoringError of kind `validation` if none of them or more than one has the name
 */
export function domainNamed(name: string, domains: readonly Domain[]): Domain {
  const wanted = comparableName(requireName(name)) ?? name;
  const found = domains.filter(({ domain }) => comparableName(domain) === wanted);
  const [domain] = found;
  if (domain === undefined) throw none(name, wanted, domains);
  if (found.length > 1) throw several(name, found);
  return domain;
}

function none(name: string, wanted: string, domains: readonly Domain[]): DomainMonitoringError {
  const nearest = nearestName(
    wanted,
    domains.map(({ domain }) => domain),
  );
  const looked = domains.length === 1 ? "the only domain" : `one of the ${domains.length} domains`;
  const advice =
    nearest === undefined
      ? "correct it, check the account, or give the domain's id"
      : `did you mean ${quoted(nearest)}?`;
  return invalid(`domain ${quoted(name)} is not ${looked} of this account: ${advice}`);
}

function several(name: string, found: readonly Domain[]): DomainMonitoringError {
  const each = found
    .toSorted((a, b) => compare(a.id, b.id))
    .map(({ id, label }) => `${plain(id)} (${quoted(label)})`);
  return invalid(
    `${found.length} domains are named ${quoted(name)}: give the id of the one to use: ${each.join(", ")}`,
  );
}

/** Texts of the service and of the caller on one line. */
function plain(text: string): string {
  return sanitizeText(text, (same) => same, 100);
}

function quoted(text: string): string {
  return JSON.stringify(plain(text));
}
