/**
 * The channels of domains, as `--format json` prints them. What could not be listed is marked as
 * missing.
 */
import { type DomainMonitoringError, FOREIGN, mayLackOperation } from "../../client/errors";
import { readAll } from "../../client/pages";
import type { Domain, NotificationChannelData } from "../../client/types";
import { byAge } from "../../common/order";
import type { Account } from "../account";
import { type Failure, listOf, type Outcome } from "../calls";

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
  let first: Promise<Listing> | undefined;

  return async (id: string, found: Outcome<Domain>, account: Account): Promise<DomainChannels> => {
    const ask = () => askForChannels(id, found, account, recorded);
    if (found.failure) return (await ask()).listed;

    const isFirst = first === undefined;
    first ??= ask();
    const { listed, refused } = await first;
    if (refused !== undefined) throw new Error(refused);

    return isFirst ? listed : (await ask()).listed;
  };
}

/** Lists the channels of one domain. */
export async function listChannels(
  id: string,
  found: Outcome<Domain>,
  account: Account,
): Promise<DomainChannels> {
  return (await askForChannels(id, found, account)).listed;
}

/** The channels of one domain. */
interface Listing {
  listed: DomainChannels;

  /** Message, if it is likely that no list of this service can be read. */
  refused?: string;
}

async function askForChannels(
  id: string,
  found: Outcome<Domain>,
  account: Account,
  recorded?: ReadonlySet<string>,
): Promise<Listing> {
  if (found.failure)
    return { listed: { id, domain: null, channels: null, failure: found.failure } };

  const { domain } = found.value;
  const { notificationChannels } = account.client;
  const { value, failure = null, error } = await listOf(readAll(notificationChannels.iterate(id)));
  const channels = value?.records.toSorted(byAge).map((one) => shown(one, recorded)) ?? null;
  if (!failure || !error || !isRefusal(error)) return { listed: { id, domain, channels, failure } };

  // The domain was found just before, so its id and the base address are right.
  const refused =
    `the list of its channels failed with ${error.status}, although the domain was found: either the service lacks this ` +
    "operation, or the API token lacks the scope for it. Use a token with that scope, or look the channels up in the service's own settings";

  return {
    listed: { id, domain, channels, failure: { ...failure, message: refused } },
    refused,
  };
}

function isRefusal(error: DomainMonitoringError): boolean {
  const { status } = error;
  return status !== undefined && mayLackOperation(status) && !FOREIGN.has(error);
}

/** Always the same fields, without texts that change by themselves. */
function shown(
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
export function reasonOf({ disabledReason }: ListedChannel): string {
  return disabledReason || "no reason given";
}

/** A channel as messages name it. */
export function described({ id, label, type }: ListedChannel): string {
  return `"${label}" (${type}, ${id})`;
}
