/**
 * The managed lifecycle, experimental: channels are read, changed and deleted with operations that the interface does not show
 * (docs/beyond-the-interface.md). Nothing outside this folder depends on it but its line in `notification-channel.ts`.
 */
import { describe, PartialFailure, type Properties } from "../boundary";
import { createChannel } from "../create-only";
import type { ChannelLifecycle, Context as ProviderContext } from "../lifecycle";
import { redactorFor, title } from "../record";
import { adopt, explainCreate } from "./adoption";
import { failure, REPLACED, SET_CREATE_ONLY } from "./errors";
import { type Context, isSameId, read, remove, replacing, unconfirmed, update } from "./operations";
import { runOf } from "./run";

const ADOPTED = "is taken over: no channel is created, and what is declared is set, the destination too";

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
      'channels are to be recorded with lifecycle "managed", so that a later update or destroy deletes them. What leaves the program ' +
      "in this update is still create-only and stays in the service: run it without other changes first",
    imported: ADOPTED,

    introduced: (inputs) => (inputs.adopt === undefined ? undefined : `${title(inputs)} ${ADOPTED}`),

    compare: (id, olds, news, sent) => ({
      replaces: replacing(id, olds, news, sent),
      again: unconfirmed(olds),
    }),

    compared(id, news, replaces) {
      run.noteHeld(id);
      if (replaces.length > 0) run.noteReplacement(id, news);
    },

    replaced(id, olds, news) {
      if (isSameId(news.adopt, id)) warn(`${title(olds, id)}: ${REPLACED}`);
    },

    create: (inputs) =>
      on([inputs], async (context) => {
        if (inputs.adopt !== undefined) return adopt(inputs, context);
        const domainId = String(inputs.domainId);
        let startedAt = 0;
        const gained = (id: string) => {
          run.noteHeld(id);
          run.lists.outdate(domainId);
        };
        try {
          const created = await createChannel(inputs, context, {
            async before() {
              await requireManagedService(inputs, context);
              await run.lists.settled(domainId);
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

/** Refuses a create on a service that lists no channels: the channel could neither be read nor deleted later. */
async function requireManagedService(inputs: Properties, { run, call }: Context): Promise<void> {
  try {
    await run.lists.requireReadable(String(inputs.domainId), call);
  } catch (error) {
    throw failure(`${title(inputs)} is not created`, error, SET_CREATE_ONLY);
  }
}
