/**
 * The provider of notification channels: checks and compares inputs, notes which resource wants
 * which channel, and leaves each operation to the channel's lifecycle. The default one is below; the
 * other one, in `managed/`, is experimental.
 */

import { setTimeout } from "node:timers/promises";
import { redactor } from "../common/secrets";
import { sentences, type Warn } from "../common/text";
import { ABANDON_KEY, FACTS } from "../names";
import { hasUnknown, type Properties, pick, type ResourceProvider } from "./boundary";
import { Connection, type OperationContext } from "./connection";
import { type ChannelContext, createChannel } from "./create";
import { abandoned } from "./failures";
import { channelKeepers, deletedWithAnother, notDeleted, resourceOf } from "./keepers";
import type { ChannelLifecycle } from "./lifecycle";
import { managed } from "./managed";
import { announce, fateOf, tell, title } from "./messages";
import { isAdopted } from "./ownership";
import {
  checkInputs,
  declaredOutputs,
  INPUTS,
  isChanged,
  isManaged,
  normalise,
  SERVICE_INPUTS,
  secretsOf,
} from "./record";

/**
 * Time in ms within which a destroy asks for the deletes of resources that do not depend on each
 * other: all at once, in any order.
 */
const DESTROY_BEGINS = 50;

/**
 * A provider is cheap and a connection is not: a caller that needs another `warn`, deadline or URN
 * for each call makes a provider for each, on one connection.
 */
class ChannelProvider implements ResourceProvider {
  readonly #keepers: ReturnType<typeof channelKeepers>;

  constructor(
    private readonly warn: Warn,
    private readonly connection: Connection,
    private readonly of: Pick<OperationContext, "call" | "urn">,
  ) {
    this.#keepers = channelKeepers(connection);
  }

  async configure({ config }: Parameters<ResourceProvider["configure"]>[0]): Promise<void> {
    this.connection.configure((key) => config.get(key));
  }

  async check(olds: Properties, news: Properties) {
    const { connection, warn } = this;
    const declared = { ...news, lifecycle: news.lifecycle ?? connection.lifecycle };
    const { inputs, problems, warnings } = checkInputs(declared);

    for (const warning of warnings) warn(`${title(news)}: ${warning}`);
    // Reported here, because the program does not know the provider that a transform gives to a
    // channel.
    const reasons = connection.problem ? [connection.problem, ...problems] : problems;
    if (reasons.length === 0) {
      const isNew = Object.keys(olds).length === 0;
      const rivalry = this.#noteDeclared(inputs);

      if (rivalry !== undefined) reasons.push(rivalry);
      else if (isNew) await this.#on(inputs).declared(inputs);
    }

    return { inputs, failures: reasons.map((reason) => ({ property: "", reason })) };
  }

  async diff(id: string, olds: Properties, news: Properties) {
    const { connection, warn } = this;
    const before = normalise(olds);
    const after = normalise(news);
    // In a preview the lifecycle may be unknown: the update decides again.
    const declared = hasUnknown(after.lifecycle) ? this.#on(olds, news) : this.#on(news, olds);
    const differs = (name: string) => hasUnknown(after[name]) || isChanged(name, before, after);
    const moves = isChanged("lifecycle", before, after) && !hasUnknown(after.lifecycle);

    if (moves && connection.firstMention(declared.entered)) warn(declared.entered);
    const { replaces, again } = declared.compare(id, olds, news, SERVICE_INPUTS.filter(differs));

    const isReplaced = replaces.length > 0;
    this.#noteRecorded(id, olds, news, isReplaced);
    if (isReplaced) this.#on(olds, news).replaced(id, olds, news, replaces);

    const diffs = INPUTS.filter(
      (name) => differs(name) || replaces.includes(name) || again.includes(name),
    );

    return {
      changes: diffs.length > 0,
      diffs,
      replaces: [...replaces],
    };
  }

  create(inputs: Properties) {
    return this.#on(inputs).create(inputs);
  }

  async read(id: string, props: Properties) {
    const { connection, warn } = this;
    const isRecorded = props.channelId !== undefined;
    if (isRecorded && connection.isAbandoned(id)) return abandoned(title(props, id), warn);

    // A reference may take the place of the resource that has created the channel.
    if (!isRecorded) this.#keepers.note(id, resourceOf(props, this.of.urn), "kept");

    // In a preview the domain of a channel that is only referred to may not be known, and the
    // engine may leave it out.
    const isKnown = props.domainId !== undefined && !hasUnknown(props.domainId);

    return this.#on(isKnown ? props : { ...props, lifecycle: undefined }).read(id, props);
  }

  update(id: string, olds: Properties, news: Properties) {
    return this.#on(news, olds).update(id, olds, news);
  }

