/** Asks for all domains of an account, and finds one by its name. The interface shows no such list. */
import type { DomainMonitoringClient } from "../client/client";
import type { Domain } from "../client/types";
import { comparableName } from "../rules/domain-names";
import { limitOf, refuseOthers } from "./arguments";
import type { DomainResult } from "./domain";
import { byName, domainNamed, requireName } from "./domain-named";

/**
 * Arguments of {@link getDomains}.
 *
 * @experimental not in the given interface: `docs/beyond-the-interface.md` says what is known from where
 */
export interface GetDomainsArgs {
  /** Maximum number of domains to return. @default 1000 */
  limit?: number;
}

/**
 * The domains of an account.
 *
 * @experimental not in the given interface: `docs/beyond-the-interface.md` says what is known from where
 */
export interface GetDomainsResult {
  /** Number of domains that the account has. */
  total: number;
  /** Whether there were more domains than are returned. */
  truncated: boolean;
  /** By `domain`, then `id`. */
  domains: DomainResult[];
}

/** Every domain of the account. Each call reads the list anew. @throws DomainMonitoringError */
export async function fetchDomains(
  args: GetDomainsArgs,
  client: DomainMonitoringClient,
  run?: object,
): Promise<GetDomainsResult> {
  const { limit: given, ...others } = args;
  refuseOthers("getDomains", others, "limit");
  const limit = limitOf(given);
  const domains = await readings(client, run).begin();
  const sorted = domains.toSorted(byName);
  return { total: sorted.length, truncated: sorted.length > limit, domains: sorted.slice(0, limit) };
}

/**
 * The one domain with this name.
 *
 * @param run what look-ups share a reading of the list for, such as a run of a program. @default the client's whole life
 * @throws DomainMonitoringError; kind `validation` if no domain or more than one has the name
 */
export async function findDomain(
  name: string,
  client: DomainMonitoringClient,
  run?: object,
): Promise<Domain> {
  const wanted = requireName(name);
  const list = readings(client, run);
  const earlier = list.started;
  const domains = await list.current();
  // The domain may be younger than a reading that had begun before: a look-up can wait for a resource.
  const isOld = earlier !== undefined && !domains.some(({ domain }) => comparableName(domain) === wanted);
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
