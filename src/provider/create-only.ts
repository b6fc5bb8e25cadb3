/**
 * The default lifecycle. The documented API can only create channels, so every real change is a
 * replacement, `read` returns the recorded state, and every channel left behind is reported.
 */

import { createHash } from "node:crypto";
import { DomainMonitoringError } from "../client/errors";
import { isId } from "../client/rules";
import type { NotificationChannelData } from "../client/types";
import { hasUnknown } from "../common/markers";
import { oneLine } from "../common/secrets";
import { sentences } from "../common/text";
import { FACTS } from "../names";
import { describe, PartialFailure, type Properties, pick, unrecordable } from "./boundary";
import { maybeSent, TO_LET_GO } from "./existing";
import type { ChannelContext, ChannelLifecycle } from "./lifecycle";
import { ageAt, doubtAbout, isAdopted, recordedAsAdopted } from "./ownership";
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

export function createOnly(context: ChannelContext): ChannelLifecycle {
  const { connection, warn, redact } = context;
  const stays = () => (connection.lifecycle === "create-only" ? STAYS : STAYS_FOR_NOW);

  return {
    entered:
      "channels that are recorded as managed are to become create-only, so that a later update or destroy leaves them in the service. " +
      "One of them that leaves the program in this update is still deleted: run it without other changes first",
    imported:
      "is taken over as declared, without a request: make sure that the id and the values are the channel's",

    compare: (_id, _olds, _news, sent) => ({ replaces: sent, again: [] }),

    replaced(id, olds, news, replaces) {
      // The label may repeat the destination that is to come.
      const named = redact(title(olds, id));
      const known = replaces.filter((name) => !hasUnknown(news[name]));
      if (known.length === 0) {
        // The update diffs again with the known values, so nothing that may be unchanged is refused
        // here.
        warn(
          `${named} may be replaced (not known yet: ${replaces.join(", ")}). ${stays()} if it is`,
        );

        return;
      }

      const isRefused = olds.onOrphan === "error" || news.onOrphan === "error";
      if (isRefused)
        throw new Error(`${named} would be replaced. ${stays()}. ${REFUSED}: ${AS_IT_WAS}`);

      connection.replacedChannels.add(id);
      warn(`${named} is to be replaced (changed: ${known.join(", ")}). ${stays()}. ${CLEAN_UP}`);
    },

    create: (inputs) => createChannel(inputs, context),

    read: async (id, props) => ({ id, props: { ...props, channelId: id } }),

    async update(id, olds, news) {
      // After a change of `onOrphan` or of the lifecycle, a partial create or an import: it exists,
      // so nothing is asked.
      const known = pick(olds, [...FACTS, "unconfirmed"]);
      // Create-only refuses `adopt`, so its absence here does not hand the channel over.
      const marks = isAdopted(olds) ? { adopted: true } : {};

      return {
        outs: {
          ...unreadFacts(id, news),
          ...known,
          ...declaredOutputs(news),
          ...marks,
        },
      };
    },

    async delete(id, props) {
      if (props.onOrphan === "error")
        throw new Error(
          `${title(props, id)} is not deleted. ${stays()}. ${REFUSED}. To drop it from the state, run \`${connection.abandonCommand(id)}\` and ` +
            `${TO_LET_GO}. If the update removes the last channel of the program, ${AS_IT_WAS}`,
        );

      const wasReplaced = connection.replacedChannels.delete(id);
      // For a replacement, `replaced` has already warned of the rest.
      const what = wasReplaced
        ? "stays in the service"
        : `is removed from this stack. ${stays()}. ${CLEAN_UP}`;

      warn(`${title(props, id)} ${what}`);
    },
  };
}

/**
 * Identifies a create by all that it sends; a digest, as that contains the destination. With an
 * `onError` hook the engine repeats a failed create, up to a hundred times. A dynamic provider is
 * not told the resource's name, so two intentionally identical channels can be told from a retry
 * only while every create has a known outcome.
 */
export function digest(inputs: Properties): string {
  return createHash("sha256")
    .update(JSON.stringify([inputs.domainId, toChannel(inputs)]))
    .digest("base64");
}

/** Steps of another lifecycle around a create. */
interface Around {
  /**
   * Before the request. @returns further outputs to record, and the ids, in lower case, of channels
   * that are there already
   */
  before(): Promise<{ marks: Properties; existing: ReadonlySet<string> }>;

  /** Whether another resource has the channel with this id. */
  isHeld(id: string): boolean;

  /** Once the channel exists. */
  created(id: string): void;

  /** The error that is shown in place of another one. @param since beginning of the request */
  explain(error: unknown, since: number): Promise<unknown>;
}

const NOTHING_AROUND: Around = {
  before: async () => ({ marks: {}, existing: new Set() }),
  isHeld: () => false,
  created: () => undefined,
  explain: async (error) => error,
};

