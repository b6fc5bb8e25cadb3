/**
 * Reading and deleting a managed channel. Changing it is in `update.ts`, its adoption in
 * `adoption.ts`.
 *
 * Three rules hold everywhere. Nothing here creates a channel. A 404 counts as gone only if a list
 * proves it: the domain's, or the account's if the domain is gone. A write whose response was lost
 * leaves a mark in the outputs (`unconfirmed`), so that the next update repeats it even if the
 * program was reverted meanwhile: a destination cannot be read back.
 */

import { DomainMonitoringError, mayLackOperation } from "../../client/errors";
import type { UpdateNotificationChannel } from "../../client/requests";
import type { NotificationChannelData } from "../../client/types";
import { sanitizeText, sentences } from "../../common/text";
import { FLAGS, LIFECYCLE_KEY } from "../../names";
import type { Absence, Account } from "../account";
import { hasUnknown, type Properties } from "../boundary";
import { type ChannelContext, channelHandOver, declaresAdoption, isAdopted } from "../create";
import {
  type Advice,
  deleteExisting,
  type Existing,
  GONE,
  readExisting,
  refuseElsewhere,
} from "../existing";

import {
  declaredOutputs,
  differing,
  facts,
  normalise,
  otherThanDeclared,
  recordedInputs,
  reported,
  title,
  toChannel,
} from "../record";
import { channelListOf } from "./channel-list";

export type ManagedContext = ChannelContext & { account: Account };

export type UpdatableInput = Exclude<keyof UpdateNotificationChannel, "type">;

export const UPDATABLE: readonly UpdatableInput[] = ["label", "value", "secondaryValue", ...FLAGS];

export const SET_CREATE_ONLY: Advice = (status) =>
  mayLackOperation(status)
    ? `lifecycle "managed" (an input, an argument of Provider or stack config ${LIFECYCLE_KEY}) needs a service that lists, ` +
      'reads, changes and deletes channels: set it to "create-only" if this one does not'
    : undefined;

/** Advice about a channel that is imported, or only referred to. */
const BY_ID_ALONE: Advice = (status) =>
  mayLackOperation(status)
    ? "A service may lack the operations that read channels: refer to it by the channel's id alone"
    : undefined;

/** Warning about an adopted channel whose resource is removed or replaced. */
export function staysAdopted(
  line: string,
  id: string,
  record: Properties,
  { connection, urn }: ChannelContext,
): string {
  const handOver = declaresAdoption(record)
    ? "remove adopt and run `pulumi up`"
    : channelHandOver(record.domainId, id, { urn });

  return sentences([
    `${line}, and stays in the service because it is adopted`,
    ...connection.explained(
      "What is adopted keeps sending notifications",
      `To have it deleted with its resource, first ${handOver}`,
    ),
  ]);
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
  const cleared = (["value", "secondaryValue"] as const).filter(
    (name) =>
      (news[name] ?? null) === null && (sent.includes(name) || unconfirmed(olds).includes(name)),
  );

  const isToAdopt = typeof news.adopt === "string" && !hasUnknown(news.adopt);
  const isOther = isToAdopt && news.adopt !== id;

  return [...moved, ...cleared, ...(isOther ? ["adopt"] : [])];
}

export function existing(
  id: string,
  props: Properties,
  context: ManagedContext,
  isRecorded = true,
): Existing {
  return {
    ...context,
    id,
    title: title(props, id),
    listOf: "domain",
    absence: () => absenceOf(id, props, context),
    isRecorded,
    missing: "the service has no such channel: check its id and its domainId",
    advice: [isRecorded ? SET_CREATE_ONLY : BY_ID_ALONE],
  };
}

/**
 * Whether a channel is gone by the list of its domain; or, if the domain itself is gone, by the
 * account's.
 */
async function absenceOf(
  id: string,
  props: Properties,
  { connection, account }: ManagedContext,
): Promise<Absence> {
  if (account.isElsewhere(props)) return "elsewhere";
  try {
    return (await channelListOf(props, connection).lacks(id)) ? "gone" : "listed";
  } catch (error) {
    const isDomainMissing = error instanceof DomainMonitoringError && error.status === 404;
    const absence =
      isDomainMissing && (await account.absenceOf(props.domainId, props).catch(() => undefined));

    // A domain that the account lists, or an account that cannot be listed, leaves the first error
    // as it is.
    if (absence === "gone" || absence === "unproven") return absence;

    throw error;
  }
}

export async function read(id: string, props: Properties, context: ManagedContext) {
  const { connection, account, call, redact, warn } = context;

  account.noteRecorded(props.domainId, props);
  const isRecorded = props.channelId !== undefined;
  const channel = existing(id, props, context, isRecorded);
  const found = await readExisting(
    () => connection.client.notificationChannels.get(String(props.domainId), id, call),
    channel,
  );

  if (!found) return GONE;

  const known = facts(found);

  mentionState(known, props, context);
  const { reportedType: _earlier, ...recorded } = props;
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

  if (account.isWitnessed(props))
    Object.assign(outs, await account.evidence(props.domainId, props));

  return {
    id,
    props: outs,
    inputs: recordedInputs(outs),
  };
}

export async function remove(
  id: string,
  props: Properties,
  context: ManagedContext,
): Promise<void> {
  const { connection, account, call, warn } = context;

  account.noteRecorded(props.domainId, props);
  if (isAdopted(props))
    return warn(staysAdopted(`${title(props, id)} is removed from this stack`, id, props, context));

  const channel = existing(id, props, context);
  refuseElsewhere(`${channel.title} is not deleted`, props, context);
  await channelListOf(props, connection).settled();
  const { notificationChannels } = connection.client;

  await deleteExisting(
    () => notificationChannels.delete(String(props.domainId), id, call),
    channel,
  );
}

/** Outputs after the service has confirmed them. */
export function confirmed(
  inputs: Properties,
  channel: NotificationChannelData,
  context: ManagedContext,
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
  { warn }: ManagedContext,
): void {
  const named = title(inputs, channelId);
  if (isDisabled)
    warn(`${named} has been disabled by the service: ${disabledReason ?? "no reason given"}`);

  if (isProtected)
    warn(`${named} is protected by the service, which may refuse to change or delete it`);
}
