/**
 * The managed lifecycle, experimental: channels are read, changed and deleted with undocumented operations
 * (docs/managed-channels.md). Nothing outside this folder depends on it but its line in `notification-channel.ts`.
 */
import type { NotificationChannelData } from "../../client/types";
import { describe, PartialFailure, type Properties } from "../boundary";
import { createChannel } from "../create-only";
import { failure } from "../failures";
import { hasUnknown } from "../inputs";
import type { ChannelLifecycle, Context as ProviderContext } from "../lifecycle";
import { redactorFor, title } from "../record";
import { adopt, explainCreate, warnOfTwin } from "./adoption";
import { ADOPTED_TWICE, REPLACED, SET_CREATE_ONLY, STAYS_ADOPTED } from "./errors";
import {
  type Context,
  isAdopted,
  isSameId,
  read,
  remove,
  replacing,
  unconfirmed,
  update,
} from "./operations";
import { runOf } from "./run";

const ADOPTED = "is taken over: no channel is created, and what is declared is set, the destination too";
const MAY_BE_ADOPTED =
  "may be taken over (adopt is not known yet): then no channel is created, and what is declared is set, the destination too";

/** The operations on managed channels. */
export function managed(provider: ProviderContext): ChannelLifecycle {
  const { connection, warn } = provider;
  const run = runOf(connection);

  /**
   * Runs an operation on records of a channel. Nothing that it says repeats their destinations: the service knows them, and any
   * of its texts may hold one.
   */
  async function on<T>(records: Properties[], operation: (context: Context) => Promise<T>): Promise<T> {
    const redact = redactorFor(...records);
    try {
      return await operation({ ...provider, run, redact, warn: (line) => warn(redact(line)) });
    } catch (error) {
      const message = redact(describe(error));
      if (error instanceof PartialFailure)
        throw new PartialFailure(error.resourceId, error.outs, message, redact(error.otherwise));
      throw new Error(message);
    }
  }

  return {
    entered:
      "channels that are recorded as create-only are to become managed, so that a later update or destroy deletes them. One of them " +
      "that leaves the program in this update still stays in the service: run it without other changes first",
    imported: ADOPTED,

    declared(inputs, isNew) {
      run.noteDeclared(inputs);
      if (!isNew || !isAdopted(inputs)) return;
      const isKnown = !hasUnknown(inputs.adopt);
      warn(`${title(inputs)} ${isKnown ? ADOPTED : MAY_BE_ADOPTED}`);
      if (isKnown && !run.claim(String(inputs.adopt), inputs)) warn(`${title(inputs)}: ${ADOPTED_TWICE}`);
    },

    compare: (id, olds, news, sent) => ({
      replaces: replacing(id, olds, news, sent),
      again: unconfirmed(olds),
    }),

    compared(id, olds, news, { sent, replaces }) {
      run.noteHeld(id);
      if (isAdopted(olds) || isSameId(news.adopt, id)) run.noteBorrowed(id);
      // A label may repeat a destination that has changed since.
      const named = redactorFor(olds, news)(title(news, id));
      if (hasUnknown(news.adopt))
        warn(`${named} may be replaced (not known yet: adopt), if adopt names another channel`);
      const destinations = sent.filter((name) => name === "value" || name === "secondaryValue");
      if (destinations.length > 0) {
        const isKnown = destinations.some((name) => !hasUnknown(news[name]));
        const changes = isKnown ? "is to be changed" : "may be changed";
        warn(`${named}: the destination ${changes} (${destinations.join(", ")})`);
      }
      if (replaces.length > 0) run.noteReplacement(id, news);
      else if (!run.claim(id, news)) warn(`${named}: ${ADOPTED_TWICE}`);
    },

    replaced(id, olds, news) {
      if (isSameId(news.adopt, id)) warn(`${title(olds, id)}: ${REPLACED}`);
      else if (isAdopted(olds)) warn(`${title(olds, id)} is to be replaced: ${STAYS_ADOPTED}`);
    },

    create: (inputs) =>
      on([inputs], async (context) => {
        if (isAdopted(inputs)) return adopt(inputs, context);
        const list = run.list(inputs);
        let startedAt = 0;
        const gained = (id: string) => {
          run.noteHeld(id);
          list.outdate();
        };
        try {
          const created = await createChannel(inputs, context, {
            async before() {
              warnOfTwin(inputs, await listed(inputs, context), context);
              await list.settled();
              startedAt = Date.now();
            },
            explain: (error) => explainCreate(error, inputs, startedAt, context),
          });
          gained(created.id);
          return created;
        } catch (error) {
          if (error instanceof PartialFailure) gained(error.resourceId);
          throw error;
        }
      }),

    read: (id, props) => on([props], (context) => read(id, props, context)),
    update: (id, olds, news) => on([olds, news], (context) => update(id, olds, news, context)),
    delete: (id, props) => on([props], (context) => remove(id, props, context)),
  };
}

/** The channels of the domain. A channel on a service that lists none could neither be read nor deleted later. @throws Error */
async function listed(
  inputs: Properties,
  { run, call }: Context,
): Promise<readonly NotificationChannelData[]> {
  try {
    return await run.list(inputs).firstPage(call);
  } catch (error) {
    throw failure(`${title(inputs)} is not created`, error, SET_CREATE_ONLY);
  }
}
