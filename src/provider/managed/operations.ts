/**
 * Reading, changing and deleting a managed channel. Its adoption is in `adoption.ts`.
 *
 * Three rules hold everywhere. Nothing here creates a channel. A 404 counts as gone only if the domain's list says so too.
 * A write whose answer was lost leaves a mark in the outputs (`unconfirmed`), so that the next update repeats it even if the
 * program was reverted meanwhile: a destination cannot be read back.
 */

import { DomainMonitoringError } from "../../client/errors";
import type { NotificationChannelData } from "../../client/types";
import { sanitizeText } from "../../common/redact";
import { sentences } from "../../common/text";
import { FACTS } from "../../names";
import { PartialFailure, type Properties } from "../boundary";
import { failure, isGone as isGoneFrom, lettingGo, maybeDone, staleToken } from "../failures";
import { hasUnknown, isChanged, normalise } from "../inputs";
import type { Context as ProviderContext } from "../lifecycle";
import {
  declaredOutputs,
  differing,
  facts,
  isManaged,
  otherThanDeclared,
  pick,
  READABLE,
  reasonOf,
  recordedInputs,
  title,
  toChannel,
} from "../record";
import { toUpdate, UPDATABLE, type UpdatableInput } from "./changes";
import { BY_ID_ALONE, isDone, SET_CREATE_ONLY, STAYS_ADOPTED } from "./errors";
import type { Run } from "./run";

/** Context of an operation. */
export interface Context extends ProviderContext {
  /** Knowledge of this process. */
  run: Run;
  /** Removes the destinations that the operation knows: those of today, and those before. */
  redact: (text: string) => string;
}

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
  const moved = sent.filter((name) => name === "domainId" || name === "type");
  const cleared = (["value", "secondaryValue"] as const).filter(
    (name) => (news[name] ?? null) === null && (sent.includes(name) || unconfirmed(olds).includes(name)),
  );
  const isOther = isAdopted(news) && !hasUnknown(news.adopt) && !isSameId(news.adopt, id);
  return [...moved, ...cleared, ...(isOther ? ["adopt"] : [])];
}

/** Whether two ids are of one channel: the service reports them in lower case, regardless of the case in the program. */
export function isSameId(one: unknown, other: string): boolean {
  return typeof one === "string" && one.toLowerCase() === other.toLowerCase();
}

/** Whether a channel is declared or recorded as one that was there before: it is not this stack's to delete. */
export function isAdopted({ adopt }: Properties): boolean {
  return (adopt ?? null) !== null;
}

/** Reads a channel; an empty id if it is gone. */
export async function read(
  id: string,
  props: Properties,
  context: Context,
): Promise<{ id: string; props: Properties; inputs: Properties }> {
  const { connection, call } = context;
  let found: NotificationChannelData;
  try {
    found = await connection.client.notificationChannels.get(String(props.domainId), id, call);
  } catch (error) {
    const problem = `${title(props, id)} is not read`;
    const isRecorded = props.channelId !== undefined;
    const advice = isRecorded ? SET_CREATE_ONLY : BY_ID_ALONE;
    if (!(await isGone(error, id, props, problem, context, advice)))
      throw failure(problem, error, staleToken(connection.isTokenRecorded), advice);
    // Of what is only referred to nothing is recorded, and the engine would take an empty id for success.
    if (!isRecorded)
      throw new Error(`${problem}: the service has no such channel: check its id and its domainId`);
    return { id: "", props: {}, inputs: {} };
  }
  mentionState(found, props, context);
  const outs = { ...props, ...pick({ ...found }, READABLE), ...facts(found, context.redact) };
  return { id, props: outs, inputs: recordedInputs(outs) };
}

/**
 * Updates a channel in place. Only what changed in the program is sent. If there is nothing to send, and when a channel comes
 * from create-only, the service is read instead, and what differs there is sent.
 */
