/**
 * The managed lifecycle, experimental: channels are read, changed and deleted.
 * Nothing outside this folder depends on it but its line in `channel.ts`.
 */

import { DESTINATION } from "../../client/fields";
import { describe, hasUnknown, PartialFailure, type Properties } from "../boundary";
import { type ChannelContext, createChannel } from "../create";
import { failedWith } from "../failures";
import { channelKeepers, resourceOf } from "../keepers";
import type { ChannelLifecycle } from "../lifecycle";
import { announce, fateOf, title } from "../messages";
import { isAdopted } from "../ownership";
import { adopt, explainCreate, REPLACED, TAKEN_OVER, warnOfTwin } from "./adoption";
import { channelListOf, mayHave } from "./channel-list";
import { SET_CREATE_ONLY } from "./existing";
import { read, remove, replacing, staysAdopted, unconfirmed } from "./operations";
import { update } from "./update";

const ALL_ARE_SET =
  "No channel is created for it, and the declared values are set, including the destination";

const DESTINATION_STAYS =
  "No channel is created for it, and the declared values are set. Its destination stays unless you declare value";

const MAY_BE_TAKEN = "may be taken over (adopt is not known yet)";

const OTHERS_MAY_BE_TAKEN = "Other channels may be taken over as well";

const OTHERS_ARE_TAKEN = "Every other channel that declares adopt is taken over as well";

const OTHERS_STAY = "Every other adopted channel that is replaced stays as well";

/** Shown with the first channel that is taken over, because no provider can see it. */
export const NOT_SEEN =
  "A resource that has the channel under another provider, or that --target or --exclude leaves out, may still delete it: " +
  "remove that one first with `pulumi state delete`, or rename it with the option aliases instead";

class ManagedLifecycle implements ChannelLifecycle {
  readonly entered =
    "this update switches create-only channels to managed: later updates and destroys delete them. " +
    "A channel that you remove in this update still stays in the service, so switch first and remove afterwards";

  readonly #context: ChannelContext;

  constructor(context: ChannelContext) {
    const { warn, redact } = context;
    this.#context = { ...context, warn: (line) => warn(redact(line)) };
  }

  async declared(inputs: Properties): Promise<void> {
    if (isAdopted(inputs)) this.#announceAdoption(inputs);
    else await warnOfTwin(inputs, this.#context);
  }

  compare(id: string, olds: Properties, news: Properties, sent: readonly string[]) {
    const named = title(news, id);
    if (hasUnknown(news.adopt))
      announce(
        this.#context,
        `${named} may be replaced (not known yet: adopt), if adopt names another channel`,
        "Other channels may be replaced as well, if adopt names others",
      );

    this.#announceDestination(named, news, sent);

    return { replaces: replacing(id, olds, news, sent), again: unconfirmed(olds) };
  }

  replaced(id: string, olds: Properties, news: Properties): void {
    const { connection, urn, redact } = this.#context;
    const isDeclared = channelKeepers(connection).isDeclared(resourceOf(news, urn));
    if (isDeclared && news.adopt === id) throw new Error(`${redact(title(olds, id))}: ${REPLACED}`);

    if (!isAdopted(olds)) return;
    const [line, ...explanations] = staysAdopted(id, olds, this.#context);

    announce(this.#context, line, OTHERS_STAY, ...explanations);
  }

  create(inputs: Properties) {
    return this.#redacted(
      isAdopted(inputs) ? adopt(inputs, this.#context) : this.#createNew(inputs),
    );
  }

  read(id: string, props: Properties) {
    return this.#redacted(read(id, props, this.#context));
  }

  update(id: string, olds: Properties, news: Properties) {
    return this.#redacted(update(id, olds, news, this.#context));
  }

  deletes(props: Properties): boolean {
    return !isAdopted(props);
  }

  delete(id: string, props: Properties) {
    return this.#redacted(remove(id, props, this.#context));
  }

  #createNew(inputs: Properties) {
    const context = this.#context;
    const list = channelListOf(inputs, context.connection);

    return createChannel(inputs, context, {
      async before() {
        // A channel on a service that lists none could neither be read nor deleted later.
        const listed = await list.latest().catch((error) => {
          throw failedWith(`${title(inputs)} is not created`, error, SET_CREATE_ONLY);
        });

        await list.settled();
        const marks = { addressDigest: context.connection.addressDigest };

        return { marks, isListed: (id) => mayHave(listed, id) };
      },
      explain: (error, before) => explainCreate(error, inputs, before, context),
    });
  }

  #announceAdoption(inputs: Properties): void {
    const { redact } = this.#context;
    const consequence = (inputs.value ?? null) === null ? DESTINATION_STAYS : ALL_ARE_SET;
    const [line, others] = hasUnknown(inputs.adopt)
      ? [fateOf(inputs, undefined, MAY_BE_TAKEN, redact), OTHERS_MAY_BE_TAKEN]
      : [fateOf(inputs, String(inputs.adopt), TAKEN_OVER, redact), OTHERS_ARE_TAKEN];

    announce(this.#context, line, others, consequence, NOT_SEEN);
  }

  /**
   * Many channels may have one destination, so a change of it is announced with the first of them.
   */
  #announceDestination(named: string, news: Properties, sent: readonly string[]): void {
    const { connection } = this.#context;
    const changed = DESTINATION.filter((name) => sent.includes(name));
    if (changed.length === 0) return;

    const inputs = changed.join(", ");
    const isUnknown = changed.every((name) => hasUnknown(news[name]));
    const how = isUnknown ? "may change" : "changes";
    const destination = `destination ${JSON.stringify([news.value, news.secondaryValue])}`;
    if (!isUnknown && !connection.firstMention(destination)) return;

    announce(
      this.#context,
      `${named}: the destination ${how} (${inputs})`,
      `The destinations of other channels ${isUnknown ? "may change" : "change"} as well`,
    );
  }

  /** Without destinations: a label may repeat a former destination. */
  async #redacted<T>(operation: Promise<T>): Promise<T> {
    const { redact } = this.#context;
    try {
      return await operation;
    } catch (error) {
      const message = redact(describe(error));
      if (error instanceof PartialFailure)
        throw new PartialFailure(error.resourceId, error.outs, message, redact(error.otherwise));

      throw new Error(message);
    }
  }
}

export function managed(context: ChannelContext): ChannelLifecycle {
  return new ManagedLifecycle(context);
}
