/** The list of an account's domains, and the domain with a name in it. The interface shows no such list. */
import type { DomainMonitoringClient } from "../client/client";
import type { Domain } from "../client/types";
import { comparableName } from "../rules/domain-names";
import { domainNamed, requireName } from "./domain-named";

/**
 * The last reading of each client's list, which may be under way, and the run of a program that began it. Everybody in that run
 * shares it; a failed one is not kept.
 */
const readings = new WeakMap<DomainMonitoringClient, { run?: object; domains: Promise<readonly Domain[]> }>();

/** Every domain of the account, read anew. @param run as for {@link findDomain} @throws DomainMonitoringError */
export function readDomains(client: DomainMonitoringClient, run?: object): Promise<readonly Domain[]> {
  const reading = { run, domains: readAll(client) };
  readings.set(client, reading);
  reading.domains.catch(() => {
    if (readings.get(client) === reading) readings.delete(client);
  });
  return reading.domains;
}

/** Every domain of the account, as of the last reading if there is one. @throws DomainMonitoringError */
export function knownDomains(client: DomainMonitoringClient, run?: object): Promise<readonly Domain[]> {
  return lastReading(client, run) ?? readDomains(client, run);
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
  const earlier = lastReading(client, run);
  const domains = await (earlier ?? readDomains(client, run));
  const wanted = comparableName(name);
  if (!earlier || domains.some(({ domain }) => comparableName(domain) === wanted))
    return domainNamed(name, domains);
  // The domain may be younger than a reading that had begun before: a look-up can wait for a resource.
  const later = lastReading(client, run);
  return domainNamed(name, await (later && later !== earlier ? later : readDomains(client, run)));
}

function lastReading(client: DomainMonitoringClient, run?: object): Promise<readonly Domain[]> | undefined {
  const last = readings.get(client);
  return last?.run === run ? last?.domains : undefined;
}

async function readAll(client: DomainMonitoringClient): Promise<readonly Domain[]> {
  const domains: Domain[] = [];
  for await (const domain of client.domains.iterate()) domains.push(domain);
  return domains;
}
