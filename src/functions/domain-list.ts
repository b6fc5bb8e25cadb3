/** The list of an account's domains, and the domain with a name in it. The interface shows no such list. */
import type { DomainMonitoringClient } from "../client/client";
import type { Domain } from "../client/types";
import { comparableName } from "../rules/domain-names";
import { domainNamed, requireName } from "./domain-named";

/** Every domain of the account, read anew. @param run as for {@link findDomain} @throws DomainMonitoringError */
export function readDomains(client: DomainMonitoringClient, run?: object): Promise<readonly Domain[]> {
  return readings(client, run).begin();
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
  const list = readings(client, run);
  const earlier = list.started;
  const domains = await list.current();
  // The domain may be younger than a reading that had begun before: a look-up can wait for a resource.
  const isOld =
    earlier !== undefined && !domains.some(({ domain }) => comparableName(domain) === comparableName(name));
  return domainNamed(name, isOld ? await list.after(earlier) : domains);
}

type Reading = Promise<readonly Domain[]>;

/** The readings of one list. All who ask share the last one; a failed one is not kept. */
class Readings {
  readonly #read: () => Reading;
  /** The last reading, which may be under way. */
  started: Reading | undefined;

  constructor(read: () => Reading) {
    this.#read = read;
  }

  /** The last reading; the first who asks begins it. */
  current(): Reading {
    return this.started ?? this.begin();
  }

  /** A later reading than that one, which others may have begun. */
  after(earlier: Reading): Reading {
    return this.started === earlier ? this.begin() : this.current();
  }

  /** A reading that begins now; who asks from now on shares it. */
  begin(): Reading {
    const reading = this.#read();
    this.started = reading;
    reading.catch(() => {
      if (this.started === reading) this.started = undefined;
    });
    return reading;
  }
}

/** By run, then by client. */
const kept = new WeakMap<object, WeakMap<DomainMonitoringClient, Readings>>();

function readings(client: DomainMonitoringClient, run: object = client): Readings {
  const ofRun = kept.get(run) ?? new WeakMap<DomainMonitoringClient, Readings>();
  kept.set(run, ofRun);
  const known = ofRun.get(client) ?? new Readings(() => readAll(client));
  ofRun.set(client, known);
  return known;
}

async function readAll(client: DomainMonitoringClient): Promise<readonly Domain[]> {
  const domains: Domain[] = [];
  for await (const domain of client.domains.iterate()) domains.push(domain);
  return domains;
}
