/** `getNotificationChannels`: the notification channels of a domain. */
import type { NotificationChannelData } from "../client/types";
import { byAge } from "../common/order";
import { defineFunction, ID } from "./function";

/**
 * Arguments of {@link getNotificationChannels}.
 *
 * @experimental the service does not document it: see "Managed channels" at the package's homepage
 */
export interface GetNotificationChannelsArgs {
  /** Identifier of the domain. */
  domainId: string;
}

/**
 * A notification channel as the service returns it, without its destination (interface.md, section
 * 2.4).
 *
 * @experimental the service does not document it: see "Managed channels" at the package's homepage
 */
export interface NotificationChannelResult
  extends Omit<
    NotificationChannelData,
    "typeHuman" | "lastNotificationSentAtHuman" | "createdAtHuman"
  > {
  /** Why it is switched off, in the service's words; null if it is on. */
  disabledReason: string | null;
}

/**
 * The notification channels of a domain.
 *
 * @experimental the service does not document it: see "Managed channels" at the package's homepage
 */
export interface GetNotificationChannelsResult {
  /** The requested identifier. */
  domainId: string;

  /** Number of channels that the domain has. */
  total: number;

  /** Oldest first by `createdAt` and `id`. */
  channels: NotificationChannelResult[];
}

/** Every channel of a domain. */
export const getNotificationChannels = defineFunction<
  GetNotificationChannelsArgs,
  GetNotificationChannelsResult
>("getNotificationChannels", { domainId: ID }, async ({ domainId }, { client }) => {
  const channels: NotificationChannelResult[] = [];

  for await (const channel of client.notificationChannels.iterate(domainId))
    channels.push(toResult(channel));

  channels.sort(byAge);

  return {
    domainId,
    total: channels.length,
    channels,
  };
});

function toResult({
  typeHuman: _type,
  lastNotificationSentAtHuman: _sent,
  createdAtHuman: _created,
  ...channel
}: NotificationChannelData): NotificationChannelResult {
  return channel;
}
