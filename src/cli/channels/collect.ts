/** Reads the channels of a domain from the service. What could not be listed is marked as missing. */
import { mayLackOperation } from "../../client/errors";
import type { NotificationChannelData } from "../../client/types";
import { withoutDestinations } from "../../common/redact";
import { byAge } from "../../functions/get-notification-channels";
import type { Account } from "../account";
import { type Failure, outcomeOf } from "../calls";
import { readTarget, type Target } from "../selection";
import type { DomainChannels, ListedChannel } from "./model";

/**
 * Lists the channels of one domain.
 * @param recorded ids of the channels that the stack has recorded, in lower case; undefined without a stack
 */
export async function listChannels(
  target: Target,
  account: Account,
  recorded?: ReadonlySet<string>,
): Promise<DomainChannels> {
  const { id } = target;
  const found = await readTarget(target, account);
  if (found.failure) return { id, domain: null, channels: null, failure: found.failure };
  const { domain } = found.value;
  const { value, failure } = await outcomeOf(channelsOf(account.client, id));
  if (failure) return { id, domain, channels: null, failure: explained(failure) };
  return { id, domain, channels: value.sort(byAge).map((one) => listed(one, recorded)), failure: null };
}

async function channelsOf(
  { notificationChannels }: Account["client"],
  domainId: string,
): Promise<NotificationChannelData[]> {
  const found: NotificationChannelData[] = [];
  for await (const channel of notificationChannels.iterate(domainId)) found.push(channel);
  return found;
}

/** The domain was found just before, so its id and the base address are right. */
function explained(failure: Failure): Failure {
  if (failure.status === null || !mayLackOperation(failure.status)) return failure;
  return {
    ...failure,
    message:
      `the list of its channels answered ${failure.status}, although the domain was found: either the service lacks this ` +
      "operation, which the interface does not show, or the API token lacks the scope for it. Use a token with that " +
      "scope, or look the channels up in the service's own settings",
  };
}

/**
 * Without texts that change by themselves, without a destination that the service quotes in its reason, and always with the same
 * fields in the same order.
 */
function listed(
  { lastNotificationSentAtHuman: _sent, createdAtHuman: _created, ...channel }: NotificationChannelData,
  recorded: ReadonlySet<string> | undefined,
): ListedChannel {
  const disabledReason = channel.disabledReason === null ? null : withoutDestinations(channel.disabledReason);
  return { ...channel, disabledReason, recorded: recorded ? recorded.has(channel.id.toLowerCase()) : null };
}