/**
 * Creates a channel with one request. One that may have been carried out is not repeated in this
 * process.
 * @throws PartialFailure if the channel was created, and the rest of the answer cannot be used
 */
export async function createChannel(
  inputs: Properties,
  context: ChannelContext,
  around: Around = NOTHING_AROUND,
): Promise<{ id: string; outs: Properties }> {
  const { connection, call } = context;
  const earlier = earlierCreate(inputs, context);
  if (earlier) return earlier;

  const remembered = (failure: Error) => {
    connection.failedCreates.set(digest(inputs), failure);
    return failure;
  };

  const { marks, existing } = await around.before();
  const isHeld = (id: string) => existing.has(id.toLowerCase()) || around.isHeld(id);
  const startedAt = Date.now();
  let created: NotificationChannelData;
  try {
    const { notificationChannels } = connection.client;
    created = await notificationChannels.create(String(inputs.domainId), toChannel(inputs), call);
  } catch (error) {
    if (error instanceof DomainMonitoringError && error.channelId !== undefined) {
      if (isHeld(error.channelId)) marks.adopted = true;
      around.created(error.channelId);

      throw remembered(partlyCreated(error.channelId, inputs, marks, error.cause));
    }

    const failure = new Error(describe(await around.explain(error, startedAt)));

    throw maybeSent(error) ? remembered(failure) : failure;
  }

  if (!isId(created.id)) throw remembered(unrecordable(title(inputs), "channel", "label"));

  const others = differing(toChannel(inputs), created);
  const isLabelled = !others.includes("label");
  const isOfType = !others.includes("type");
  const doubt = doubtAbout("channel", {
    isHeld: isHeld(created.id),
    age: ageAt(startedAt, created.createdAt, connection),
    isDeclared: isLabelled && isOfType,
  });

  if (!isLabelled && !isOfType) throw remembered(anotherChannel(inputs, created.id));

  around.created(created.id);
  if (doubt !== undefined) marks.adopted = true;

  return {
    id: created.id,
    outs: recordCreated(inputs, created, { others, doubt, marks }, context),
  };
}

/** The result of an earlier attempt of this process. @throws Error if its outcome is unclear */
function earlierCreate(
  inputs: Properties,
  { connection, warn }: ChannelContext,
): { id: string; outs: Properties } | undefined {
  const earlier = connection.failedCreates.get(digest(inputs));
  if (earlier === undefined) return undefined;
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

/** The outputs of a channel that was created, with what the user has to know of it. */
function recordCreated(
  inputs: Properties,
  created: NotificationChannelData,
  found: { others: readonly string[]; doubt: string | undefined; marks: Properties },
  { warn }: ChannelContext,
): Properties {
  for (const name of found.others) warn(otherThanDeclared(inputs, created.id, name));
  if (found.doubt !== undefined) {
    const named = title(inputs, created.id);
    // Only a managed channel can be handed over.
    if (isManaged(inputs)) warn(recordedAsAdopted(named, found.doubt, JSON.stringify(created.id)));
    else warn(`${named}: ${found.doubt}: look at the channel in the service`);
  }

  return {
    ...declaredOutputs(inputs),
    ...facts(created),
    ...found.marks,
  };
}

function anotherChannel(inputs: Properties, id: string): Error {
  return new Error(
    `${title(inputs)} is not recorded: the service answered with another channel (id ${oneLine(id)}), whose label and type are others. ` +
      "Look for the declared one in the service before you run this again, as the next `pulumi up` creates another one",
  );
}

const STAYS =
  "This package cannot delete it, so it stays in the service and keeps sending notifications";

const STAYS_FOR_NOW =
  'It is recorded as create-only, so it stays in the service and keeps sending notifications: to have it deleted, first run `pulumi up` with lifecycle "managed" and no other change';

const REFUSED = 'onOrphan is "error", so this is refused';

const AS_IT_WAS =
  'declare the channel as it was with onOrphan "warn", run `pulumi up`, then try again';

/** Advice about a channel that stays in the service. */
export const CLEAN_UP =
  "If nobody should be notified, remove it in the domain's settings in the service";

/** The error of a create whose channel exists, and of which the answer says no more. */
function partlyCreated(
  id: string,
  inputs: Properties,
  marks: Properties,
  cause: unknown,
): PartialFailure {
  const outs = {
    ...unreadFacts(id, inputs),
    ...declaredOutputs(inputs),
    ...marks,
  };

  const why = cause instanceof Error ? ` (${cause.message})` : "";
  const next = "run `pulumi up` again to complete its record, which creates no other one";
  const lost =
    "it is too large for the engine to record after a failure, so the next `pulumi up` creates another one: remove this one first";

  const problem = `${title(inputs, id)} was created, but the rest of the service's answer cannot be used${why}`;

  return new PartialFailure(id, outs, `${problem}: ${next}`, `${problem}, and ${lost}`);
}
