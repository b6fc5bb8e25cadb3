/**
 * The default lifecycle. The documented API can only create channels, so every real change is a
 * replacement, `read` returns the recorded state, and every channel left behind is reported.
 */
import { sentences } from "../common/text";
import { FACTS } from "../names";
import { hasUnknown, pick } from "./boundary";
import { type ChannelContext, createChannel } from "./create";
import type { ChannelLifecycle } from "./lifecycle";
import { isAdopted } from "./ownership";
import { declaredOutputs, title } from "./record";

export function createOnly(context: ChannelContext): ChannelLifecycle {
  const { connection, warn, redact } = context;
  const stays = connection.lifecycle === "create-only" ? STAYS : STAYS_FOR_NOW;

  return {
    entered:
      "this update switches managed channels to create-only: later updates and destroys leave them in the service. " +
      "A channel that you remove in this update is still deleted, so switch first and remove afterwards",

    declared: async () => undefined,
    compare: (_id, _olds, _news, sent) => ({ replaces: sent, again: [] }),

    replaced(id, olds, news, replaces) {
      // The label may repeat the destination that is to come.
      const named = redact(title(olds, id));
      const known = replaces.filter((name) => !hasUnknown(news[name]));
      if (known.length === 0) {
        const line = `${named} may be replaced, and then stays in the service (not known yet: ${replaces.join(", ")})`;
        return warn(sentences([line, ...connection.explained(stays)]));
      }

      const line = `${named} is to be replaced, and stays in the service (changed: ${known.join(", ")})`;

      warn(sentences([line, ...connection.explained(stays, CLEAN_UP)]));
    },

    create: (inputs) => createChannel(inputs, context),

    read: async (id, props) => ({ id, props: { ...props, channelId: id } }),

    async update(_id, olds, news) {
      // After a change of the lifecycle or a partial create: it exists, so nothing is asked.
      const known = pick(olds, [...FACTS, "unconfirmed", "unread", "addressDigest"]);
      // Create-only refuses `adopt`, so its absence here does not hand the channel over.
      const marks = isAdopted(olds) ? { adopted: true } : {};

      return {
        outs: {
          ...known,
          ...declaredOutputs(news),
          ...marks,
        },
      };
    },

    deletes: () => false,

    async delete(id, props) {
      const line = `${title(props, id)} is removed from this stack and stays in the service`;
      warn(sentences([line, ...connection.explained(stays, CLEAN_UP)]));
    },
  };
}

const STAYS =
  "This package cannot delete channels, so what is replaced or removed stays in the service and keeps sending notifications";

const STAYS_FOR_NOW =
  "What is recorded as create-only stays in the service and keeps sending notifications: to have it deleted, first run " +
  '`pulumi up` with lifecycle "managed" and no other change';

export const KEEPS_SENDING = "It keeps sending notifications";

export const CLEAN_UP =
  "To stop its notifications, remove the channel in the Notifications tab of its domain";
