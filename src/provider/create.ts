/**
 * The create of a channel, the same in both lifecycles: sent once, judged, and recorded. A channel
 * is the stack's own only if it was not there before, no other resource has it, and it is what was
 * declared. Anything else is recorded as adopted, so that nothing deletes it.
 */

import { createHash } from "node:crypto";
import { DomainMonitoringError } from "../client/errors";
import type { NotificationChannelData } from "../client/types";
import { oneLine, type Redactor, sentences } from "../common/text";
import { describe, isRecordable, PartialFailure, type Properties } from "./boundary";
import type { OperationContext } from "./connection";
import { maybeSent, UNLESS_REPLACED } from "./failures";
import { channelKeepers, resourceOf } from "./keepers";
import { otherThanDeclared, title } from "./messages";
import { handOverAdvice } from "./ownership";
import { declaredOutputs, differing, facts, isManaged, toChannel, unreadFacts } from "./record";

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

  /** Whether the domain has this channel already, whoever created it. */
  isListed(id: string): boolean;
}

const NO_STEPS: Steps = {
  before: async () => ({ marks: {}, isListed: () => false }),
  explain: async (error) => error,
};

interface Created {
  id: string;
  outs: Properties;
}

/**
 * Creates a channel with one request.
 * @throws PartialFailure if the channel was created, and the rest of the response cannot be used
 */
export function createChannel(
  inputs: Properties,
  context: ChannelContext,
  steps = NO_STEPS,
): Promise<Created> {
  channelKeepers(context.connection).dropRecorded(resourceOf(inputs, context.urn));

  return once(inputs, context, async () => {
    const before = await steps.before();
    const outcome = await sendCreate(inputs, context);

    switch (outcome.is) {
      case "created":
        return recordCreated(inputs, outcome.channel, before, context);
      case "partly created":
        throw partlyCreated(inputs, outcome, before, context);
      case "another channel":
        throw new MayExist(anotherChannel(inputs, outcome.id));
      case "not recordable":
        throw new MayExist(notRecordable(inputs));
      case "failed": {
        const shown = describe(await steps.explain(outcome.error, before));
        throw maybeSent(outcome.error) ? new MayExist(shown) : new Error(shown);
      }
    }
  });
}

/** The error of a create after which its channel may exist, or does, and could not be recorded. */
class MayExist extends Error {}

/**
 * Runs a create at most once in this process. With an `onError` hook the engine repeats a failed
 * create, up to a hundred times.
 */
async function once(
  inputs: Properties,
  context: ChannelContext,
  create: () => Promise<Created>,
): Promise<Created> {
  const { failedCreates } = context.connection;
  const key = createKey(inputs, context);
  const earlier = failedCreates.get(key);
  if (earlier !== undefined) return repeated(earlier, inputs, context);

  try {
    return await create();
  } catch (error) {
    if (error instanceof MayExist || error instanceof PartialFailure) failedCreates.set(key, error);
    throw error;
  }
}

/**
 * Identifies a create by its resource and all that it sends; a digest, because that contains the
 * destination.
 */
function createKey(inputs: Properties, { urn }: ChannelContext): string {
  return createHash("sha256")
    .update(JSON.stringify([resourceOf(inputs, urn), inputs.domainId, toChannel(inputs)]))
    .digest("base64");
}

