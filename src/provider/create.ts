/**
 * The create of a channel, the same in both lifecycles: sent once, judged, and recorded. A channel
 * is the stack's own only if it was not there before, no other resource keeps it, and it is what
 * was declared. Anything else is recorded as adopted, so that nothing deletes it.
 */
import { createHash } from "node:crypto";
import { DomainMonitoringError } from "../client/errors";
import type { NotificationChannelData } from "../client/types";
import { oneLine, type Redactor, sentences } from "../common/text";
import { describe, isRecordable, PartialFailure, type Properties } from "./boundary";
import type { OperationContext } from "./connection";
import { maybeSent } from "./failures";
import { channelKeepers, resourceOf } from "./keepers";
import {
  declaredOutputs,
  differing,
  facts,
  isManaged,
  otherThanDeclared,
  title,
  toChannel,
  unreadFacts,
} from "./record";

/** Shared by the operations of a call. */
export interface ChannelContext extends OperationContext {
  /** Removes the destinations that the call knows: current and previous ones. */
  redact: Redactor;
}

/** Steps of another lifecycle around the request. */
interface Steps {
  /** Before it. @returns further outputs to record, and the channels that are there already */
  before(): Promise<Before>;

  /** The error that is shown in place of one of the request. */
  explain(error: unknown, before: Before): Promise<unknown>;
}

export interface Before {
  marks: Properties;
  listed: readonly NotificationChannelData[];
}

const NO_STEPS: Steps = {
  before: async () => ({ marks: {}, listed: [] }),
  explain: async (error) => error,
};

/**
 * Creates a channel with one request. A request that may have been carried out is not repeated in
 * this process.
 * @throws PartialFailure if the channel was created, and the rest of the response cannot be used
 */
export async function createChannel(
  inputs: Properties,
  context: ChannelContext,
  steps = NO_STEPS,
): Promise<{ id: string; outs: Properties }> {
  const earlier = earlierCreate(inputs, context);
  if (earlier) return earlier;

  const before = await steps.before();
  let created: NotificationChannelData;
  try {
    const { notificationChannels } = context.connection.client;
    created = await notificationChannels.create(
      String(inputs.domainId),
      toChannel(inputs),
      context.call,
    );
  } catch (error) {
    if (error instanceof DomainMonitoringError && error.channelId !== undefined) {
      const partly = partlyCreated(error.channelId, error.cause, inputs, before, context);
      throw remembered(partly, inputs, context);
    }

    const failure = new Error(describe(await steps.explain(error, before)));
    throw maybeSent(error) ? remembered(failure, inputs, context) : failure;
  }

  const others = differing(toChannel(inputs), created);
  const isAnother = others.includes("label") && others.includes("type");
  if (!isRecordable(created.id)) throw remembered(unrecordable(inputs), inputs, context);

  if (isAnother) throw remembered(anotherChannel(inputs, created.id), inputs, context);

  const isDeclared = !others.includes("label") && !others.includes("type");
  const isHeld = isKeptBefore(created.id, inputs, before, context);
  const doubt = doubtAbout({ isHeld, isDeclared });

  channelKeepers(context.connection).take(created.id, resourceOf(inputs, context.urn));
  warnOfCreated(inputs, created, { others, doubt }, context);

  return {
    id: created.id,
    outs: {
      ...declaredOutputs(inputs),
      ...facts(created),
      ...before.marks,
      ...(doubt === undefined ? {} : { adopted: true }),
    },
  };
}

/**
 * Identifies a create by all that it sends; a digest, because that contains the destination. With
 * an `onError` hook the engine repeats a failed create, up to a hundred times.
 */
function digest(inputs: Properties, { urn }: ChannelContext): string {
  return createHash("sha256")
    .update(JSON.stringify([urn, inputs.domainId, toChannel(inputs)]))
    .digest("base64");
}

/** Remembers a create that was or may have been carried out, so that it is not repeated. */
function remembered<T extends Error>(failure: T, inputs: Properties, context: ChannelContext): T {
  context.connection.failedCreates.set(digest(inputs, context), failure);
  return failure;
}

/** The result of an earlier attempt of this process. @throws Error if its outcome is unclear */
function earlierCreate(
  inputs: Properties,
  context: ChannelContext,
): { id: string; outs: Properties } | undefined {
  const { connection, urn, warn } = context;
  const isDeclaredAgain = channelKeepers(connection).begin(resourceOf(inputs, urn));
  const earlier = connection.failedCreates.get(digest(inputs, context));
  if (earlier === undefined) return undefined;

  const isRepeated = earlier instanceof PartialFailure && !isDeclaredAgain;
  if (isRepeated) {
    const { resourceId: id, outs } = earlier;
    warn(
      `${title(inputs, id)} was created by an earlier attempt of this run: it is not created again`,
    );

    return { id, outs };
  }

  const refusal = sentences([`${title(inputs)} is not created again in this run`, earlier.message]);

  // The engine does not show the error of a create that a hook repeats.
  if (connection.firstMention(refusal)) warn(refusal);

  throw new Error(refusal);
}

