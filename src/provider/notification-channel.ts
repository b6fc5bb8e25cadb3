/**
 * The provider of notification channels. The interface only has an operation to create one, so every real change is a
 * replacement, `read` returns the recorded state, and every channel left behind is reported. Channels that are recorded as
 * `lifecycle: "managed"` are left to `managed.ts`.
 */
import { DomainMonitoringError } from "../client/errors";
import { sentences } from "../client/internal/failure";
import type { CallOptions } from "../client/types";
import { ABANDON_KEY, LIFECYCLE_KEY } from "../names";
import { describe, PartialFailure, type Properties, type ResourceProvider } from "./boundary";
import { Connection } from "./connection";
import { checkInputs, hasUnknown, INPUTS, isServiceInput, normalise } from "./inputs";
import * as managed from "./managed";
import * as creation from "./managed-creation";
import { isUnclear, REPLACED } from "./managed-errors";
import {
  declaredOutputs,
  differing,
  FACTS,
  facts,
  isManaged,
  isOnlyAnId,
  otherThanDeclared,
  pick,
  recordedInputs,
  redactorFor,
  title,
  toChannel,
  unreadFacts,
} from "./record";

/**
 * Creates the provider. `warn` shows one line to the user. A provider is cheap and a connection is not: whoever needs another
 * `warn` or deadline for each call makes a provider for each, on one connection.
 */
