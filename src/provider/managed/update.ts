/**
 * Updates a managed channel in three steps: compute the changed fields from the records, read the
 * channel, send the PATCH.
 */
import { DESTINATION, type UpdateNotificationChannel } from "../../client/fields";
import type { NotificationChannelData } from "../../client/types";
import { FACTS } from "../../names";
import { PartialFailure, type Properties, pick } from "../boundary";
import type { ChannelContext } from "../create";
import { failedWith, maybeSent, unclearUpdate, updated } from "../failures";
import { adoptedAfter, isAdopted } from "../ownership";
import { declaredOutputs, differing, isChanged, isManaged, normalise, toChannel } from "../record";
import { type Existing, existing, isGone, refuseElsewhere, SET_CREATE_ONLY } from "./existing";
import { confirmed, UPDATABLE, type UpdatableInput, unconfirmed } from "./operations";

/** An update that is under way. */
interface Update {
  id: string;
  olds: Properties;
  news: Properties;
  channel: Existing;
  context: ChannelContext;
}

/** Updates a channel in place. */
export async function update(
  id: string,
  olds: Properties,
  news: Properties,
  context: ChannelContext,
) {
  const marks = { ...pick(olds, ["addressDigest"]), ...adoptedAfter(olds, news) };
  const channel = existing(id, { ...news, ...marks }, context);
  const asked: Update = { id, olds, news, channel, context };
  const plan = planUpdate(olds, news);
  if (plan.isToRead || plan.names.length > 0)
    refuseElsewhere(`${channel.title} is not updated`, olds, context);

  const read = plan.isToRead ? await readForUpdate(asked) : undefined;
  const drifted = read ? driftOf(news, read) : [];
  const names = UPDATABLE.filter((name) => plan.names.includes(name) || drifted.includes(name));
  const found = (await sendChanges(asked, names)) ?? read;
  const outs = found ? confirmed(news, found, context) : declaredOutputs(news);

  if (found) marks.addressDigest = context.connection.addressDigest;

  return {
    outs: {
      ...pick(olds, [...FACTS, "reportedType", ...(found ? [] : ["unread"])]),
      ...outs,
      ...marks,
    },
  };
}

/**
 * The inputs to send: what has changed in the program, and what an earlier update did not confirm.
 * Without any, or for a channel that was create-only, the service is read first, and its differences
 * are also sent.
 */
function planUpdate(
  olds: Properties,
  news: Properties,
): { names: readonly UpdatableInput[]; isToRead: boolean } {
  const before = normalise(olds);
  const after = normalise(news);
  const open = unconfirmed(olds);
  const names = UPDATABLE.filter((name) => isChanged(name, before, after) || open.includes(name));
  // Adding or removing adopt needs no request.
  const isOnlyRecorded = isChanged("adopt", before, after);
  const isNothingToSend = names.length === 0 && !isOnlyRecorded;
  const isIncomplete = olds.unread === true;

  return { names, isToRead: isNothingToSend || isIncomplete || !isManaged(olds) };
}

/** Inputs that the service has otherwise. */
function driftOf(news: Properties, found: NotificationChannelData): readonly string[] {
  return differing(toChannel(normalise(news)), found);
}

async function readForUpdate(asked: Update): Promise<NotificationChannelData> {
  const { connection, call } = asked.context;
  const { notificationChannels } = connection.client;
  try {
    return await notificationChannels.get(String(asked.news.domainId), asked.id, call);
  } catch (error) {
    throw await notUpdated(error, asked);
  }
}

/** Sends these inputs, if the update has any. */
async function sendChanges(
  asked: Update,
  names: readonly UpdatableInput[],
): Promise<NotificationChannelData | undefined> {
  const { id, news, channel, context } = asked;
  const changes = toUpdate(news, names);
  if (Object.keys(changes).length === 0) return undefined;

  try {
    return await write(String(news.domainId), id, changes, context);
  } catch (error) {
    if (!maybeSent(error)) throw await notUpdated(error, asked);
    throw unclearUpdate(channel, { ...recordedAsManaged(asked), unconfirmed: names }, names, error);
  }
}

/** The error of an update that has changed nothing. */
async function notUpdated(error: unknown, asked: Update): Promise<Error> {
  const { id, olds, news, channel } = asked;
  const problem = `${channel.title} is not updated`;
  if (!(await isGone(error, problem, channel))) return failedWith(problem, error, SET_CREATE_ONLY);

  const next = isAdopted(news)
    ? "Run `pulumi refresh`, remove adopt, then run `pulumi up`, which creates another one in its place"
    : "Run `pulumi refresh`, then `pulumi up`, which creates it again";

  const message = `${problem}: it is no longer in the service. ${next}`;

  return isManaged(olds)
    ? new Error(message)
    : new PartialFailure(id, recordedAsManaged(asked), message);
}

/** A refresh asks the service only for what is recorded as managed. */
function recordedAsManaged({ olds, news }: Update): Properties {
  return { ...olds, ...pick(news, ["lifecycle"]) };
}

/** Sends an update. */
export async function write(
  domainId: string,
  id: string,
  changes: UpdateNotificationChannel,
  { connection, call }: ChannelContext,
): Promise<NotificationChannelData> {
  const { notificationChannels } = connection.client;
  return updated(
    () => notificationChannels.update(domainId, id, changes, call),
    () => notificationChannels.get(domainId, id, call),
  );
}

/**
 * The body that sets these inputs. Null is not sent: what an update makes of it is not known, so
 * clearing a destination replaces the channel.
 */
export function toUpdate(
  inputs: Properties,
  names: readonly UpdatableInput[],
): UpdateNotificationChannel {
  const channel = toChannel(normalise(inputs));
  const sent = new Set(names);

  // A destination is sent as a whole.
  if (sent.has("value")) sent.add("secondaryValue");
  const known = [...sent].filter((name) => channel[name] !== undefined && channel[name] !== null);
  const changes: UpdateNotificationChannel = pick({ ...channel }, known);
  // Its validity may depend on the type.
  const isDestination = DESTINATION.some((name) => names.includes(name));

  if (isDestination && known.length > 0) changes.type = channel.type;

  return changes;
}
