/** The provider of notification channels: checks and compares inputs, and leaves each operation to the channel's lifecycle. */
import { hasUnknown } from "../common/markers";
import { ABANDON_KEY, type Lifecycle } from "../names";
import { describe, PartialFailure, type Properties, type ResourceProvider } from "./boundary";
import { Connection } from "./connection";
import { CLEAN_UP, createOnly } from "./create-only";
import type { ChannelContext, ChannelLifecycle } from "./lifecycle";
import { managed } from "./managed";
import {
  checkInputs,
  INPUTS,
  isBareImport,
  isChanged,
  lifecycleOf,
  normalise,
  redactorFor,
  SERVICE_INPUTS,
  title,
} from "./record";

const OPERATIONS: Record<Lifecycle, (context: ChannelContext) => ChannelLifecycle> = {
  "create-only": createOnly,
  managed,
};

function operations(properties: Properties, context: ChannelContext): ChannelLifecycle {
  return OPERATIONS[lifecycleOf(properties)](context);
}

/**
 * Creates the provider. `warn` shows one line to the user. A provider is cheap and a connection is not: a caller that needs another
 * `warn` or deadline for each call makes a provider for each, on one connection.
 */
export function notificationChannelProvider(
  warn: (line: string) => void,
  connection = new Connection(),
  call?: ChannelContext["call"],
): ResourceProvider {
  /**
   * Runs a call about records of a channel. Nothing that it says repeats their destinations: the service knows them, and any of
   * its texts may hold one.
   */
  async function about<T>(records: Properties[], run: (context: ChannelContext) => Promise<T>): Promise<T> {
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

  return {
    async configure({ config }) {
      connection.configure((key) => config.get(key));
    },

    check: (olds, news) =>
      about([news], async (context) => {
        const declared = { ...news, lifecycle: news.lifecycle ?? connection.lifecycle };
        const { inputs, problems, warnings } = checkInputs(declared);
        for (const warning of warnings) context.warn(`${title(news)}: ${warning}`);
        // Reported here, as the program does not know the provider that a transform gives to a channel.
        const reasons = connection.problem === undefined ? problems : [connection.problem, ...problems];
        const isNew = Object.keys(olds).length === 0;
        if (reasons.length === 0) operations(inputs, context).declared?.(inputs, isNew);
        return { inputs, failures: reasons.map((reason) => ({ property: "", reason })) };
      }),

    diff: (id, olds, news) =>
      about([olds, news], async (context) => {
        const before = normalise(olds);
        const after = normalise(news);
        // In a preview the lifecycle may be unknown: the update decides again.
        const declared = operations(hasUnknown(after.lifecycle) ? before : after, context);
        const differs = (name: string) => hasUnknown(after[name]) || isChanged(name, before, after);
        if (isBareImport(olds) && !isBareImport(news)) {
          context.warn(`${title(news, id)} ${declared.imported}`);
          return { changes: true, diffs: INPUTS.filter(differs), replaces: [], deleteBeforeReplace: false };
        }
        const moves = isChanged("lifecycle", before, after) && !hasUnknown(after.lifecycle);
        if (moves && connection.firstMention(declared.entered)) context.warn(declared.entered);
        const { replaces, again } = declared.compare(id, olds, news, SERVICE_INPUTS.filter(differs));
        if (replaces.length > 0) operations(olds, context).replaced(id, olds, news, replaces);
        const diffs = INPUTS.filter(
          (name) => differs(name) || replaces.includes(name) || again.includes(name),
        );
        return { changes: diffs.length > 0, diffs, replaces: [...replaces], deleteBeforeReplace: false };
      }),

    create: (inputs) => about([inputs], (context) => operations(inputs, context).create(inputs)),

    read: (id, props) =>
      about([props], (context) => {
        // In a preview the domain of a channel that is only referred to may not be known, and the engine may leave it out.
        const isKnown = props.domainId !== undefined && !hasUnknown(props.domainId);
        return (isKnown ? operations(props, context) : createOnly(context)).read(id, props);
      }),

    update: (id, olds, news) =>
      about([olds, news], (context) => operations(news, context).update(id, olds, news)),

    delete: (id, props) =>
      about([props], async (context) => {
        if (!connection.isAbandoned(id)) return operations(props, context).delete(id, props);
        context.warn(
          `${title(props, id)} is removed from this stack, as stack config ${ABANDON_KEY} lists it. It stays in the service and keeps sending notifications. ${CLEAN_UP}`,
        );
      }),
  };
}
