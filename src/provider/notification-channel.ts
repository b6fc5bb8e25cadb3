/**
 * The provider of notification channels. The interface only has an operation to create one, so every real change is a
 * replacement, `read` returns the recorded state, and every channel left behind is reported.
 */
import { DomainMonitoringError } from "../client/errors";
import { redactor, sanitizeText } from "../client/internal/redact";
import {
  type CallOptions,
  type CreateNotificationChannel,
  type NotificationChannelData,
  WEBHOOK_METHODS,
} from "../client/types";
import { FLAGS } from "../names";
import { PartlyCreated, type Properties, type ResourceProvider } from "./boundary";
import { Connection } from "./connection";
import { checkInputs, compact, hasUnknown, INPUTS, normalise, SERVICE_INPUTS, UNKNOWN } from "./inputs";

/**
 * Creates the provider. `warn` shows one line to the user. A provider is cheap and a connection is not: whoever needs another
 * `warn` or deadline for each call makes a provider for each, on one connection.
 */
export function notificationChannelProvider(
  warn: (line: string) => void,
  connection = new Connection(),
  call?: Pick<CallOptions, "timeoutMs">,
): ResourceProvider {
  return {
    async configure({ config }) {
      connection.configure((key) => config.get(key));
    },

    async check(_olds, news) {
      const { inputs, problems, warnings } = checkInputs(news);
      for (const warning of warnings) warn(`${title(news)}: ${warning}`);
      // Reported here, as the program does not know the provider that a transform gives to a channel.
      const reasons = connection.problem === undefined ? problems : [connection.problem, ...problems];
      return { inputs, failures: reasons.map((reason) => ({ property: "", reason })) };
    },

    async diff(id, olds, news) {
      if (isOnlyAnId(olds) && !isOnlyAnId(news)) {
        warn(`${title(news, id)} ${TAKEN_OVER}`);
        return { changes: true, replaces: [], deleteBeforeReplace: false };
      }
      const before = normalise(olds);
      const after = normalise(news);
      const unclear = SERVICE_INPUTS.filter((name) => hasUnknown(after[name]));
      const changed = SERVICE_INPUTS.filter(
        (name) => !unclear.includes(name) && (before[name] ?? null) !== (after[name] ?? null),
      );
      if (changed.length > 0) {
        const refused = before.onOrphan === "error" || after.onOrphan === "error";
        if (refused) throw new Error(`${title(olds, id)} would be replaced. ${STAYS}. ${REFUSED}`);
        warn(`${title(olds, id)} is to be replaced (changed: ${changed.join(", ")}). ${STAYS}. ${CLEAN_UP}`);
      } else if (unclear.length > 0) {
        // The update diffs again with the known values, so nothing that may be unchanged is refused here.
        warn(`${title(olds, id)} may be replaced (not known yet: ${unclear.join(", ")}). ${STAYS} if it is`);
      }
      const replaces = [...changed, ...unclear];
      return {
        changes: replaces.length > 0 || before.onOrphan !== after.onOrphan,
        replaces,
        deleteBeforeReplace: false,
      };
    },

    async create(inputs) {
      const channel = toChannel(inputs);
      const domainId = String(inputs.domainId);
      try {
        const created = await connection.client.notificationChannels.create(domainId, channel, call);
        for (const difference of differences(channel, created))
          warn(`${title(inputs, created.id)}: ${difference}`);
        return { id: created.id, outs: { ...declaredOutputs(inputs), ...facts(created) } };
      } catch (error) {
        if (error instanceof DomainMonitoringError && error.channelId !== undefined) {
          throw partlyCreated(inputs, error.channelId, error);
        }
        throw error;
      }
    },

    async read(id, props) {
      return { id, props: { ...props, channelId: id }, inputs: recordedInputs(props) };
    },

    // Called after a change of `onOrphan`, a partial create or an import: the channel exists, so no request is needed.
    async update(id, olds, news) {
      return { outs: { ...unreadFacts(id, news), ...pick(olds, FACTS), ...declaredOutputs(news) } };
    },

    async delete(id, props) {
      if (props.onOrphan === "error")
        throw new Error(
          `${title(props, id)} is not deleted. ${STAYS}. ${REFUSED}, or take it out of the state with \`pulumi state delete\``,
        );
      warn(`${title(props, id)} leaves this stack. ${STAYS}. ${CLEAN_UP}`);
    },
  };
}

