/**
 * The provider of notification channels: checks and compares inputs, and leaves each operation to
 * the channel's lifecycle.
 */
import { hasUnknown } from "../common/markers";
import { redactor } from "../common/secrets";
import { ABANDON_KEY } from "../names";
import type { Properties, ResourceProvider } from "./boundary";
import { Connection } from "./connection";
import { CLEAN_UP, createOnly } from "./create-only";
import { abandon } from "./existing";
import type { ChannelContext, ChannelLifecycle } from "./lifecycle";
import { managed } from "./managed";
import {
  checkInputs,
  INPUTS,
  isBareImport,
  isChanged,
  isManaged,
  normalise,
  SERVICE_INPUTS,
  secretsOf,
  title,
} from "./record";

/**
 * Creates the provider. `warn` shows one line to the user. A provider is cheap and a connection is
 * not: a caller that needs another `warn` or deadline for each call makes a provider for each, on
 * one connection.
 */
export function notificationChannelProvider(
  warn: (line: string) => void,
  connection = new Connection(),
  call?: ChannelContext["call"],
): ResourceProvider {
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
    };

    return isManaged(record) ? managed(context) : createOnly(context);
  }

  return {
    configure: async ({ config }) => connection.configure((key) => config.get(key)),

    async check(olds, news) {
      const declared = { ...news, lifecycle: news.lifecycle ?? connection.lifecycle };
      const { inputs, problems, warnings } = checkInputs(declared);

      for (const warning of warnings) warn(`${title(news)}: ${warning}`);
      // Reported here, as the program does not know the provider that a transform gives to a
      // channel.
      const reasons = connection.problem ? [connection.problem, ...problems] : problems;

      if (reasons.length === 0) on(inputs).declared?.(inputs, Object.keys(olds).length === 0);

      return { inputs, failures: reasons.map((reason) => ({ property: "", reason })) };
    },

    async diff(id, olds, news) {
      const before = normalise(olds);
      const after = normalise(news);
      // In a preview the lifecycle may be unknown: the update decides again.
      const declared = hasUnknown(after.lifecycle) ? on(olds, news) : on(news, olds);
      const differs = (name: string) => hasUnknown(after[name]) || isChanged(name, before, after);
      if (isBareImport(olds) && !isBareImport(news)) {
        warn(`${title(news, id)} ${declared.imported}`);
        return {
          changes: true,
          diffs: INPUTS.filter(differs),
          replaces: [],
        };
      }

      const moves = isChanged("lifecycle", before, after) && !hasUnknown(after.lifecycle);

      if (moves && connection.firstMention(declared.entered)) warn(declared.entered);
      const { replaces, again } = declared.compare(id, olds, news, SERVICE_INPUTS.filter(differs));

      if (replaces.length > 0) on(olds, news).replaced(id, olds, news, replaces);
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
      if (isRecorded && connection.isAbandoned(id)) return abandon(title(props, id), warn);

      // In a preview the domain of a channel that is only referred to may not be known, and the
      // engine may leave it out.
      const isKnown = props.domainId !== undefined && !hasUnknown(props.domainId);

      return on(isKnown ? props : { ...props, lifecycle: undefined }).read(id, props);
    },

    update: (id, olds, news) => on(news, olds).update(id, olds, news),

    async delete(id, props) {
      if (!connection.isAbandoned(id)) return on(props).delete(id, props);
      warn(
        `${title(props, id)} is removed from this stack, as stack config ${ABANDON_KEY} lists it. It stays in the service and keeps sending notifications. ${CLEAN_UP}`,
      );
    },
  };
}