export function notificationChannelProvider(
  warn: (line: string) => void,
  connection = new Connection(),
  call?: Pick<CallOptions, "timeoutMs">,
): ResourceProvider {
  const stays = () => (connection.lifecycle === "managed" ? STAYS_FOR_NOW : STAYS);

  /**
   * Runs an operation of the managed half on records of a channel. Nothing that it says repeats their destinations: the
   * service knows them, and any of its texts may hold one.
   */
  async function onManaged<T>(
    records: Properties[],
    run: (context: managed.Context) => Promise<T>,
  ): Promise<T> {
    const redact = redactorFor(...records);
    try {
      return await run({ connection, call, redact, warn: (line) => warn(redact(line)) });
    } catch (error) {
      const message = redact(describe(error));
      if (error instanceof PartialFailure)
        throw new PartialFailure(error.resourceId, error.outs, message, redact(error.otherwise));
      throw new Error(message);
    }
  }

  /**
   * What is left of a create of the same inputs in this process, which is not repeated.
   * @throws Error if that create may have been carried out
   */
  function earlierCreate(inputs: Properties): { id: string; outs: Properties } | undefined {
    const { creations } = connection;
    const partly = creations.partly(inputs);
    if (partly) {
      warn(
        `${title(inputs, partly.resourceId)} was created by an earlier attempt of this run: no other one is created`,
      );
      return { id: partly.resourceId, outs: partly.outs };
    }
    const unclear = creations.unclear(inputs);
    if (!unclear) return undefined;
    const refusal = sentences([`${title(inputs)} is not created again in this run`, describe(unclear)]);
    // The engine does not show the error of a create that a hook repeats.
    if (connection.firstMention(refusal)) warn(refusal);
    throw new Error(refusal);
  }

  /** The error of a create, which is noted if a channel was created all the same, or may have been. */
  async function failedCreate(inputs: Properties, startedAt: number, error: unknown): Promise<unknown> {
    const { creations, lists } = connection;
    if (error instanceof DomainMonitoringError && error.channelId !== undefined) {
      const created = partlyCreated(inputs, error.channelId, error);
      creations.notePartly(inputs, created);
      lists.outdate(String(inputs.domainId));
      return created;
    }
    const explained = isManaged(inputs)
      ? await onManaged([inputs], (context) => creation.explainCreate(error, inputs, startedAt, context))
      : error;
    if (mayBeCarriedOut(error)) creations.noteUnclear(inputs, new Error(describe(explained)));
    return explained;
  }

  /** Reports a channel that a replacement leaves behind. @throws Error if its `onOrphan` refuses that */
  function reportOrphan(id: string, olds: Properties, news: Properties, replaces: readonly string[]): void {
    const known = replaces.filter((name) => !hasUnknown(news[name]));
    if (known.length === 0) {
      // The update diffs again with the known values, so nothing that may be unchanged is refused here.
      warn(`${title(olds, id)} may be replaced (not known yet: ${replaces.join(", ")}). ${stays()} if it is`);
      return;
    }
    const isRefused = olds.onOrphan === "error" || news.onOrphan === "error";
    if (isRefused)
      throw new Error(`${title(olds, id)} would be replaced. ${stays()}. ${REFUSED}: ${AS_IT_WAS}`);
    warn(`${title(olds, id)} is to be replaced (changed: ${known.join(", ")}). ${stays()}. ${CLEAN_UP}`);
  }

  return {
    async configure({ config }) {
      connection.configure((key) => config.get(key));
    },

    async check(olds, news) {
      const declared = { ...news, lifecycle: news.lifecycle ?? connection.lifecycle };
      const { inputs, problems, warnings } = checkInputs(declared);
      for (const warning of warnings) warn(`${title(news)}: ${warning}`);
      const isNew = Object.keys(olds).length === 0;
      // Reported here, as the program does not know the provider that a transform gives to a channel.
      const reasons = connection.problem === undefined ? problems : [connection.problem, ...problems];
      if (isNew && reasons.length === 0 && inputs.adopt !== undefined) warn(`${title(news)} ${ADOPTED}`);
      return { inputs, failures: reasons.map((reason) => ({ property: "", reason })) };
    },

    async diff(id, olds, news) {
      const { isInPlace, diffs, replaces } = compare(id, olds, news);
      if (isOnlyAnId(olds) && !isOnlyAnId(news)) {
        warn(`${title(news, id)} ${isInPlace ? ADOPTED : TAKEN_OVER}`);
        return { changes: true, diffs, replaces: [], deleteBeforeReplace: false };
      }
      const moves = isInPlace !== isManaged(olds);
      if (moves && connection.firstMention(LIFECYCLE_KEY)) warn(isInPlace ? MOVING_OVER : MOVING_BACK);
      connection.creations.noteHeld(id);
      if (replaces.length > 0) connection.creations.noteReplacement(id, news);
      if (replaces.length > 0 && managed.isSameId(news.adopt, id)) warn(`${title(olds, id)}: ${REPLACED}`);
      if (replaces.length > 0 && !isManaged(olds)) reportOrphan(id, olds, news, replaces);
      return { changes: diffs.length > 0, diffs, replaces, deleteBeforeReplace: false };
    },

    async create(inputs) {
      if (isManaged(inputs) && inputs.adopt !== undefined)
        return onManaged([inputs], (context) => creation.adopt(inputs, context));
      const earlier = earlierCreate(inputs);
      if (earlier) return earlier;
      if (isManaged(inputs))
        await onManaged([inputs], (context) => creation.requireManagedService(inputs, context));
      const channel = toChannel(inputs);
      const domainId = String(inputs.domainId);
      await connection.lists.settled(domainId);
      const startedAt = Date.now();
      try {
        const created = await connection.client.notificationChannels.create(domainId, channel, call);
        for (const name of differing(channel, created)) warn(otherThanDeclared(inputs, created.id, name));
        connection.creations.noteCreated(created.id);
        connection.lists.outdate(domainId);
        return {
          id: created.id,
          outs: { ...declaredOutputs(inputs), ...facts(created, redactorFor(inputs)) },
        };
      } catch (error) {
        throw await failedCreate(inputs, startedAt, error);
      }
    },

    async read(id, props) {
      // In a preview the domain of a channel that is only referred to may not be known, and the engine may leave it out.
      if (isManaged(props) && props.domainId !== undefined && !hasUnknown(props.domainId))
        return onManaged([props], (context) => managed.read(id, props, context));
      return { id, props: { ...props, channelId: id }, inputs: recordedInputs(props) };
    },

    async update(id, olds, news) {
      if (isManaged(news))
        return onManaged([olds, news], (context) => managed.update(id, olds, news, context));
      // After a change of `onOrphan` or of the lifecycle, a partial create or an import: it exists, so nothing is asked.
      const known = pick(olds, [...FACTS, "unconfirmed"]);
      return { outs: { ...unreadFacts(id, news), ...known, ...declaredOutputs(news) } };
    },

    async delete(id, props) {
      if (connection.isAbandoned(id)) {
        warn(
          `${title(props, id)} leaves this stack, as stack config ${ABANDON_KEY} lists it. ${ABANDONED}. ${CLEAN_UP}`,
        );
        return;
      }
      if (isManaged(props)) return onManaged([props], (context) => managed.remove(id, props, context));
      if (props.onOrphan === "error")
        throw new Error(
          `${title(props, id)} is not deleted. ${stays()}. ${REFUSED}: run \`${connection.abandonCommand(id)}\` and ` +
            "`pulumi up`, which lets it go, and then repeat this if it was a destroy. If it is the last channel of the program, " +
            AS_IT_WAS,
        );
      warn(`${title(props, id)} leaves this stack. ${stays()}. ${CLEAN_UP}`);
    },
  };
}

