/** What becomes of a submitted channel, and of one that somebody changes by hand. */
import type { CreateNotificationChannel } from "../../client/types";
import type { Sources } from "./seeds";
import { sqlTimestamp } from "./times";
import type { ChannelDetails, ChannelUpdate, EmulatedChannel } from "./types";

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
  details: ChannelDetails,
  { clock, ids }: Sources,
): EmulatedChannel {
  return {
    id: ids.uuid("channel"),
    domainId,
    label: submitted.label,
    type: submitted.type,
    typeHuman: details.typeHuman ?? TYPE_NAMES.get(submitted.type) ?? submitted.type,
    value: submitted.value,
    secondaryValue: submitted.secondaryValue ?? null,
    whoisNotificationsEnabled: submitted.whoisNotificationsEnabled ?? true,
    dnsNotificationsEnabled: submitted.dnsNotificationsEnabled ?? true,
    sslNotificationsEnabled: submitted.sslNotificationsEnabled ?? true,
    isProtected: details.isProtected ?? false,
    isDisabled: details.isDisabled ?? false,
    disabledReason: details.disabledReason ?? null,
    lastNotificationSentAt: details.lastNotificationSentAt ?? null,
    createdAt: sqlTimestamp(clock.now()),
  };
}

/** The channel after a change. Field by field, so that nothing else can be changed, and undefined changes nothing. */
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
