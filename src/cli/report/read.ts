/** Reads what a report is about: the facts of each domain, and what failed. */
import type { DomainMonitoringClient } from "../../client/client";
import { type Reading, readAll } from "../../client/pages";
import type { DnsChange, Domain, WhoisChange } from "../../client/types";
import { newestChanges } from "../../functions/changes";
import type { ChangeKind } from "../../rules/fields";
import { describeChange, type KnownChange } from "../../rules/reviewed-changes";
import type { Account } from "../account";
import { type Failure, type Listed, listOf, MISSING, type Outcome } from "../calls";
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

  /** Without the kinds that were not read. */
  changes: { [Kind in ChangeKind]?: Listed<ChangesReading> };

  /** Undefined if they were not read. */
  channels?: DomainChannels;
}

/** Reads every domain once. @throws Error as `forEachDomain` */
export async function read(asked: Asked): Promise<Read> {
  const { selection, baseUrl, comparesChannels } = asked;
  const domains = await forEachDomain(
    selection,
    baseUrl,
    async (id, domain, account): Promise<DomainFacts> => {
      if (domain.failure) return { id, domain, changes: {} };

      const channels = comparesChannels ? listChannels(id, domain, account) : undefined;
      const changes = await changesOf(id, domain.value, account, asked);

      return { id, domain, changes, channels: await channels };
    },
  );

  const isKnown = (failure: Failure | undefined) => !failure || failure.kind === MISSING;

  return {
    domains,
    isWhole: selection.all && domains.every(({ domain }) => isKnown(domain.failure)),
  };
}

async function changesOf(
  id: string,
  { domain }: Domain,
  { client }: Account,
  { kinds, from, bound }: Asked,
): Promise<DomainFacts["changes"]> {
  const judged = bound.of(domain).changes?.kinds ?? kinds;
  const asked = kinds.filter((kind) => judged.includes(kind));
  const lists = asked.map(
    async (kind) => [kind, await listOf(readChanges(client, id, kind, from))] as const,
  );

  return Object.fromEntries(await Promise.all(lists));
}

/** The changes of one kind since a date, newest first. */
export interface ChangesReading extends Reading<KnownChange> {
  /** Every id and field of the whole list, including older changes. */
  all: readonly Pick<KnownChange, "id" | "fieldChanged">[];
}

async function readChanges(
  client: DomainMonitoringClient,
  domainId: string,
  kind: ChangeKind,
  since: Date,
): Promise<ChangesReading> {
  const list = kind === "whois" ? client.whoisChanges : client.dnsChanges;
  const { records, error } = await readAll<WhoisChange | DnsChange>(list.iterate(domainId));
  const described = newestChanges(records, since).map((change) => describeChange(kind, change));

  return {
    records: described.filter((change) => change !== undefined),
    error,
    all: records.map(({ id, fieldChanged }) => ({ id, fieldChanged })),
  };
}
