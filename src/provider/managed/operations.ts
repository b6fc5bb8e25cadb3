/**
 * Reading, changing and deleting a managed channel. Its adoption is in `adoption.ts`.
 *
 * Three rules hold everywhere. Nothing here creates a channel. A 404 counts as gone only if the domain's list says so too.
 * A write whose answer was lost leaves a mark in the outputs (`unconfirmed`), so that the next update repeats it even if the
 * program was reverted meanwhile: a destination cannot be read back.
 */

import { DomainMonitoringError, mayLackOperation } from "../../client/errors";
import type { NotificationChannelData, UpdateNotificationChannel } from "../../client/types";
import { hasUnknown } from "../../common/markers";
import { sanitizeText } from "../../common/redact";
import { FACTS, FLAGS, LIFECYCLE_KEY } from "../../names";
import type { Absence, Account } from "../account";
import { PartialFailure, type Properties, pick } from "../boundary";
import {
  type Advice,
  deleteExisting,
  type Existing,
  failure,
  GONE,
  isDone,
  isGone,
  maybeSent,
  readExisting,
  unclearUpdate,
} from "../existing";
import type { ChannelContext } from "../lifecycle";
import { isAdopted, marksAfter } from "../ownership";
import {
  declaredOutputs,
  differing,
  facts,
  isChanged,
  isManaged,
  normalise,
  otherThanDeclared,
  recordedInputs,
  reported,
  title,
  toChannel,
} from "../record";
import type { Run } from "./run";

export type ManagedContext = ChannelContext & { run: Run; account: Account };

type UpdatableInput = Exclude<keyof UpdateNotificationChannel, "type">;

export const UPDATABLE: readonly UpdatableInput[] = ["label", "value", "secondaryValue", ...FLAGS];

export const SET_CREATE_ONLY: Advice = (status) =>
  mayLackOperation(status)
    ? `lifecycle "managed" (an input, an argument of Provider or stack config ${LIFECYCLE_KEY}) needs a service that lists, ` +
      'reads, changes and deletes channels: set it to "create-only" if this one does not'
    : undefined;

/** Of a channel that is imported, or only referred to. */
const BY_ID_ALONE: Advice = (status) =>
  mayLackOperation(status)
    ? "A service may lack the operations that read channels: refer to it or import it by the channel's id alone"
    : undefined;

export const STAYS_ADOPTED =
  "it was taken over with adopt, so it stays in the service and keeps sending notifications. To hand a channel over, so that it is deleted " +
  "with its resource, remove adopt and run `pulumi up` first";

/** Inputs whose last update was not confirmed, as recorded in the outputs. */
export function unconfirmed({ unconfirmed: recorded }: Properties): UpdatableInput[] {
  return UPDATABLE.filter((name) => Array.isArray(recorded) && recorded.includes(name));
}

/**
 * Inputs whose change needs another channel: none can move to another domain, and what an update makes of another type, or of
 * null for a destination, is not known.
 * @param sent inputs that have changed, or are unknown
 */
export function replacing(id: string, olds: Properties, news: Properties, sent: readonly string[]): string[] {
  // The program has caught up with the service.
  const isReported = news.type === olds.reportedType;
  const moved = sent.filter((name) => name === "domainId" || (name === "type" && !isReported));
  const cleared = (["value", "secondaryValue"] as const).filter(
    (name) => (news[name] ?? null) === null && (sent.includes(name) || unconfirmed(olds).includes(name)),
  );
  const isToAdopt = typeof news.adopt === "string" && !hasUnknown(news.adopt);
  const isOther = isToAdopt && !isSameId(news.adopt, id);
  return [...moved, ...cleared, ...(isOther ? ["adopt"] : [])];
}