/** The error of a create whose channel exists, and of which the response says no more. */
function partlyCreated(
  id: string,
  cause: unknown,
  inputs: Properties,
  before: Before,
  context: ChannelContext,
): PartialFailure {
  const adopted = isKeptBefore(id, inputs, before, context) ? { adopted: true } : {};
  const outs = {
    ...unreadFacts(id, inputs),
    ...declaredOutputs(inputs),
    ...before.marks,
    ...adopted,
  };

  channelKeepers(context.connection).take(id, resourceOf(inputs, context.urn));
  const why = cause instanceof Error ? ` (${cause.message})` : "";
  const next =
    "run `pulumi up` again to complete its record, which does not create another channel";
  const lost =
    "it is too large for the engine to record after a failure, so the next `pulumi up` creates another one: remove this one first";

  const problem = `${title(inputs, id)} was created, but the rest of the service's response cannot be used${why}`;

  return new PartialFailure(id, outs, `${problem}: ${next}`, `${problem}, and ${lost}`);
}

/** Whether a channel was there before the request, or another resource keeps it. */
function isKeptBefore(
  id: string,
  inputs: Properties,
  { listed }: Before,
  { connection, urn }: ChannelContext,
): boolean {
  const isListed = listed.some((channel) => channel.id === id);
  return isListed || channelKeepers(connection).other(id, resourceOf(inputs, urn)) !== undefined;
}

/** Warnings about a channel that was created. */
function warnOfCreated(
  inputs: Properties,
  created: NotificationChannelData,
  found: { others: readonly string[]; doubt: string | undefined },
  context: ChannelContext,
): void {
  for (const name of found.others) context.warn(otherThanDeclared(inputs, created.id, name));
  if (found.doubt === undefined) return;

  const named = title(inputs, created.id);
  // Only a managed channel can be handed over.
  context.warn(
    isManaged(inputs)
      ? recordedAsAdopted(named, found.doubt, channelHandOver(inputs.domainId, created.id, context))
      : `${named}: ${found.doubt}: look at the channel in the service`,
  );
}

function anotherChannel(inputs: Properties, id: string): Error {
  return new Error(
    `${title(inputs)} is not recorded: the service responded with a different channel (id ${oneLine(id)}). ` +
      "Look for the declared one in the service before you run this again, because the next `pulumi up` creates another one",
  );
}

/** The error of a create whose channel exists. */
function unrecordable(inputs: Properties): Error {
  return new Error(
    `${title(inputs)} was created with an id that cannot be recorded: look for the channel in the service by its label, ` +
      "and remove it there, because the next `pulumi up` creates another one",
  );
}

/** Why a channel that a create returned may not be a new one of this stack; undefined if it is. */
function doubtAbout(found: { isHeld: boolean; isDeclared: boolean }): string | undefined {
  const responded = "the service responded with a channel";
  if (found.isHeld)
    return `${responded} that was there before, or that another resource of this stack has`;

  return found.isDeclared ? undefined : `${responded} other than the declared one`;
}

/** @param handOver what makes it the stack's own */
function recordedAsAdopted(title: string, doubt: string, handOver: string): string {
  return `${title}: ${doubt}. It is recorded as adopted, so nothing in this stack deletes it. To hand it over to the stack, ${handOver}`;
}

/**
 * How to take a channel over, with the package that has its resource.
 * @param urn known to the plugin alone
 */
export function takeOver(domainId: unknown, id: string, urn: string | undefined): string {
  return urn === undefined
    ? `declare adopt: ${JSON.stringify(id)}`
    : `set the resource option import to ${JSON.stringify(`${domainId}/${id}`)}`;
}

/** How to make an adopted channel the stack's own. */
export function channelHandOver(
  domainId: unknown,
  id: string,
  { urn }: Pick<OperationContext, "urn">,
): string {
  const next = urn === undefined ? ", run `pulumi up`, then remove adopt" : " and run `pulumi up`";
  return `${takeOver(domainId, id, urn)}${next}`;
}

/**
 * Whether a channel was there before the stack, as far as its record knows, so that no delete of it
 * is sent.
 */
export function isAdopted(record: Properties): boolean {
  return record.adopted === true || declaresAdoption(record);
}

export function declaresAdoption({ adopt }: Properties): boolean {
  return (adopt ?? null) !== null;
}

/**
 * The marks after an update. To declare `adopt` takes the place of the mark, so that removing it
 * hands the channel over.
 */
export function marksAfter(olds: Properties, news: Properties): Properties {
  const { adopted, addressDigest } = olds;
  const marks: Properties = {};

  if (adopted === true && !declaresAdoption(news)) marks.adopted = true;
  if (addressDigest !== undefined) marks.addressDigest = addressDigest;

  return marks;
}
