/** The list of an account's domains, and the domain with a name in it. */
import type { DomainMonitoringClient } from "../client/client";
import type { DomainMonitoringError } from "../client/errors";
import { type Reading, readAll, SharedReading } from "../client/pages";
import type { Domain } from "../client/types";
import { compare } from "../common/order";
import { oneLine } from "../common/text";
import { comparableName } from "../rules/domain-names";
import { invalid, NAME, parsed } from "./function";

export type DomainList = Reading<Domain>;

/** The list of each client's account, in the program run that began it. */
const lists = new WeakMap<
  DomainMonitoringClient,
  { run?: object; list: SharedReading<DomainList> }
>();

/**
 * Every domain of the account, as it is shared.
 * @param run scope of the sharing, such as a run of a program. @default the client's whole life
 */
export function domainListOf(
  client: DomainMonitoringClient,
  run?: object,
): SharedReading<DomainList> {
  const known = lists.get(client);
  if (known && known.run === run) return known.list;

  const list = new SharedReading(() => readAll(client.domains.iterate()));
  lists.set(client, { run, list });

  return list;
}

/**
 * The one domain with this name.
 *
 * @param run as for {@link domainListOf}
 * @throws DomainMonitoringError; kind `validation` if no domain or more than one has the name
 */
export async function findDomain(
  name: string,
  client: DomainMonitoringClient,
  run?: object,
): Promise<Domain> {
  requireName(name);
  const list = domainListOf(client, run);
  const isEarlier = list.hasBegun;
  const known = await list.latest();
  // A look-up can wait for a resource that makes the domain.
  const isOutdated = isEarlier && withName(name, known.records).length === 0;

  return domainNamed(name, isOutdated ? await list.newerThan(known) : known);
}

/** The order of domains wherever all of them are returned: by name, then by id. */
export function byName(a: Domain, b: Domain): number {
  return compare(a.domain, b.domain) || compare(a.id, b.id);
}

/**
 * The one domain with this name.
 * @param list all of the account
 * @throws DomainMonitoringError of kind `validation` if none of them or more than one has the name
 */
export function domainNamed(name: string, list: DomainList): Domain {
  requireName(name);
  const found = domainsNamed(name, list);
  const [domain] = found;
  if (domain === undefined) throw none(name, list.records);
  if (found.length > 1) throw several(name, found);

  return domain;
}

function requireName(domain: string): void {
  parsed({ domain }, { domain: NAME });
}

/**
 * The domains with this name.
 * @throws DomainMonitoringError if no readable domain has the name but an unreadable record has it,
 * or has no name
 */
export function domainsNamed(name: string, { records, error }: DomainList): Domain[] {
  const found = withName(name, records);
  if (found.length === 0 && withName(name, error?.unreadable ?? []).length > 0) throw error;

  return found;
}

/** A domain without a name may have this one. */
function withName<T extends { domain?: string }>(name: string, domains: readonly T[]): T[] {
  const wanted = comparableName(name);
  return domains.filter(({ domain = name }) => comparableName(domain) === wanted);
}

function none(name: string, domains: readonly Domain[]): DomainMonitoringError {
  const looked = domains.length === 1 ? "the only domain" : `one of the ${domains.length} domains`;
  const advice = "correct it, check the account, or give the domain's id";

  return invalid(`domain ${quoted(name)} is not ${looked} of this account: ${advice}`);
}

/** Characters of a name, label or id in a message. */
const MAX_NAME = 100;

function several(name: string, found: readonly Domain[]): DomainMonitoringError {
  const each = found
    .toSorted((a, b) => compare(a.id, b.id))
    .map(({ id, label }) => `${oneLine(id, MAX_NAME)} (${quoted(label)})`);

  return invalid(
    `${found.length} domains are named ${quoted(name)}: give the id of the one to use: ${each.join(", ")}`,
  );
}

function quoted(text: string): string {
  return JSON.stringify(oneLine(text, MAX_NAME));
}
