/**
 * The provider of notification channels: checks and compares inputs, and leaves each operation to
 * the channel's lifecycle. The default one is here. The documented API can only create channels, so
 * every real change is a replacement, `read` returns the recorded state, and every channel left
 * behind is reported. The other one, in `managed/`, is experimental.
 */

import { redactor } from "../common/secrets";
import { sentences } from "../common/text";
import { ABANDON_KEY, FACTS } from "../names";
import { hasUnknown, type Properties, pick, type ResourceProvider } from "./boundary";
import { Connection, type OperationContext } from "./connection";
import { type ChannelContext, createChannel, isAdopted } from "./create";
import { GONE } from "./failures";
import { channelKeepers, keptByTwo, notDeleted, resourceOf } from "./keepers";
import { managed } from "./managed";
import {
  checkInputs,
  declaredOutputs,
  INPUTS,
  isChanged,
  isManaged,
  normalise,
  SERVICE_INPUTS,
  secretsOf,
  title,
} from "./record";

/** The operations of a lifecycle. Records and declarations are as the engine sends them. */
interface ChannelLifecycle extends Pick<ResourceProvider, "create" | "read" | "update" | "delete"> {
  /**
   * Warning, once in a run, if channels are to be recorded with this lifecycle instead of the
   * other.
   */
  readonly entered: string;

  /**
   * Called for every valid declaration that is to be created. Returns the id of a channel that it
   * takes over instead, if that is known.
   */
  declared(inputs: Properties): string | undefined;

  /**
   * Called for every comparison with a declaration of this lifecycle. Returns the inputs whose
   * change needs another channel, and the ones that are to be set anew although nothing has
   * changed.
   * @param sent inputs that are sent to the service and have changed, or are unknown
   */
  compare(
    id: string,
    olds: Properties,
    news: Properties,
    sent: readonly string[],
  ): { replaces: readonly string[]; again: readonly string[] };

  /**
   * Called for a channel of this lifecycle that is to be replaced. @throws Error if it refuses that
   */
  replaced(id: string, olds: Properties, news: Properties, replaces: readonly string[]): void;
}

/**
 * Creates the provider. `warn` shows one line to the user. A provider is cheap and a connection is
 * not: a caller that needs another `warn`, deadline or URN for each call makes a provider for each,
 * on one connection.
 */
