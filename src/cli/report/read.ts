/** Reads what a report is about: the facts of each domain, and what failed. */
import type { Domain } from "../../client/types";
import { type ChangesReading, readChanges } from "../../functions/require-reviewed-changes";
import type { ChangeKind } from "../../rules/fields";
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