export async function update(
  id: string,
  olds: Properties,
  news: Properties,
  context: Context,
): Promise<{ outs: Properties }> {
  const { connection, call } = context;
  const { notificationChannels } = connection.client;
  const domainId = String(news.domainId);
  const problem = `${title(news, id)} is not updated`;
  const [before, after] = [normalise(olds), normalise(news)];
  let names = UPDATABLE.filter((name) => isChanged(name, before, after) || unconfirmed(olds).includes(name));
  let found: NotificationChannelData | undefined;
  // That adopt has been added or removed is only recorded.
  const isToRead = names.length === 0 && !isChanged("adopt", before, after);
  if (!isManaged(olds) || isToRead || olds.createdAt === "") {
    try {
      found = await notificationChannels.get(domainId, id, call);
    } catch (error) {
      throw await explain(error);
    }
    const drifted: readonly string[] = differing(toChannel(after), found);
    names = UPDATABLE.filter((name) => names.includes(name) || drifted.includes(name));
  }
  const changes = toUpdate(news, names);
  if (Object.keys(changes).length > 0) found = await send();
  const known = pick(olds, FACTS);
  return { outs: { ...known, ...(found ? confirmed(news, found, context) : declaredOutputs(news)) } };

  async function send(): Promise<NotificationChannelData> {
    try {
      return await notificationChannels.update(domainId, id, changes, call);
    } catch (error) {
      if (!maybeDone(error)) throw await explain(error);
      if (isDone(error)) {
        // One more request completes the record.
        const written = await notificationChannels.get(domainId, id, call).catch(() => undefined);
        if (written) return written;
      }
      const outs = { ...olds, ...pick(news, ["lifecycle"]), unconfirmed: names };
      const next = `The next \`pulumi up\` sends ${names.join(", ")} again`;
      const message = `${title(news, id)} may or may not be updated: ${error.message}`;
      throw new PartialFailure(id, outs, sentences([message, next]));
    }
  }

  async function explain(error: unknown): Promise<Error> {
    if (!(await isGone(error, id, news, problem, context))) return failure(problem, error, SET_CREATE_ONLY);
    const next = !isAdopted(news)
      ? "Run `pulumi refresh`, then `pulumi up`, which creates it again"
      : "Run `pulumi refresh`, remove adopt, then run `pulumi up`, which creates another one in its place";
    const message = `${problem}: it is no longer in the service. ${next}`;
    // A refresh asks the service only for what is recorded as managed.
    return isManaged(olds)
      ? new Error(message)
      : new PartialFailure(id, { ...olds, ...pick(news, ["lifecycle"]) }, message);
  }
}

/** Deletes a channel. Regardless of `onOrphan`, one that cannot be deleted stays in the state. */
export async function remove(id: string, props: Properties, context: Context): Promise<void> {
  const { connection, run, call, warn } = context;
  if (isAdopted(props)) return warn(`${title(props, id)} leaves this stack: ${STAYS_ADOPTED}`);
  if (run.isBorrowed(id))
    return warn(`${title(props, id)} is not deleted, as another resource of this stack has adopted it`);
  try {
    const domainId = String(props.domainId);
    await run.list(props).settled();
    await connection.client.notificationChannels.delete(domainId, id, call);
  } catch (error) {
    const problem = `${title(props, id)} is not deleted`;
    if (!(await isGone(error, id, props, problem, context)))
      throw failure(
        problem,
        error,
        staleToken(connection.isTokenRecorded),
        lettingGo(() => connection.abandonCommand(id)),
      );
    // After a lost answer it was probably this delete.
    if (error instanceof DomainMonitoringError && error.sent !== "maybe")
      warn(
        `${title(props, id)} was no longer in the service: somebody else has removed it, or an earlier delete whose answer was lost`,
      );
  }
}

/** Whether an error means that the channel is gone. @throws Error if that is not clear */
export function isGone(
  error: unknown,
  id: string,
  props: Properties,
  problem: string,
  { run, call }: Context,
  advice = SET_CREATE_ONLY,
): Promise<boolean> {
  return isGoneFrom(error, problem, {
    of: "domain",
    lacks: () => run.list(props).lacks(id, call),
    isRecorded: advice !== BY_ID_ALONE,
    advice: [advice],
  });
}

/** Outputs after the service has confirmed them. */
export function confirmed(
  inputs: Properties,
  channel: NotificationChannelData,
  context: Context,
): Properties {
  const others = differing(toChannel(normalise(inputs)), channel);
  for (const name of others) context.warn(otherThanDeclared(inputs, channel.id, name));
  mentionState(channel, inputs, context);
  // Another type is recorded, as only a replacement can mend it.
  const actual = others.includes("type") ? { type: channel.type } : {};
  return { ...declaredOutputs(inputs), ...facts(channel, context.redact), ...actual };
}

/** These are not inputs, so the engine shows no difference. */
function mentionState(channel: NotificationChannelData, inputs: Properties, { warn, redact }: Context): void {
  const { id, isDisabled, isProtected } = channel;
  if (isDisabled) {
    const reason = sanitizeText(reasonOf(channel, redact) ?? "no reason given", redact);
    warn(`${title(inputs, id)} has been disabled by the service: ${reason}`);
  }
  if (isProtected)
    warn(`${title(inputs, id)} is protected by the service, which may refuse to change or delete it`);
}
