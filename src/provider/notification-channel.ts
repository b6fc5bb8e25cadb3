/** The provider of notification channels: checks and compares inputs, and leaves each operation to the channel's lifecycle. */
import type { CallOptions } from "../client/types";
import { ABANDON_KEY, type Lifecycle } from "../names";
import type { Properties, ResourceProvider } from "./boundary";
import { Connection } from "./connection";
import { CLEAN_UP, createOnly } from "./create-only";
import { checkInputs, hasUnknown, INPUTS, isChanged, normalise, OWN_INPUTS, SERVICE_INPUTS } from "./inputs";
import type { ChannelLifecycle, Context } from "./lifecycle";
import { managed } from "./managed";
import { isBareImport, lifecycleOf, title } from "./record";

/** The default one has to be there; the other one is experimental. */
const LIFECYCLES: { [Name in Lifecycle]?: (context: Context) => ChannelLifecycle } = {
  "create-only": createOnly,
  managed,
};

/**
 * Creates the provider. `warn` shows one line to the user. A provider is cheap and a connection is not: a caller that needs another
 * `warn` or deadline for each call makes a provider for each, on one connection.
 */
export function notificationChannelProvider(
  warn: (line: string) => void,
  connection = new Connection(),
  call?: Pick<CallOptions, "timeoutMs">,
): ResourceProvider {
  const context = { connection, warn, call };

  /** The lifecycle of a record or a declaration. */
  function of(properties: Properties): ChannelLifecycle {
    return (LIFECYCLES[lifecycleOf(properties)] ?? createOnly)(context);
  }

  return {
    async configure({ config }) {
      connection.configure((key) => config.get(key));
    },

    async check(olds, news) {
      const declared = { ...news, lifecycle: news.lifecycle ?? connection.lifecycle };
      const { inputs, problems, warnings } = checkInputs(declared);
      for (const warning of warnings) warn(`${title(news)}: ${warning}`);
      if (LIFECYCLES[lifecycleOf(inputs)] === undefined) problems.push(MISSING);
      // Reported here, as the program does not know the provider that a transform gives to a channel.
      const reasons = connection.problem === undefined ? problems : [connection.problem, ...problems];
      const isNew = Object.keys(olds).length === 0;
      if (reasons.length === 0) of(inputs).declared?.(inputs, isNew);
      return { inputs, failures: reasons.map((reason) => ({ property: "", reason })) };
    },

    async diff(id, olds, news) {
      const before = normalise(olds);
      const after = normalise(news);
      // In a preview the lifecycle may be unknown: the update decides again.
      const declared = of(hasUnknown(after.lifecycle) ? before : after);
      const differs = (name: string) => hasUnknown(after[name]) || isChanged(name, before, after);
      const sent = SERVICE_INPUTS.filter(differs);
      const { replaces, again } = declared.compare(id, olds, after, sent);
      const own = OWN_INPUTS.filter(differs);
      const different = [...sent, ...replaces, ...own, ...again];
      const diffs = INPUTS.filter((name) => different.includes(name));
      if (isBareImport(olds) && !isBareImport(news)) {
        warn(`${title(news, id)} ${declared.imported}`);
        return { changes: true, diffs, replaces: [], deleteBeforeReplace: false };
      }
      const moves = isChanged("lifecycle", before, after) && !hasUnknown(after.lifecycle);
      if (moves && connection.firstMention(declared.entered)) warn(declared.entered);
      declared.compared?.(id, olds, news, { sent, replaces });
      if (replaces.length > 0) of(olds).replaced(id, olds, news, replaces);
      return { changes: diffs.length > 0, diffs, replaces: [...replaces], deleteBeforeReplace: false };
    },

    create: (inputs) => of(inputs).create(inputs),

    async read(id, props) {
      // In a preview the domain of a channel that is only referred to may not be known, and the engine may leave it out.
      const isKnown = props.domainId !== undefined && !hasUnknown(props.domainId);
      return (isKnown ? of(props) : createOnly(context)).read(id, props);
    },

    update: (id, olds, news) => of(news).update(id, olds, news),

    async delete(id, props) {
      if (!connection.isAbandoned(id)) return of(props).delete(id, props);
      warn(
        `${title(props, id)} leaves this stack, as stack config ${ABANDON_KEY} lists it. It stays in the service and goes on notifying. ${CLEAN_UP}`,
      );
    },
  };
}

const MISSING = 'lifecycle is not one that this version of the package has: use "create-only"';
