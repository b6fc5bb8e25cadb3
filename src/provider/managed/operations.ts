/**
 * Reading and deleting a managed channel. Changing it is in `update.ts`, its adoption in
 * `adoption.ts`.
 *
 * Three rules hold everywhere. Nothing here creates a channel. A 404 counts as gone only if the list
 * of the channel's domain proves it. A write whose response was lost leaves a mark in the outputs
 * (`unconfirmed`), so that the next update repeats it even if the program was reverted meanwhile: a
 * destination cannot be read back.
 */

import { CHANNEL, names, type UpdateNotificationChannel } from "../../client/fields";
import type { NotificationChannelData } from "../../client/types";
import { sanitizeText } from "../../common/text";
import { hasUnknown, type Properties } from "../boundary";
import type { ChannelContext } from "../create";
import { failedWith, GONE, maybeSent, staleToken } from "../failures";
import { fateOf, otherThanDeclared, tell, title } from "../messages";
import { declaresAdoption, handOverAdvice, isAdopted } from "../ownership";
import {
  declaredOutputs,
  differing,
  facts,
  normalise,
  recordedInputs,
  reported,
  toChannel,
} from "../record";
import { channelListOf } from "./channel-list";
import {
  type Existing,
  existing,
  isGone,
  lettingGo,
  refuseElsewhere,
  unreadableAdvice,
} from "./existing";

export type UpdatableInput = keyof UpdateNotificationChannel;

/** Inputs that an update can change. */
export const UPDATABLE = names(CHANNEL, ({ isUpdatable }) => isUpdatable);

/** Inputs that no update can clear. */
const NOT_CLEARED_IN_PLACE = names(
  CHANNEL,
  (field) => field.isUpdatable && (field.default ?? null) === null,
);

/** Lines about an adopted channel whose resource is removed or replaced. */
export function staysAdopted(
  id: string,
  record: Properties,
  { redact, urn }: ChannelContext,
): [line: string, ...explanations: string[]] {
  const handOver = declaresAdoption(record)
    ? "remove adopt and run `pulumi up`"
    : handOverAdvice(record.domainId, id, { urn });

  return [
    fateOf(record, id, "stays (adopted)", redact),
    "An adopted channel keeps notifying",
    `To have it deleted with its resource, first ${handOver}`,
  ];
}

/** Inputs whose last update was not confirmed, as recorded in the outputs. */
export function unconfirmed({ unconfirmed: recorded }: Properties): UpdatableInput[] {
  return UPDATABLE.filter((name) => Array.isArray(recorded) && recorded.includes(name));
}

/**
 * Inputs whose change needs another channel: none can move to another domain, and what an update
 * makes of another type, or of null for a destination, is not known.
 * @param sent inputs that have changed, or are unknown
 */
export function replacing(
  id: string,
  olds: Properties,
  news: Properties,
  sent: readonly string[],
): string[] {
  // The program has caught up with the service.
  const isReported = news.type === olds.reportedType;
  const moved = sent.filter((name) => name === "domainId" || (name === "type" && !isReported));
  const cleared = NOT_CLEARED_IN_PLACE.filter(
    (name) =>
      (news[name] ?? null) === null && (sent.includes(name) || unconfirmed(olds).includes(name)),
  );

  const isToAdopt = typeof news.adopt === "string" && !hasUnknown(news.adopt);
  const isOther = isToAdopt && news.adopt !== id;

  return [...moved, ...cleared, ...(isOther ? ["adopt"] : [])];
}

export async function read(id: string, props: Properties, context: ChannelContext) {
  const { connection, redact, warn } = context;
  const channel = existing(id, props, context, props.channelId !== undefined);
  refuseElsewhere(`${channel.title} is not read`, props, context);
  const found = await readExisting(channel);
  if (!found) return GONE;

  const known = facts(found);

  mentionState(known, props, context);
  const { reportedType: _earlier, unread: _complete, ...recorded } = props;
  // It may have been set to the destination, which is no secret in the service.
  const label = found.label === props.label ? found.label : redact(found.label);
  const outs: Properties = {
    ...recorded,
    ...reported(props, { ...found, label }),
    ...known,
  };

  if (outs.reportedType !== undefined) {
    const type = sanitizeText(found.type, redact);
    warn(
      `${channel.title}: the service reports it with the type ${type}. Only a change in the program replaces it`,
    );
  }

  // The address may be the one that the service has moved to. A record without an address gets it by
  // its next update.
  if (props.addressDigest !== undefined) outs.addressDigest = connection.addressDigest;

  return {
    id,
    props: outs,
    inputs: recordedInputs(outs),
  };
}

/** Reads a channel; undefined if it is gone. */
async function readExisting(channel: Existing): Promise<NotificationChannelData | undefined> {
  const { id, props, connection, call, isRecorded } = channel;
  const { notificationChannels } = connection.client;
  try {
    return await notificationChannels.get(String(props.domainId), id, call);
  } catch (error) {
    const problem = `${channel.title} is not read`;
    if (!(await isGone(error, problem, channel)))
      throw failedWith(problem, error, staleToken(connection), unreadableAdvice(channel));

    if (isRecorded) return undefined;

    // The engine would treat an empty id as success.
    throw new Error(`${problem}: the service has no such channel: check its id and its domainId`);
  }
}

/**
 * Deletes a channel. If it cannot be deleted, it stays in the state.
 * @throws Error if the service still has it, or may have it
 */
export async function remove(
  id: string,
  props: Properties,
  context: ChannelContext,
): Promise<void> {
  const { connection, call, warn } = context;
  if (isAdopted(props)) return tell(context, ...staysAdopted(id, props, context));

  const channel = existing(id, props, context);
  const problem = `${channel.title} is not deleted`;
  refuseElsewhere(problem, props, context);
  await channelListOf(props, connection).settled();
  try {
    await connection.client.notificationChannels.delete(String(props.domainId), id, call);
  } catch (error) {
    if (!(await isGone(error, problem, channel)))
      throw failedWith(problem, error, staleToken(connection), lettingGo(channel));

    // After a lost response it was probably this delete.
    if (!maybeSent(error))
      warn(
        `${channel.title} was no longer in the service: it was removed by somebody else, or by an earlier delete whose response was lost`,
      );
  }
}

/** Outputs after the service has confirmed them. */
export function confirmed(
  inputs: Properties,
  channel: NotificationChannelData,
  context: ChannelContext,
) {
  const others = differing(toChannel(normalise(inputs)), channel);

  for (const name of others) context.warn(otherThanDeclared(inputs, channel.id, name));
  const known = facts(channel);

  mentionState(known, inputs, context);
  const { reportedType } = reported(inputs, channel);

  return {
    ...declaredOutputs(inputs),
    ...known,
    reportedType,
  };
}

/** These are not inputs, so the engine shows no difference. */
function mentionState(
  { channelId, isDisabled, disabledReason, isProtected }: ReturnType<typeof facts>,
  inputs: Properties,
  { warn }: ChannelContext,
): void {
  const named = title(inputs, channelId);
  if (isDisabled)
    warn(`${named} has been disabled by the service: ${disabledReason ?? "no reason given"}`);

  if (isProtected)
    warn(`${named} is protected by the service, which may refuse to change or delete it`);
}
