/**
 * The managed lifecycle, experimental: channels are read, changed and deleted.
 * Nothing outside this folder depends on it but its line in `notification-channel.ts`.
 */
import { hasUnknown } from "../../common/markers";
import { accountOf } from "../account";
import { describe, PartialFailure, type Properties } from "../boundary";
import { createChannel } from "../create-only";
import { failure } from "../existing";
import type { ChannelContext, ChannelLifecycle } from "../lifecycle";
import { isAdopted } from "../ownership";
import { title } from "../record";
import { ADOPTED_TWICE, adopt, explainCreate, REPLACED, warnOfTwin } from "./adoption";
import {
  isSameId,
  type ManagedContext,
  read,
  remove,
  replacing,
  SET_CREATE_ONLY,
  STAYS_ADOPTED,
  unconfirmed,
} from "./operations";
import { runOf } from "./run";
import { update } from "./update";

const ALL_ARE_SET = "no channel is created, and the declared values, also the destination, are set";

const DESTINATION_STAYS =
  "no channel is created, and the declared values are set. Its destination stays: to set that, declare value";

export function managed(provider: ChannelContext): ChannelLifecycle {
  const { connection, warn, redact } = provider;
  const run = runOf(connection);
  const account = accountOf(connection);
  const context: ManagedContext = {
    ...provider,
    run,
    account,
    warn: (line) => warn(redact(line)),
  };

  /** Without destinations: a label may repeat one that the channel had before. */
  async function redacted<T>(operation: Promise<T>): Promise<T> {
    try {
      return await operation;
    } catch (error) {
      const message = redact(describe(error));
      if (error instanceof PartialFailure)
        throw new PartialFailure(error.resourceId, error.outs, message, redact(error.otherwise));

      throw new Error(message);
    }
  }

  /**
   * Many channels may have one destination, so a change of it is announced with the first of them.
   */
  function warnOfDestination(named: string, news: Properties, sent: readonly string[]): void {
    const changed = sent.filter((name) => name === "value" || name === "secondaryValue");
    if (changed.length === 0) return;

    const inputs = changed.join(", ");
    if (changed.every((name) => hasUnknown(news[name]))) {
      warn(`${named}: the destination may be changed (${inputs})`);
      return;
    }

    const destination = JSON.stringify([news.value, news.secondaryValue]);

    if (connection.firstMention(`destination ${destination}`))
      warn(`${named}: the destination is to be changed (${inputs})`);
  }

  async function create(inputs: Properties): ReturnType<ChannelLifecycle["create"]> {
    if (isAdopted(inputs)) return adopt(inputs, context);

    const list = run.list(inputs);

    return createChannel(inputs, context, {
      async before() {
        // A channel on a service that lists none could neither be read nor deleted later.
        const [listed, marks] = await Promise.all([
          list.firstPage(context.call).catch((error) => {
            throw failure(`${title(inputs)} is not created`, error, SET_CREATE_ONLY);
          }),
          account.evidence(inputs.domainId, {}, context.call),
        ]);

        warnOfTwin(inputs, listed, context);
        await list.settled();

        return { marks, existing: new Set(listed.map(({ id }) => id.toLowerCase())) };
      },
      isHeld: (id) => run.held.has(id),
      created(id) {
        run.held.add(id);
        list.outdate();
      },
      explain: (error, since) => explainCreate(error, inputs, since, context),
    });
  }

  return {
    entered:
      "channels that are recorded as create-only are to become managed, so that a later update or destroy deletes them. One of them " +
      "that leaves the program in this update still stays in the service: run it without other changes first",
    imported: `is taken over: ${ALL_ARE_SET}`,

    declared(inputs, isNew) {
      run.noteDeclared(inputs);
      if (!isNew || !isAdopted(inputs)) return;

      const isKnown = !hasUnknown(inputs.adopt);
      const consequence = (inputs.value ?? null) === null ? DESTINATION_STAYS : ALL_ARE_SET;
      const beginning = isKnown
        ? "is taken over:"
        : "may be taken over (adopt is not known yet): then";

      warn(`${title(inputs)} ${beginning} ${consequence}`);
      if (isKnown && !run.noteAdopter(String(inputs.adopt), inputs))
        warn(`${title(inputs)}: ${ADOPTED_TWICE}`);
    },

    compare(id, olds, news, sent) {
      run.held.add(id);
      account.noteRecorded(olds.domainId, olds);
      if (isAdopted(olds) || isSameId(news.adopt, id)) run.adopted.add(id);
      // A label may repeat a destination that has changed since.
      const named = redact(title(news, id));

      if (hasUnknown(news.adopt))
        warn(`${named} may be replaced (not known yet: adopt), if adopt names another channel`);

      warnOfDestination(named, news, sent);
      const replaces = replacing(id, olds, news, sent);

      if (replaces.length > 0) run.noteReplacement(id, news);
      else if (!run.noteHolder(id, news)) warn(`${named}: ${ADOPTED_TWICE}`);

      return { replaces, again: unconfirmed(olds) };
    },

    replaced(id, olds, news) {
      const named = redact(title(olds, id));
      if (isSameId(news.adopt, id)) warn(`${named}: ${REPLACED}`);
      else if (isAdopted(olds)) warn(`${named} is to be replaced: ${STAYS_ADOPTED}`);
    },

    create: (inputs) => redacted(create(inputs)),
    read: (id, props) => redacted(read(id, props, context)),
    update: (id, olds, news) => redacted(update(id, olds, news, context)),
    delete: (id, props) => redacted(remove(id, props, context)),
  };
}