/** The result of an earlier attempt of this process. @throws Error if its outcome is unclear */
function repeated(
  earlier: Error,
  inputs: Properties,
  { connection, warn }: ChannelContext,
): Created {
  if (earlier instanceof PartialFailure) {
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

/** How a request to create a channel has ended. */
type CreateOutcome =
  | { is: "created"; channel: NotificationChannelData }
  | { is: "partly created"; id: string; cause: unknown }
  | { is: "another channel"; id: string }
  | { is: "not recordable" }
  | { is: "failed"; error: unknown };

async function sendCreate(
  inputs: Properties,
  { connection, call }: ChannelContext,
): Promise<CreateOutcome> {
  const declared = toChannel(inputs);
  const { notificationChannels } = connection.client;
  let channel: NotificationChannelData;

  try {
    channel = await notificationChannels.create(String(inputs.domainId), declared, call);
  } catch (error) {
    if (!(error instanceof DomainMonitoringError) || error.channelId === undefined)
      return { is: "failed", error };

    return { is: "partly created", id: error.channelId, cause: error.cause };
  }

  if (!isRecordable(channel.id)) return { is: "not recordable" };

  const others = differing(declared, channel);
  const isAnother = others.includes("label") && others.includes("type");

  return isAnother ? { is: "another channel", id: channel.id } : { is: "created", channel };
}

/** Records a channel of which the whole response is known. */
function recordCreated(
  inputs: Properties,
  channel: NotificationChannelData,
  before: Before,
  context: ChannelContext,
): Created {
  const { connection, urn, warn } = context;
  const others = differing(toChannel(inputs), channel);
  const doubt = doubtAbout(inputs, channel.id, others, before, context);

  channelKeepers(connection).note(channel.id, resourceOf(inputs, urn), "given");
  for (const name of others) warn(otherThanDeclared(inputs, channel.id, name));
  if (doubt !== undefined) warn(recordedAsAdopted(inputs, channel.id, doubt, context));

  return {
    id: channel.id,
    outs: {
      ...declaredOutputs(inputs),
      ...facts(channel),
      ...before.marks,
      ...(doubt === undefined ? {} : { adopted: true }),
    },
  };
}

/** Why a channel may not be a new one of this stack; undefined if it is. */
function doubtAbout(
  inputs: Properties,
  id: string,
  others: readonly string[],
  before: Before,
  context: ChannelContext,
): string | undefined {
  if (wasThereBefore(id, inputs, before, context))
    return "the service responded with a channel that was there before, or that another resource of this stack has";

  const isDeclared = !others.includes("label") && !others.includes("type");

  return isDeclared
    ? undefined
    : "the service responded with a channel other than the declared one";
}

/** Whether a channel was there before the request, or another resource has it. */
function wasThereBefore(
  id: string,
  inputs: Properties,
  { isListed }: Before,
  { connection, urn }: ChannelContext,
): boolean {
  const rival = channelKeepers(connection).rivalOf(id, resourceOf(inputs, urn));
  return isListed(id) || rival !== undefined;
}

/** The error of a create whose channel exists, and of which the response says no more. */
function partlyCreated(
  inputs: Properties,
  { id, cause }: { id: string; cause: unknown },
  before: Before,
  context: ChannelContext,
): PartialFailure {
  const adopted = wasThereBefore(id, inputs, before, context) ? { adopted: true } : {};
  const outs = {
    ...unreadFacts(id, inputs),
    ...declaredOutputs(inputs),
    ...before.marks,
    ...adopted,
  };

  channelKeepers(context.connection).note(id, resourceOf(inputs, context.urn), "given");
  const why = cause instanceof Error ? ` (${cause.message})` : "";
  const next =
    "run `pulumi up` again to complete its record, which does not create another channel " +
    UNLESS_REPLACED;

  const lost =
    "it is too large for the engine to record after a failure, so the next `pulumi up` creates another one: remove this one first";

  const problem = `${title(inputs, id)} was created, but the rest of the service's response cannot be used${why}`;

  return new PartialFailure(id, outs, `${problem}: ${next}`, `${problem}, and ${lost}`);
}

function anotherChannel(inputs: Properties, id: string): string {
  return (
    `${title(inputs)} is not recorded: the service responded with a different channel (id ${oneLine(id)}). ` +
    "Look for the declared one in the service before you run this again, because the next `pulumi up` creates another one"
  );
}

function notRecordable(inputs: Properties): string {
  return (
    `${title(inputs)} was created with an id that cannot be recorded: look for the channel in the service by its label, ` +
    "and remove it there, because the next `pulumi up` creates another one"
  );
}

/** Warning about a channel that a create returned, and that may not be a new one. */
function recordedAsAdopted(
  inputs: Properties,
  id: string,
  doubt: string,
  context: ChannelContext,
): string {
  const named = title(inputs, id);
  // Only a managed channel can be handed over.
  if (!isManaged(inputs)) return `${named}: ${doubt}: look at the channel in the service`;

  const handOver = handOverAdvice(inputs.domainId, id, context);

  return `${named}: ${doubt}. It is recorded as adopted, so nothing in this stack deletes it. To let the stack own it, ${handOver}`;
}
