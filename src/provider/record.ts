/** The record of a channel, its comparison with what the service reports, and the channel's name in messages. Pure. */

import { destinationsOf } from "../client/channel-rules";
import type { CreateNotificationChannel, NotificationChannelData } from "../client/types";
import { UNKNOWN } from "../common/markers";
import { quotable, redactor, sanitizeText } from "../common/redact";
import { type FACTS, FLAGS, LIFECYCLES, type Lifecycle } from "../names";
import type { Properties } from "./boundary";
import { INPUTS, normalise } from "./inputs";

type Facts = Record<(typeof FACTS)[number], unknown>;

export const READABLE = ["label", "type", ...FLAGS] as const;

export function lifecycleOf({ lifecycle }: Properties): Lifecycle {
  return LIFECYCLES.find((known) => known === lifecycle) ?? LIFECYCLES[0];
}

export function isManaged(properties: Properties): boolean {
  return lifecycleOf(properties) === "managed";
}

/** Whether this is the record of an import: nothing but the id. */
export function isBareImport(recorded: Properties): boolean {
  return ["domainId", "label", "type"].every((name) => recorded[name] === undefined);
}

/** Name of a channel in messages, on one line. Redacted, as a label may repeat the destination. */
export function title(properties: Properties, id?: string): string {
  const { label, type, domainId, secretLabel } = properties;
  const redact = redactorFor(properties);
  const text = (part: unknown) =>
    typeof part === "string" && part !== UNKNOWN ? sanitizeText(part, redact) : "?";
  const identified = id ? `, id ${text(id)}` : "";
  const shown = secretLabel === true ? "[secret]" : text(label);
  return `Notification channel "${shown}" (${text(type)}, domain ${text(domainId)}${identified})`;
}

/** Removes the destinations in these records of a channel from a text, and labels that the program keeps secret. */
export function redactorFor(...records: Properties[]): (text: string) => string {
  const labels = records.flatMap(({ label, secretLabel }) => (secretLabel === true ? [String(label)] : []));
  return redactor([...records.flatMap(destinationsOf), ...labels]);
}

/**
 * What only the service knows of a channel. The reason why it is disabled is without its destination, or an earlier one: redacted
 * first, as a redacted part is not taken for a destination.
 */
export function facts(
  { id, typeHuman, isProtected, isDisabled, disabledReason, createdAt }: NotificationChannelData,
  redact: (text: string) => string,
) {
  return {
    channelId: id,
    typeHuman,
    isProtected,
    isDisabled,
    disabledReason: disabledReason === null ? null : quotable(redact(disabledReason)),
    createdAt,
  } satisfies Facts;
}

/** Facts of a channel whose answer could not be read: the id, and the initial state of every channel (interface.md, section 3). */
export function unreadFacts(id: string, inputs: Properties): Facts {
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
export function declaredOutputs(inputs: Properties): Properties {
  return { secondaryValue: null, ...normalise(inputs) };
}

/** The inputs in recorded outputs, in the form that `check` returns. Nothing is added, as `get` records only what it was given. */
export function recordedInputs(outputs: Properties): Properties {
  const inputs = pick(outputs, INPUTS);
  // Whether a flag that is on was declared is not known.
  for (const flag of FLAGS) if (inputs[flag] === true) delete inputs[flag];
  if (inputs.secondaryValue === null) delete inputs.secondaryValue;
  return inputs;
}

export function pick(properties: Properties, names: readonly string[]): Properties {
  return Object.fromEntries(
    names.filter((name) => name in properties).map((name) => [name, properties[name]]),
  );
}

/** Converts inputs for the client, which validates them again. */
export function toChannel(inputs: Properties): CreateNotificationChannel {
  const { label, type, value, secondaryValue } = inputs;
  const flags = FLAGS.filter((name) => typeof inputs[name] === "boolean");
  return {
    label: String(label),
    type: type as CreateNotificationChannel["type"],
    value: typeof value === "string" ? value : null,
    secondaryValue: typeof secondaryValue === "string" ? secondaryValue : undefined,
    ...pick(inputs, flags),
  };
}

export function differing(
  declared: CreateNotificationChannel,
  channel: NotificationChannelData,
): (typeof READABLE)[number][] {
  return READABLE.filter((name) => declared[name] !== undefined && declared[name] !== channel[name]);
}

/** Declared values are kept, or every preview would show a change. */
export function otherThanDeclared(inputs: Properties, id: string, name: string): string {
  return `${title(inputs, id)}: the service answered with another ${name} than was declared: look at the channel in the service`;
}