/** Whether two ids are of one channel: the service reports them in lower case, regardless of the case in the program. */
export function isSameId(one: unknown, other: string): boolean {
  return typeof one === "string" && one.toLowerCase() === other.toLowerCase();
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

/** Whether a channel is gone by the list of its domain; or, if the domain itself is gone, by the account's. */
async function absenceOf(
  id: string,
  props: Properties,
  { run, account, call }: ManagedContext,
): Promise<Absence> {
  if (account.isElsewhere(props)) return "elsewhere";
  try {
    return (await run.list(props).lacks(id, call)) ? "gone" : "listed";
  } catch (error) {
    const isDomainMissing = error instanceof DomainMonitoringError && error.status === 404;
    const absence =
      isDomainMissing && (await account.absenceOf(props.domainId, props).catch(() => undefined));
    // A domain that the account lists, or an account that cannot be listed, leaves the first error as it is.
    if (absence === "gone" || absence === "unproven") return absence;
    throw error;
  }
}

export async function read(id: string, props: Properties, context: ManagedContext) {
  const { connection, account, call, redact, warn } = context;
  account.noteRecorded(props.domainId);
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
  const outs: Properties = { ...recorded, ...reported(props, { ...found, label }), ...known };
  if (outs.reportedType !== undefined) {
    const type = sanitizeText(found.type, redact);
    warn(
      `${channel.title}: the service reports it with the type ${type}. Only a change in the program replaces it`,
    );
  }
  if (isRecorded) Object.assign(outs, await account.evidence(props.domainId, props, call));
  return { id, props: outs, inputs: recordedInputs(outs) };
}

/**
 * Updates a channel in place. Only what changed in the program is sent. If there is nothing to send, and when a channel comes
 * from create-only, the service is read instead, and what differs there is sent.
 */
export async function update(id: string, olds: Properties, news: Properties, context: ManagedContext) {
  const { connection, account, call } = context;
  const { notificationChannels } = connection.client;
  const domainId = String(news.domainId);
  account.noteRecorded(olds.domainId);
  const marks = marksAfter(olds, news);
  const channel = existing(id, { ...news, ...marks }, context);
  const [before, after] = [normalise(olds), normalise(news)];
  let names = UPDATABLE.filter((name) => isChanged(name, before, after) || unconfirmed(olds).includes(name));
  let changes: UpdateNotificationChannel | undefined;
  let found: NotificationChannelData | undefined;
  // That adopt has been added or removed is only recorded.
  const isToRead = names.length === 0 && !isChanged("adopt", before, after);
  try {
    if (!isManaged(olds) || isToRead || olds.createdAt === "") {
      found = await notificationChannels.get(domainId, id, call);
      const drifted: readonly string[] = differing(toChannel(after), found);
      names = UPDATABLE.filter((name) => names.includes(name) || drifted.includes(name));
    }
    changes = toUpdate(news, names);
    if (Object.keys(changes).length > 0) found = await write(domainId, id, changes, context);
  } catch (error) {
    // As managed: a refresh asks the service only for what is recorded so.
    const moved = { ...olds, ...pick(news, ["lifecycle"]) };
    if (changes && maybeSent(error))
      throw unclearUpdate(channel, { ...moved, unconfirmed: names }, names, error);
    const problem = `${channel.title} is not updated`;
    if (!(await isGone(error, problem, channel))) throw failure(problem, error, SET_CREATE_ONLY);
    const next = isAdopted(news)
      ? "Run `pulumi refresh`, remove adopt, then run `pulumi up`, which creates another one in its place"
      : "Run `pulumi refresh`, then `pulumi up`, which creates it again";
    const message = `${problem}: it is no longer in the service. ${next}`;
    throw isManaged(olds) ? new Error(message) : new PartialFailure(id, moved, message);
  }
  const outs = found ? confirmed(news, found, context) : declaredOutputs(news);
  if (found) Object.assign(marks, await account.evidence(domainId, marks, call));
  return { outs: { ...pick(olds, [...FACTS, "reportedType"]), ...outs, ...marks } };
}

/** Sends an update. If it succeeded but its answer is unusable, one more request reads the channel. */
export async function write(
  domainId: string,
  id: string,
  changes: UpdateNotificationChannel,
  { connection, call }: ManagedContext,
): Promise<NotificationChannelData> {
  const { notificationChannels } = connection.client;
  try {
    return await notificationChannels.update(domainId, id, changes, call);
  } catch (error) {
    const written =
      isDone(error) && (await notificationChannels.get(domainId, id, call).catch(() => undefined));
    if (written) return written;
    throw error;
  }
}

/**
 * The body that sets these inputs. A destination is sent with its type, on which its validity may depend, and as a whole. Null
 * is not sent: what an update makes of it is not known, so clearing a destination replaces the channel.
 */
export function toUpdate(inputs: Properties, names: readonly UpdatableInput[]): UpdateNotificationChannel {
  const { type, ...channel } = toChannel(normalise(inputs));
  const destination = names.includes("value") || names.includes("secondaryValue");
  const sent: readonly string[] = names.includes("value") ? [...names, "secondaryValue"] : names;
  const fields = Object.entries(channel).filter(
    ([name, value]) => sent.includes(name) && value !== undefined && value !== null,
  );
  return { ...Object.fromEntries(fields), ...(destination && fields.length > 0 && { type }) };
}

/** Deletes a channel, regardless of `onOrphan`. */
export async function remove(id: string, props: Properties, context: ManagedContext): Promise<void> {
  const { connection, run, account, call, warn } = context;
  account.noteRecorded(props.domainId);
  if (isAdopted(props)) {
    run.adopted.add(id);
    return warn(`${title(props, id)} is removed from this stack: ${STAYS_ADOPTED}`);
  }
  await run.list(props).settled();
  const { notificationChannels } = connection.client;
  const send = (signal: AbortSignal) =>
    notificationChannels.delete(String(props.domainId), id, { ...call, signal });
  await deleteExisting(send, run.adopted, existing(id, props, context));
}

/** Outputs after the service has confirmed them. */
export function confirmed(inputs: Properties, channel: NotificationChannelData, context: ManagedContext) {
  const others = differing(toChannel(normalise(inputs)), channel);
  for (const name of others) context.warn(otherThanDeclared(inputs, channel.id, name));
  const known = facts(channel);
  mentionState(known, inputs, context);
  const { reportedType } = reported(inputs, channel);
  return { ...declaredOutputs(inputs), ...known, reportedType };
}

/** These are not inputs, so the engine shows no difference. */
function mentionState(
  { channelId, isDisabled, disabledReason, isProtected }: ReturnType<typeof facts>,
  inputs: Properties,
  { warn }: ManagedContext,
): void {
  const named = title(inputs, channelId);
  if (isDisabled) warn(`${named} has been disabled by the service: ${disabledReason ?? "no reason given"}`);
  if (isProtected) warn(`${named} is protected by the service, which may refuse to change or delete it`);
}
