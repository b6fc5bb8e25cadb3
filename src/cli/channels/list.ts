/**
 * The channels of domains, as `--format json` prints them. What could not be listed is marked as
 * missing.
 */
import { mayLackOperation } from "../../client/errors";
import type { Domain, NotificationChannelData } from "../../client/types";
import { byAge, groupBy } from "../../common/order";
import type { Account } from "../account";
import { type Failure, listOf, type Outcome } from "../calls";
import { firstOf, nameOf } from "../text";

/**
 * Output of `--format json`. Within `version` 1, fields may be added but not renamed or removed.
 */
export interface ChannelList {
  /** Version of this format. */
  version: 1;

  /** In the order given; with `--all`, by name. */
  domains: DomainChannels[];

  /** One line for each skipped channel of a stack, with the reason. */
  notes: string[];
}

/** The channels of one domain. */
export interface DomainChannels {
  /** Id of the domain; the name as given, where it could not be looked up. */
  id: string;

  /** Domain name; null if it could not be determined. */
  domain: string | null;

  /** Oldest first; null if they could not be listed. */
  channels: ListedChannel[] | null;

  /** Reason why they could not be listed, or not all of them; null if all could. */
  failure: Failure | null;
}

/**
 * One channel without texts that change by themselves. No response of the service has its
 * destination.
 */
export interface ListedChannel
  extends Omit<NotificationChannelData, "createdAtHuman" | "lastNotificationSentAtHuman"> {
  /** Whether a stack has recorded it; null without `--from-stack`. */
  recorded: boolean | null;
}

/**
 * Lists the channels of one domain after the other. The first list is asked for alone: a service
 * without the operation is asked once.
 * @param recorded ids of the channels that stacks have recorded; undefined without a stack
 * @returns a function that throws an Error with one line if the first list is refused
 */
export function channelLister(recorded?: ReadonlySet<string>) {
  let first: Promise<DomainChannels> | undefined;

  return async (id: string, found: Outcome<Domain>, account: Account): Promise<DomainChannels> => {
    const list = () => listChannels(id, found, account, recorded);
    if (!found.value) return list();

    const isFirst = first === undefined;
    first ??= list();
    const { failure } = await first;
    if (failure && isRefusal(failure))
      throw new Error(
        `the list of channels is refused, although the domain was found: ${failure.message}`,
      );

    return isFirst ? first : list();
  };
}

/** Whether it is likely that no list of this service can be read. */
function isRefusal({ status }: Failure): boolean {
  return status !== null && mayLackOperation(status);
}

/** Lists the channels of one domain. */
export async function listChannels(
  id: string,
  found: Outcome<Domain>,
  { client }: Account,
  recorded?: ReadonlySet<string>,
): Promise<DomainChannels> {
  if (!found.value) return { id, domain: null, channels: null, failure: found.failure };

  const { domain } = found.value;
  const { value, failure = null } = await listOf(client.notificationChannels.iterate(id));
  const channels = value?.toSorted(byAge).map((channel) => asListed(channel, recorded)) ?? null;

  return { id, domain, channels, failure };
}

/** Always the same fields, without texts that change by themselves. */
function asListed(
  {
    lastNotificationSentAtHuman: _sent,
    createdAtHuman: _created,
    ...channel
  }: NotificationChannelData,
  recorded: ReadonlySet<string> | undefined,
): ListedChannel {
  return { ...channel, recorded: recorded ? recorded.has(channel.id) : null };
}

/** Why the service has disabled a channel. */
export function whyDisabled({ disabledReason }: ListedChannel): string {
  return disabledReason || "no reason given";
}

/** A channel as messages name it. */
export function described({ id, label, type }: ListedChannel): string {
  return `"${label}" (${type}, ${id})`;
}

/** One line for each cause for which channels could not be listed, with the first domains. */
export function failureLines(domains: readonly DomainChannels[]): string[] {
  const failed = domains.filter(({ failure }) => failure);
  const causes = groupBy(failed, ({ id, failure }) => failure?.message.replaceAll(id, ""));

  return [...causes.values()].map(
    (group) => `${firstOf(group.map(nameOf))}: ${group[0].failure?.message}`,
  );
}
