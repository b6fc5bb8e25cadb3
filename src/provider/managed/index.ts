/**
 * The managed lifecycle, experimental: channels are read, changed and deleted.
 * Nothing outside this folder depends on it but its line in `channel.ts`.
 */

import { sentences } from "../../common/text";
import { describe, hasUnknown, PartialFailure, type Properties } from "../boundary";
import { type ChannelContext, createChannel, isAdopted } from "../create";
import { failure } from "../failures";
import { channelKeepers, resourceOf } from "../keepers";
import { title } from "../record";
import { adopt, explainCreate, REPLACED, warnOfTwin } from "./adoption";
import { channelListOf } from "./channel-list";
import { SET_CREATE_ONLY } from "./existing";
import { read, remove, replacing, staysAdopted, unconfirmed } from "./operations";
import { update } from "./update";

const ALL_ARE_SET =
  "No channel is created for it, and the declared values are set, including the destination";

const DESTINATION_STAYS =
  "No channel is created for it, and the declared values are set. Its destination stays: to set that, declare value";

const OTHER_PROVIDERS =
  "A resource of another provider that has the channel is not seen and still deletes it: take that one out first with " +
  "`pulumi state delete`, or keep its name by the option aliases instead of adopt";

export function managed(provider: ChannelContext) {
  const { connection, warn, redact } = provider;
  const context: ChannelContext = { ...provider, warn: (line) => warn(redact(line)) };

  /** Without destinations: a label may repeat a former destination. */
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

  async function create(inputs: Properties) {
    if (isAdopted(inputs)) return adopt(inputs, context);

    const list = channelListOf(inputs, connection);

    return createChannel(inputs, context, {
      async before() {
        // A channel on a service that lists none could neither be read nor deleted later.
        const listed = await list.firstPage().catch((error) => {
          throw failure(`${title(inputs)} is not created`, error, SET_CREATE_ONLY);
        });

        warnOfTwin(inputs, listed, context);
        await list.settled();

        return { marks: { addressDigest: connection.addressDigest }, listed };
      },
      explain: (error, { listed }) => explainCreate(error, inputs, listed, context),
    });
  }

  return {
    entered:
      "this update switches create-only channels to managed: later updates and destroys delete them. " +
      "A channel that you remove in this update still stays in the service, so switch first and remove afterwards",

    declared(inputs: Properties) {
      if (!isAdopted(inputs)) return undefined;

      const isKnown = !hasUnknown(inputs.adopt);
      const consequence = (inputs.value ?? null) === null ? DESTINATION_STAYS : ALL_ARE_SET;
      const named = title(inputs, isKnown ? String(inputs.adopt) : undefined);
      const line = isKnown
        ? `${named} is taken over`
        : `${named} may be taken over (adopt is not known yet)`;

      warn(sentences([line, ...connection.explained(consequence, OTHER_PROVIDERS)]));

      return isKnown ? String(inputs.adopt) : undefined;
    },

    compare(id: string, olds: Properties, news: Properties, sent: readonly string[]) {
      // A label may repeat a destination that has changed since.
      const named = redact(title(news, id));

      if (hasUnknown(news.adopt))
        warn(`${named} may be replaced (not known yet: adopt), if adopt names another channel`);

      warnOfDestination(named, news, sent);

      return { replaces: replacing(id, olds, news, sent), again: unconfirmed(olds) };
    },

    replaced(id: string, olds: Properties, news: Properties) {
      const named = redact(title(olds, id));
      const isDeclared = channelKeepers(connection).isDeclared(resourceOf(news, provider.urn));
      if (isDeclared && news.adopt === id) throw new Error(`${named}: ${REPLACED}`);
      if (isAdopted(olds)) warn(staysAdopted(`${named} is to be replaced`, id, olds, provider));
    },

    create: (inputs: Properties) => redacted(create(inputs)),
    read: (id: string, props: Properties) => redacted(read(id, props, context)),
    update: (id: string, olds: Properties, news: Properties) =>
      redacted(update(id, olds, news, context)),
    delete: (id: string, props: Properties) => redacted(remove(id, props, context)),
  };
}