const STAYS = "This package cannot delete it, so it stays in the service and goes on notifying";
const CLEAN_UP = "Remove it in the service's own settings of that domain if nobody is to be notified";
const REFUSED =
  'onOrphan is "error", so this is refused: declare the channel as it was with onOrphan "warn", run `pulumi up`, then try again';

const TAKEN_OVER =
  "is taken over as it is declared. The service cannot be asked for it: make sure that this id and these values are the channel's";

/** Whether this is what an import records: nothing but the id, as the service cannot be asked for the rest. */
function isOnlyAnId(recorded: Properties): boolean {
  return ["domainId", "label", "type"].every((name) => recorded[name] === undefined);
}

/** How messages name a channel, on one line. Redacted, as a label may repeat the destination. */
function title(properties: Properties, id?: string): string {
  const { label, type, domainId, value, secondaryValue } = properties;
  const redact = redactor([value, secondaryValue].filter(isSecret));
  const text = (part: unknown) =>
    typeof part === "string" && part !== UNKNOWN ? sanitizeText(part, redact) : "?";
  const identified = id ? `, id ${text(id)}` : "";
  return `Notification channel "${text(label)}" (${text(type)}, domain ${text(domainId)}${identified})`;
}

/** A webhook's method is not a secret, and may occur in the label. */
function isSecret(part: unknown): part is string {
  return typeof part === "string" && part !== UNKNOWN && !WEBHOOK_METHODS.some((method) => method === part);
}

/** Outputs that only the service can provide. */
const FACTS = ["channelId", "typeHuman", "isProtected", "isDisabled", "disabledReason", "createdAt"] as const;

function facts(created: NotificationChannelData): Record<(typeof FACTS)[number], unknown> {
  const { id, typeHuman, isProtected, isDisabled, disabledReason, createdAt } = created;
  return { channelId: id, typeHuman, isProtected, isDisabled, disabledReason, createdAt };
}

/** Outputs of a channel whose answer could not be read: the id, and the initial state of every channel (interface.md, section 3). */
function unreadFacts(id: string, inputs: Properties): Record<(typeof FACTS)[number], unknown> {
  return {
    channelId: id,
    typeHuman: inputs.type,
    isProtected: false,
    isDisabled: false,
    disabledReason: null,
    createdAt: "",
  };
}

/** Outputs that repeat inputs. They exist even if the input was omitted. */
function declaredOutputs(inputs: Properties): Properties {
  return { secondaryValue: null, ...normalise(inputs) };
}

/** The inputs in recorded outputs, in the form that `check` returns. Nothing is added, as `get` records only what it was given. */
function recordedInputs(outputs: Properties): Properties {
  const inputs = compact(pick(outputs, INPUTS));
  if (inputs.secondaryValue === null) delete inputs.secondaryValue;
  return inputs;
}

function pick(properties: Properties, names: readonly string[]): Properties {
  return Object.fromEntries(
    names.filter((name) => name in properties).map((name) => [name, properties[name]]),
  );
}

function partlyCreated(inputs: Properties, id: string, { cause }: DomainMonitoringError): PartlyCreated {
  const outs = { ...unreadFacts(id, inputs), ...declaredOutputs(inputs) };
  const why = cause instanceof Error ? ` (${cause.message})` : "";
  const next = "run `pulumi up` again to complete its record, which creates no other one";
  const message = `${title(inputs, id)} was created, but the rest of the service's answer cannot be used${why}: ${next}`;
  return new PartlyCreated(id, outs, message);
}

/** Converts inputs for the client, which validates them again. */
function toChannel(inputs: Properties): CreateNotificationChannel {
  const { label, type, value, secondaryValue, ...rest } = inputs;
  const flag = (enabled: unknown) => (typeof enabled === "boolean" ? enabled : undefined);
  return {
    label: String(label),
    type: type as CreateNotificationChannel["type"],
    value: typeof value === "string" ? value : null,
    secondaryValue: typeof secondaryValue === "string" ? secondaryValue : undefined,
    whoisNotificationsEnabled: flag(rest.whoisNotificationsEnabled),
    dnsNotificationsEnabled: flag(rest.dnsNotificationsEnabled),
    sslNotificationsEnabled: flag(rest.sslNotificationsEnabled),
  };
}

/** Differences between what was declared and created. The declared values are kept, or every preview would show a change. */
function differences(declared: CreateNotificationChannel, created: NotificationChannelData): string[] {
  return (["label", "type", ...FLAGS] as const)
    .filter((name) => declared[name] !== undefined && declared[name] !== created[name])
    .map(
      (name) =>
        `the service answered with another ${name} than was declared: look at the channel in the service`,
    );
}
