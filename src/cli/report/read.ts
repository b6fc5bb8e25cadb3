/** Reads what a report is about: the facts of each domain, and what failed. */
import type { Domain } from "../../client/types";
import { readChanges } from "../../functions/require-reviewed-changes";
import type { ChangeKind, DescribedChange } from "../../rules/reviewed-changes";
import type { Account } from "../account";
import { type Failure, failureOf, type Outcome, outcomeOf } from "../calls";
import { type DomainChannels, listChannels } from "../channels/list";
import { forEachDomain, type Selection } from "../selection";

/** The changes of one kind. */
export interface ChangeFacts {
  /** Those that are known, newest first; undefined if the list could not be read at all. */
  changes: readonly DescribedChange[] | undefined;

  /** Ids of all changes in the list, also of older ones. */
  ids: readonly string[];
  failure: Failure | undefined;
}

/** The facts of a domain, or the reason why they are missing. */
export interface DomainFacts {
  /** Id of the domain; the name as given, where it could not be looked up. */
  id: string;
  domain: Outcome<Domain>;

  /** Without the kinds that were not read. */
  changes: { [Kind in ChangeKind]?: ChangeFacts };

  /** Undefined if they were not read. */
  channels?: DomainChannels;
}

export interface Reading {
  /** Kinds of changes to read. */
  kinds: readonly ChangeKind[];

  /** Changes since then. */
  since: Date;

  /** Whether to read the channels. */
  channels: boolean;
}

/** Reads every domain of a selection once. @throws Error as `forEachDomain` */
export function readFacts(
  selection: Selection,
  baseUrl: string | undefined,
  reading: Reading,
): Promise<DomainFacts[]> {
  return forEachDomain(selection, baseUrl, async (id, domain, account): Promise<DomainFacts> => {
    if (domain.failure) return { id, domain, changes: {} };

    const channels = reading.channels ? listChannels(id, domain, account) : undefined;
    const changes = await changesOf(id, account, reading);

    return {
      id,
      domain,
      changes,
      channels: await channels,
    };
  });
}

async function changesOf(
  id: string,
  { client }: Account,
  { kinds, since }: Reading,
): Promise<DomainFacts["changes"]> {
  const read = kinds.map(async (kind) => {
    const { value, failure } = await outcomeOf(readChanges(client, id, kind, since));
    const facts: ChangeFacts = {
      changes: value?.records,
      ids: value?.ids ?? [],
      failure: value?.error ? failureOf(value.error) : failure,
    };

    return [kind, facts] as const;
  });

  return Object.fromEntries(await Promise.all(read));
}
