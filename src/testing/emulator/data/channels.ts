/** A channel as it is created from a request, and as it is changed in the service's settings. */
import type { CreateNotificationChannel } from "../../../client/types";
import type { ChannelUpdate, EmulatedChannel } from "../types";
import type { Sources } from "./domains";
import { sqlTimestamp } from "./time";

const TYPE_NAMES = new Map([
  ["email", "Email"],
  ["discord", "Discord"],
  ["slack", "Slack"],
  ["ms_teams", "Microsoft Teams"],
  ["pushover", "Pushover"],
  ["webhook", "Webhook"],
]);

/** A new channel. Flags that are null or left out are true (interface.md, section 4.4). */
export function toChannel(
  domainId: string,
  submitted: CreateNotificationChannel,
  { clock, ids }: Sources,
): EmulatedChannel {
  return {
    id: ids.uuid("channel"),
    domainId,
    label: submitted.label,
    type: submitted.type,
    typeHuman: TYPE_NAMES.get(submitted.type) ?? submitted.type,
    value: submitted.value,
    secondaryValue: submitted.secondaryValue ?? null,
    whoisNotificationsEnabled: submitted.whoisNotificationsEnabled ?? true,
    dnsNotificationsEnabled: submitted.dnsNotificationsEnabled ?? true,
    sslNotificationsEnabled: submitted.sslNotificationsEnabled ?? true,
    isProtected: false,
    isDisabled: false,
    disabledReason: null,
    lastNotificationSentAt: null,
    createdAt: sqlTimestamp(clock.now()),
  };
}

/** The channel after a change. Fields are named one by one, so that no others can be changed. */
export function toUpdatedChannel(channel: EmulatedChannel, update: ChannelUpdate): EmulatedChannel {
  const { disabledReason, lastNotificationSentAt } = update;
  return {
    ...channel,
    label: update.label ?? channel.label,
    typeHuman: update.typeHuman ?? channel.typeHuman,
    whoisNotificationsEnabled: update.whoisNotificationsEnabled ?? channel.whoisNotificationsEnabled,
    dnsNotificationsEnabled: update.dnsNotificationsEnabled ?? channel.dnsNotificationsEnabled,
    sslNotificationsEnabled: update.sslNotificationsEnabled ?? channel.sslNotificationsEnabled,
    isProtected: update.isProtected ?? channel.isProtected,
    isDisabled: update.isDisabled ?? channel.isDisabled,
    disabledReason: disabledReason === undefined ? channel.disabledReason : disabledReason,
    lastNotificationSentAt:
      lastNotificationSentAt === undefined ? channel.lastNotificationSentAt : lastNotificationSentAt,
  };
}
