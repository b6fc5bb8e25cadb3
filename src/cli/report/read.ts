/** Reads what a report is about: the facts of each domain, and what failed. */

import type { DnsChange, Domain, WhoisChange } from "../../client/types";
import type { Account } from "../account";
import { listOf, type Outcome } from "../calls";
import { type DomainChannels, listChannels } from "../channels/list";
import { forEachDomain } from "../selection";
import type { Asked } from "./asked";

/** The facts of a domain, or the reason why they are missing. */
export interface DomainFacts {
  /** Id of the domain; the name as given, where it could not be looked up. */
  id: string;
  domain: Outcome<Domain>;

  /** Undefined if they were not read. */
  changes?: DomainChanges;

  /** Undefined if they were not read. */
  channels?: DomainChannels;
}

/** Both lists of changes of a domain. */
interface DomainChanges {
  whois: Outcome<readonly WhoisChange[]>;
  dns: Outcome<readonly DnsChange[]>;
}

/** Reads every domain once. @throws Error as `forEachDomain` */
export function readDomains({ selection, since, comparesChannels }: Asked): Promise<DomainFacts[]> {
  return forEachDomain(selection, async (id, domain, account) => {
    if (domain.failure) return { id, domain };

    const [changes, channels] = await Promise.all([
      since === null ? undefined : changesOf(id, account),
      comparesChannels ? listChannels(id, domain, account) : undefined,
    ]);

    return { id, domain, changes, channels };
  });
}

async function changesOf(id: string, { client }: Account): Promise<DomainChanges> {
  const [whois, dns] = await Promise.all([
    listOf(client.whoisChanges.iterate(id)),
    listOf(client.dnsChanges.iterate(id)),
  ]);

  return { whois, dns };
}
