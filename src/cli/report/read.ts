/** Reads what a report says of a domain. What could not be read is marked with the reason. */
import type { Domain } from "../../client/types";
import { readChanges } from "../../functions/require-reviewed-changes";
import type { ChangeKind, DescribedChange } from "../../rules/reviewed-changes";
import type { Account } from "../account";
import { type Outcome, outcomeOf } from "../calls";
import { type DomainChannels, listChannels } from "../channels/list";

/** What is known of a domain, or why it is not. */
export interface DomainReading {
  /** Id of the domain; the name as given, where it could not be looked up. */
  id: string;
  domain: Outcome<Domain>;
  /** Newest first; without the kinds that were not read. */
  changes: { [Kind in ChangeKind]?: Outcome<DescribedChange[]> };
  /** Undefined if they were not read. */
  channels?: DomainChannels;
}

/** What is read of each domain. */
export interface Wanted {
  /** Kinds of changes. */
  kinds: readonly ChangeKind[];
  /** Changes since then, inclusive. */
  since: Date;
  /** Whether channels are read; experimental. */
  channels: boolean;
}

/** Reads what is wanted of a domain. */
export async function readDomain(
  id: string,
  domain: Outcome<Domain>,
  account: Account,
  wanted: Wanted,
): Promise<DomainReading> {
  if (domain.failure) return { id, domain, changes: {} };
  const lists = wanted.kinds.map(async (kind) => {
    const changes = await outcomeOf(readChanges(account.client, id, kind, wanted.since));
    return [kind, changes] as const;
  });
  const channels = wanted.channels ? listChannels(id, domain, account) : undefined;
  return { id, domain, changes: Object.fromEntries(await Promise.all(lists)), channels: await channels };
}