/** How what is declared differs from what is recorded, and whether a change is made in place. */
function compare(id: string, olds: Properties, news: Properties) {
  const before = normalise(olds);
  const after = normalise(news);
  // In a preview the lifecycle may be unknown: the update decides again.
  const isInPlace = isManaged(hasUnknown(after.lifecycle) ? before : after);
  const unclear = INPUTS.filter((name) => hasUnknown(after[name]));
  const changed = INPUTS.filter((name) => (before[name] ?? null) !== (after[name] ?? null));
  const sent = [...changed.filter((name) => !unclear.includes(name)), ...unclear].filter(isServiceInput);
  const replaces = isInPlace ? managed.replacing(id, olds, after) : sent;
  const own = changed.filter((name) => name === "lifecycle" || name === "onOrphan");
  const again = isInPlace ? managed.unconfirmed(olds) : [];
  const different: readonly string[] = [...sent, ...replaces, ...own, ...again];
  return { isInPlace, replaces, diffs: INPUTS.filter((name) => different.includes(name)) };
}

const STAYS = "This package cannot delete it, so it stays in the service and goes on notifying";
const STAYS_FOR_NOW =
  'It is recorded as create-only, so it stays in the service and goes on notifying: a `pulumi up` of its own with lifecycle "managed" comes first';
const CLEAN_UP = "Remove it in the service's own settings of that domain if nobody is to be notified";
const ABANDONED = "It stays in the service and goes on notifying";
const REFUSED = 'onOrphan is "error", so this is refused';
const AS_IT_WAS = 'declare the channel as it was with onOrphan "warn", run `pulumi up`, then try again';

const TAKEN_OVER =
  "is taken over as it is declared. The service cannot be asked for it: make sure that this id and these values are the channel's";

const ADOPTED = "is taken over: no channel is created, and what is declared is set, the destination too";

const MOVING_OVER =
  'channels are to be recorded with lifecycle "managed", so that a later update or destroy deletes them. What leaves the program ' +
  "in this update is still create-only and stays in the service: run it without other changes first";

const MOVING_BACK =
  'channels are to be recorded with lifecycle "create-only", so that a later update or destroy leaves them in the service. What ' +
  "leaves the program in this update is still managed and is deleted: run it without other changes first";

function partlyCreated(inputs: Properties, id: string, { cause }: DomainMonitoringError): PartialFailure {
  const outs = { ...unreadFacts(id, inputs), ...declaredOutputs(inputs) };
  const why = cause instanceof Error ? ` (${cause.message})` : "";
  const next = "run `pulumi up` again to complete its record, which creates no other one";
  const lost =
    "it is too large for the engine to record after a failure, so the next `pulumi up` creates another one: remove this one first";
  const problem = `${title(inputs, id)} was created, but the rest of the service's answer cannot be used${why}`;
  return new PartialFailure(id, outs, `${problem}: ${next}`, `${problem}, and ${lost}`);
}

/** Whether the service may have created a channel all the same. */
function mayBeCarriedOut(error: unknown): boolean {
  return isUnclear(error) || (error instanceof DomainMonitoringError && (error.status ?? 0) >= 500);
}