  async delete(id: string, props: Properties): Promise<void> {
    const { connection, warn } = this;
    const resource = resourceOf(props, this.of.urn);
    const named = title(props, id);
    if (isAdopted(props)) this.#keepers.note(id, resource, "kept");
    // The record of a resource that has adopted the channel may come right after.
    else if (isManaged(props) && this.#keepers.isDestroy) await setTimeout(DESTROY_BEGINS);

    if (this.#keepers.has(id, "deleted")) return warn(deletedWithAnother(named));
    const keeper = this.#keepers.wantedBy(id, resource);
    if (keeper !== undefined && !isAdopted(props)) return warn(notDeleted(named, keeper, resource));

    if (connection.isAbandoned(id)) return warn(this.#abandoned(named));

    await this.#remove(id, props, resource);
  }

  /** Removes a record, and with it what the stack owns. */
  async #remove(id: string, props: Properties, resource: string): Promise<void> {
    const lifecycle = this.#on(props);
    const isSent = lifecycle.deletes(props);
    if (isSent) this.#keepers.note(id, resource, "deleted");
    try {
      await lifecycle.delete(id, props);
    } catch (error) {
      if (isSent) this.#keepers.note(id, resource, "dropped");
      throw error;
    }
  }

  #abandoned(named: string): string {
    return sentences([
      `${named} is removed from this stack and stays in the service, because ${ABANDON_KEY} lists it`,
      ...this.connection.explained(KEEPS_NOTIFYING),
    ]);
  }

  /**
   * The operations on channels with the lifecycle of the first record, in a call that is about
   * these records.
   */
  #on(record: Properties, ...others: Properties[]): ChannelLifecycle {
    const { connection, warn } = this;
    const { call, urn } = this.of;
    const secrets = secretsOf(record, ...others);
    const context: ChannelContext = {
      connection,
      call: { ...call, secrets },
      warn,
      redact: redactor(secrets),
      urn,
    };

    return isManaged(record) ? managed(context) : createOnly(context);
  }

  /**
   * Notes a valid declaration, and the channel that it takes over. Returns the problem of a channel
   * that another resource has.
   */
  #noteDeclared(inputs: Properties): string | undefined {
    const resource = resourceOf(inputs, this.of.urn);
    this.#keepers.declare(resource);
    const { adopt } = inputs;
    if (typeof adopt !== "string" || hasUnknown(adopt)) return undefined;

    this.#keepers.note(adopt, resource, "taken");

    return this.#keepers.rivalry(adopt, resource, () => title(inputs, adopt))?.message;
  }

  /**
   * Notes that a declared resource has a channel, and whether it is to be replaced. @throws Error if
   * another resource takes the same channel over
   */
  #noteRecorded(id: string, olds: Properties, news: Properties, isReplaced: boolean): void {
    const resource = resourceOf(news, this.of.urn);
    // A refresh compares as well.
    if (!this.#keepers.isDeclared(resource)) return;

    // An adopted channel stays, although an earlier record of the resource may still wait for its
    // delete, and own the channel.
    if (!isReplaced) this.#keepers.note(id, resource, isAdopted(olds) ? "given" : "recorded");
    // A create-only channel stays in the service, so it may be taken over.
    else if (isManaged(olds) && !isAdopted(olds)) this.#keepers.note(id, resource, "dropped");
    else return;

    // A label may repeat a destination that has changed since.
    const named = () => redactor(secretsOf(news, olds))(title(news, id));
    const rivalry = this.#keepers.rivalry(id, resource, named);
    if (rivalry?.isRefused) throw new Error(rivalry.message);
    if (rivalry) this.warn(rivalry.message);
  }
}

/** @param warn shows one line to the user */
export function notificationChannelProvider(
  warn: Warn,
  connection = new Connection(),
  of: Pick<OperationContext, "call" | "urn"> = {},
): ResourceProvider {
  return new ChannelProvider(warn, connection, of);
}

/**
 * The default lifecycle. The documented API can only create channels, so every real change is a
 * replacement, `read` returns the recorded state, and every channel left behind is reported.
 */
function createOnly(context: ChannelContext): ChannelLifecycle {
  const { connection, redact } = context;
  const stays = connection.lifecycle === "create-only" ? STAYS : STAYS_FOR_NOW;

  return {
    entered:
      "this update switches managed channels to create-only: later updates and destroys leave them in the service. " +
      "A channel that you remove in this update is still deleted, so switch first and remove afterwards",

    declared: async () => undefined,
    compare: (_id, _olds, _news, sent) => ({ replaces: sent, again: [] }),

    replaced(id, olds, news, replaces) {
      if (!replaces.every((name) => hasUnknown(news[name])))
        return announce(context, fateOf(olds, id, "stays", redact), OTHERS_STAY, stays);

      const fate = `may be replaced, and then stays (not known yet: ${replaces.join(", ")})`;

      announce(context, fateOf(olds, id, fate, redact), OTHERS_MAY_STAY);
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

    delete: async (id, props) => tell(context, fateOf(props, id, "stays", redact), stays),
  };
}

const OTHERS_STAY = "Every other channel that is replaced stays as well";

const OTHERS_MAY_STAY = "Other channels may be replaced as well, and then stay";

const TO_DELETE = "delete it in the domain's notification settings";

const STAYS = `The service documents no way to delete a channel, so this one keeps notifying: ${TO_DELETE}`;

const STAYS_FOR_NOW =
  "This one is recorded as create-only, so it keeps notifying: to have such channels deleted, first run " +
  '`pulumi up` with lifecycle "managed" and no other change';

const KEEPS_NOTIFYING = `It keeps notifying: ${TO_DELETE}`;
