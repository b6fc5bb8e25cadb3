/** Reads what a report says of a domain. What could not be read is marked with the reason. */
import type { Domain } from "../../client/types";
import { readChanges } from "../../functions/require-reviewed-changes";
import type { ChangeKind, DescribedChange } from "../../rules/reviewed-changes";
import type { Account } from "../account";
import { type Outcome, outcomeOf } from "../calls";

/** What is known of a domain, or why it is not. */
export interface DomainReading {
  /** Id of the domain; the name as given, where it could not be looked up. */
  id: string;
  domain: Outcome<Domain>;
  /** Newest first; without the kinds that were not read. */
  changes: { [Kind in ChangeKind]?: Outcome<DescribedChange[]> };
}

/** Reads the changes of a domain since a date. */
export async function readDomain(
  id: string,
  domain: Outcome<Domain>,
  { client }: Account,
  kinds: readonly ChangeKind[],
  since: Date,
): Promise<DomainReading> {
  if (domain.failure) return { id, domain, changes: {} };
  const lists = kinds.map(
    async (kind) => [kind, await outcomeOf(readChanges(client, id, kind, since))] as const,
  );
  return { id, domain, changes: Object.fromEntries(await Promise.all(lists)) };
}
