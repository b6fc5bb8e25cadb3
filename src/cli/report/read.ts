/** Reads what a report is about: the facts of each domain, and what failed. */

import type { DnsChange, Domain, WhoisChange } from "../../client/types";
import type { Account } from "../account";
import { type Failure, listOf, MISSING, type Outcome } from "../calls";
import { type DomainChannels, listChannels } from "../channels/list";
import { forEachDomain } from "../selection";
import type { Asked } from "./asked";

/** The data that was read. */
export interface Read {
  domains: DomainFacts[];

  /** Whether it is all of the account, and no domain remains unknown: that one is gone is known. */
  isWhole: boolean;
}

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
export async function readDomains({ selection, since, comparesChannels }: Asked): Promise<Read> {
  const domains = await forEachDomain(
    selection,
    async (id, domain, account): Promise<DomainFacts> => {
      if (domain.failure) return { id, domain };

      const [changes, channels] = await Promise.all([
        since === null ? undefined : changesOf(id, account),
        comparesChannels ? listChannels(id, domain, account) : undefined,
      ]);

      return { id, domain, changes, channels };
    },
  );

  const isKnown = (failure: Failure | undefined) => !failure || failure.kind === MISSING;

  return {
    domains,
    isWhole: selection.all && domains.every(({ domain }) => isKnown(domain.failure)),
  };
}

async function changesOf(id: string, { client }: Account): Promise<DomainChanges> {
  const [whois, dns] = await Promise.all([
    listOf(client.whoisChanges.iterate(id)),
    listOf(client.dnsChanges.iterate(id)),
  ]);

  return { whois, dns };
}
