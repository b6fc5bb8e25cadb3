/** The list of an account's domains, and the domain with a name in it. The interface shows no such list. */
import type { DomainMonitoringClient } from "../client/client";
import type { Domain } from "../client/types";
import { comparableName } from "../rules/domain-names";
import { domainNamed, requireName } from "./domain-named";

/** Every domain of the account, read anew. @param run as for {@link findDomain} @throws DomainMonitoringError */
export function readDomains(client: DomainMonitoringClient, run?: object): Promise<readonly Domain[]> {
  return read(listOf(client, run), client);
}

/**
 * The one domain with this name.
 *
 * @param run scope in which look-ups share a reading of the list, such as a run of a program. @default the client's whole life
 * @throws DomainMonitoringError; kind `validation` if no domain or more than one has the name
 */
export async function findDomain(
  name: string,
  client: DomainMonitoringClient,
  run?: object,
): Promise<Domain> {
  requireName(name);
  const list = listOf(client, run);
  const earlier = list.last;
  const domains = await (earlier ?? read(list, client));
  // The domain may be younger than a reading that had begun before: a look-up can wait for a resource.
  const isOld =
    earlier !== undefined && !domains.some(({ domain }) => comparableName(domain) === comparableName(name));
  if (!isOld) return domainNamed(name, domains);
  const later = list.last === earlier ? undefined : list.last;
  return domainNamed(name, await (later ?? read(list, client)));
}

type Reading = Promise<readonly Domain[]>;

/** The last reading of a list, which may be under way. All who ask share it; a failed one is not kept. */
interface List {
  last?: Reading;
}

/** By run, then by client. */
const lists = new WeakMap<object, WeakMap<DomainMonitoringClient, List>>();

function listOf(client: DomainMonitoringClient, run: object = client): List {
  const ofRun = lists.get(run) ?? new WeakMap<DomainMonitoringClient, List>();
  lists.set(run, ofRun);
  const list = ofRun.get(client) ?? {};
  ofRun.set(client, list);
  return list;
}

/** Begins a reading. */
function read(list: List, client: DomainMonitoringClient): Reading {
  const reading = readAll(client);
  list.last = reading;
  reading.catch(() => {
    if (list.last === reading) list.last = undefined;
  });
  return reading;
}

async function readAll(client: DomainMonitoringClient): Promise<readonly Domain[]> {
  const domains: Domain[] = [];
  for await (const domain of client.domains.iterate()) domains.push(domain);
  return domains;
}