export function notificationChannelProvider(
  warn: (line: string) => void,
  connection = new Connection(),
  { call, urn }: Pick<OperationContext, "call" | "urn"> = {},
): ResourceProvider {
  const keepers = channelKeepers(connection);

  /**
   * The operations on channels with the lifecycle of the first record, in a call that is about
   * these records.
   */
  function on(record: Properties, ...others: Properties[]): ChannelLifecycle {
    const secrets = secretsOf(record, ...others);
    const context = {
      connection,
      call: { ...call, secrets },
      warn,
      redact: redactor(secrets),
      urn,
    };

    return isManaged(record) ? managed(context) : createOnly(context);
  }

  /** Notes a valid declaration, and which channel it takes over. */
  function noteDeclared(inputs: Properties, isNew: boolean): void {
    const resource = resourceOf(inputs, urn);
    keepers.declare(resource, isNew);
    const adopted = isNew ? on(inputs).declared(inputs) : undefined;
    if (adopted === undefined) return;

    const other = keepers.take(adopted, resource);
    if (other !== undefined) warn(keptByTwo(title(inputs, adopted), other));
  }

  /** Notes that a declared resource has a channel, and whether it is to be replaced. */
  function noteRecorded(id: string, olds: Properties, news: Properties, isReplaced: boolean): void {
    const other = keepers.note(id, resourceOf(news, urn), isReplaced);
    if (other === undefined) return;

    // A label may repeat a destination that has changed since.
    const named = redactor(secretsOf(news, olds))(title(news, id));
    warn(keptByTwo(named, other));
  }

  return {
    configure: async ({ config }) => connection.configure((key) => config.get(key)),

    async check(olds, news) {
      const declared = { ...news, lifecycle: news.lifecycle ?? connection.lifecycle };
      const { inputs, problems, warnings } = checkInputs(declared);

      for (const warning of warnings) warn(`${title(news)}: ${warning}`);
      // Reported here, because the program does not know the provider that a transform gives to a
      // channel.
      const reasons = connection.problem ? [connection.problem, ...problems] : problems;

      if (reasons.length === 0) noteDeclared(inputs, Object.keys(olds).length === 0);

      return { inputs, failures: reasons.map((reason) => ({ property: "", reason })) };
    },

    async diff(id, olds, news) {
      const before = normalise(olds);
      const after = normalise(news);
      // In a preview the lifecycle may be unknown: the update decides again.
      const declared = hasUnknown(after.lifecycle) ? on(olds, news) : on(news, olds);
      const differs = (name: string) => hasUnknown(after[name]) || isChanged(name, before, after);
      const moves = isChanged("lifecycle", before, after) && !hasUnknown(after.lifecycle);

      if (moves && connection.firstMention(declared.entered)) warn(declared.entered);
      const { replaces, again } = declared.compare(id, olds, news, SERVICE_INPUTS.filter(differs));

      const isReplaced = replaces.length > 0;
      noteRecorded(id, olds, news, isReplaced);
      if (isReplaced) on(olds, news).replaced(id, olds, news, replaces);

      const diffs = INPUTS.filter(
        (name) => differs(name) || replaces.includes(name) || again.includes(name),
      );

      return {
        changes: diffs.length > 0,
        diffs,
        replaces: [...replaces],
      };
    },

    create: (inputs) => on(inputs).create(inputs),

    async read(id, props) {
      const isRecorded = props.channelId !== undefined;
      if (isRecorded && connection.isAbandoned(id)) {
        warn(
          `${title(props, id)} is dropped from the state, because stack config ${ABANDON_KEY} lists it, and the service is not asked about it. ` +
            "If the program still declares it, the next `pulumi up` creates another one",
        );

        return GONE;
      }

      // In a preview the domain of a channel that is only referred to may not be known, and the
      // engine may leave it out.
      const isKnown = props.domainId !== undefined && !hasUnknown(props.domainId);

      return on(isKnown ? props : { ...props, lifecycle: undefined }).read(id, props);
    },

    update: (id, olds, news) => on(news, olds).update(id, olds, news),

    async delete(id, props) {
      const isKept = isAdopted(props);
      if (isKept) keepers.leave(id, resourceOf(props, urn));
      const keeper = isKept ? undefined : await keepers.keeperOf(id, urn);
      if (keeper !== undefined) return warn(notDeleted(title(props, id), keeper, urn));
      if (!connection.isAbandoned(id)) return on(props).delete(id, props);

      warn(
        sentences([
          `${title(props, id)} is removed from this stack and stays in the service, because stack config ${ABANDON_KEY} lists it`,
          ...connection.explained(KEEPS_SENDING, CLEAN_UP),
        ]),
      );
    },
  };
}

/** The default lifecycle. */
function createOnly(context: ChannelContext): ChannelLifecycle {
  const { connection, warn, redact } = context;
  const stays = connection.lifecycle === "create-only" ? STAYS : STAYS_FOR_NOW;

  return {
    entered:
      "this update switches managed channels to create-only: later updates and destroys leave them in the service. " +
      "A channel that you remove in this update is still deleted, so switch first and remove afterwards",

    declared: () => undefined,
    compare: (_id, _olds, _news, sent) => ({ replaces: sent, again: [] }),

    replaced(id, olds, news, replaces) {
      // The label may repeat the destination that is to come.
      const named = redact(title(olds, id));
      const known = replaces.filter((name) => !hasUnknown(news[name]));
      if (known.length === 0) {
        // The update diffs again with the known values, so nothing that may be unchanged is refused
        // here.
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
      const known = pick(olds, [...FACTS, "unconfirmed"]);
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

const KEEPS_SENDING = "It keeps sending notifications";

const CLEAN_UP =
  "To stop its notifications, remove the channel in the Notifications tab of its domain";
