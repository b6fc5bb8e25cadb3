/** A channel as it is created from a request, and as it is changed in the service's settings. */
import type { CreateNotificationChannel } from "../../../client/types";
import { isUuid } from "../../../common/uuid";
import type { ChannelSeed, ChannelUpdate, EmulatedChannel } from "../types";
import type { Sources } from "./domains";
import { channelUpdate } from "./schemas";
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

/**
 * A channel made by hand.
 *
 * @throws RangeError where its id is not a UUID: the service has other addresses in the place of an id
 */
export function toSeededChannel(domainId: string, seed: ChannelSeed, sources: Sources): EmulatedChannel {
  const channel = toChannel(domainId, { label: "Made by hand", type: "email", value: null }, sources);
  const { id = channel.id, createdAt = channel.createdAt } = seed;
  if (!isUuid(id)) throw new RangeError(`a channel's id must be a UUID, which ${id} is not`);
  return { ...toUpdatedChannel(channel, seed), id, createdAt };
}

/** The channel after a change. Other fields than those of a change are ignored. */
export function toUpdatedChannel(channel: EmulatedChannel, update: ChannelUpdate): EmulatedChannel {
  const { type = channel.type } = update;
  const typeHuman = type === channel.type ? channel.typeHuman : (TYPE_NAMES.get(type) ?? type);
  const given = Object.entries(update).filter(
    ([name, value]) => name in channelUpdate.shape && value !== undefined,
  );
  return { ...channel, typeHuman, ...Object.fromEntries(given) };
}
