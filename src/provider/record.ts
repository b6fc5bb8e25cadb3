/**
 * The declared and the recorded properties of a channel: the rules of inputs, the form in which they
 * are stored, and their comparison with what the service reports. Pure.
 */

import {
  CHANNEL,
  CHANNEL_FIELDS,
  type CreateNotificationChannel,
  DEFAULTED,
  destinationsOf,
  type Field,
  names,
} from "../client/fields";
import {
  domainIdProblem,
  edgeProblem,
  formProblem,
  isOneOf,
  isUuid,
  lineProblem,
  problemsOf,
} from "../client/rules";
import { sqlTsOrEmpty } from "../client/timestamps";
import type { NotificationChannelData } from "../client/types";
import { oneLine, tidied } from "../common/text";
import { type FACTS, LIFECYCLES } from "../names";
import { hasUnknown, isUnknown, type Properties, pick } from "./boundary";

/** Inputs that are sent to the service. In create-only, a change of any replaces the channel. */
export const SERVICE_INPUTS = ["domainId", ...CHANNEL_FIELDS] as const;

/**
 * All inputs, in the order in which they are stored, by rules that are stricter than the client's.
 * Only this package uses the last four. Of these the program adds two: the engine sends secrets like
 * other values, and does not tell a dynamic provider which resource a call is about.
 */
const INPUT: Readonly<Record<string, Field>> = {
  domainId: {
    rule: (value) =>
      isMissing(value) ? "is missing: give the id of the monitored domain" : domainIdProblem(value),
  },
  ...CHANNEL,
  label: {
    ...CHANNEL.label,
    rule: (value, declared) => CHANNEL.label.rule(value, declared) ?? edgeProblem(value),
  },
  value: {
    ...CHANNEL.value,
    rule: (value, declared) => CHANNEL.value.rule(value, declared) ?? formProblem(value, declared),
  },
  secondaryValue: {
    ...CHANNEL.secondaryValue,
    rule: (value, declared) =>
      value === ""
        ? undefined
        : (CHANNEL.secondaryValue.rule(value, declared) ?? lineProblem(value)),
  },
  lifecycle: {
    rule: (value) =>
      isMissing(value) || isOneOf(LIFECYCLES, value)
        ? undefined
        : `is not a valid lifecycle: use ${LIFECYCLES.join(" or ")}, or leave it out`,
  },
  adopt: {
    rule(value, { lifecycle }) {
      if (isMissing(value)) return undefined;
      if (!isUuid(value))
        return "is not a valid channel id: give the UUID of a channel that exists";
      if (lifecycle === "managed" || hasUnknown(lifecycle)) return undefined;

      return 'needs lifecycle "managed": a create-only channel can only be created';
    },
  },
  secretLabel: { rule: CHANNEL.dnsNotificationsEnabled.rule },
  resourceName: {
    rule: (value) =>
      isMissing(value) || typeof value === "string" ? undefined : "is not a string: leave it out",
    // It may change by an alias.
    comparable: () => null,
  },
};

/** Names of all inputs. */
export const INPUTS = names(INPUT);

/**
 * Validates inputs, and returns them as they are stored. All problems are reported at once, no
 * message repeats a value, and unknown values pass. Inputs with warnings may be right.
 */
export function checkInputs(declared: Properties) {
  const known = INPUTS.filter((name) => !hasUnknown(declared[name]));
  const others = Object.keys(declared).filter((name) => !INPUTS.includes(name));
  const problems = [
    ...problemsOf(declared, INPUT, known),
    ...others.map((name) => `${name} is not a property of a notification channel: remove it`),
  ];

  const warnings = problems.length === 0 ? warningsFor(declared) : [];

  return {
    inputs: asDeclared(declared),
    problems,
    warnings,
  };
}

/** Values that mean the same as leaving the input out. */
const OMITTED: Properties = {
  lifecycle: LIFECYCLES[0],
  secretLabel: false,
};

/**
 * The form in which inputs are recorded. The size of the state dominates the time of an update of
 * many channels, so default values and null, also as an empty string, are omitted, except for a
 * destination of null.
 */
function asDeclared(declared: Properties): Properties {
  const isNull = (name: string) => tidied(declared[name]) === null && name !== "value";
  const kept = INPUTS.filter((name) => !isNull(name) && declared[name] !== OMITTED[name]);

  return pick(declared, kept);
}

/**
 * The form in which inputs are compared and repeated as outputs: as declared, and flags are
 * explicit. The service treats a missing flag and null as true.
 */
export function normalise(declared: Properties): Properties {
  const inputs = asDeclared(declared);
  for (const name of DEFAULTED) inputs[name] ??= CHANNEL[name].default;

  return inputs;
}

/** Whether an input differs between two declarations or records in normal form. */
export function isChanged(name: string, before: Properties, after: Properties): boolean {
  return comparable(name, before[name]) !== comparable(name, after[name]);
}

function comparable(name: string, value: unknown): unknown {
  const form = INPUT[name]?.comparable;
  return (form ? form(value) : value) ?? null;
}

/**
 * Chat services take their messages at https URLs; the interface does not say so, so this is only a
 * warning.
 */
function warningsFor({ type, value }: Properties): string[] {
  if (!isOneOf(["discord", "slack", "ms_teams"], type) || typeof value !== "string") return [];
  if (isUnknown(value) || /^https:\/\/\S+$/i.test(value)) return [];

  return [
    `value does not look like the https webhook URL that a channel of type ${type} usually has: check it`,
  ];
}

type Facts = Record<(typeof FACTS)[number], unknown>;

/** Inputs that the service reports. */
const REPORTED = names(CHANNEL, ({ isReported }) => isReported);

export function isManaged({ lifecycle }: Properties): boolean {
  return lifecycle === "managed";
}

/** The destinations in these records of a channel, and labels that the program keeps secret. */
export function secretsOf(...records: Properties[]): string[] {
  const labels = records.flatMap(({ label, secretLabel }) =>
    secretLabel === true ? [String(label)] : [],
  );

  return [...records.flatMap(destinationsOf), ...labels];
}

/**
 * The outputs of a channel that only the service knows. Its texts have passed the client's gate.
 */
export function facts({ id, createdAt, ...channel }: NotificationChannelData) {
  const { typeHuman, isProtected, isDisabled, disabledReason } = channel;

  return {
    channelId: id,
    typeHuman,
    isProtected,
    isDisabled,
    disabledReason,
    // Nothing else that a service may send in its place.
    createdAt: sqlTsOrEmpty(createdAt),
  } satisfies Facts;
}

/**
 * Facts of a channel whose response could not be read: the id, the initial state of every channel
 * (interface.md, section 3), and the mark by which the next update reads the others.
 */
export function unreadFacts(id: string, inputs: Properties): Facts & { unread: true } {
  return {
    channelId: id,
    typeHuman: inputs.type,
    isProtected: false,
    isDisabled: false,
    disabledReason: null,
    createdAt: "",
    unread: true,
  };
}

/** Inputs that the service takes for null if they are left out. */
const NULLS = Object.fromEntries(
  names(CHANNEL, (field) => field.default === null).map((name) => [name, null]),
);

/** Outputs that repeat inputs. They exist even if the input was omitted. */
export function declaredOutputs(inputs: Properties): Properties {
  return { ...NULLS, ...normalise(inputs) };
}

/**
 * The inputs in recorded outputs, in the form that `check` returns. Nothing is added, because `get`
 * records only what it was given.
 */
export function recordedInputs(outputs: Properties): Properties {
  const inputs = pick(outputs, INPUTS);

  // Whether a default was declared is not known.
  for (const name of CHANNEL_FIELDS)
    if (inputs[name] === CHANNEL[name].default) delete inputs[name];

  return inputs;
}

/** Converts inputs for the client, which validates them again. */
export function toChannel(inputs: Properties): CreateNotificationChannel {
  const { label, type, value } = inputs;
  const given = CHANNEL_FIELDS.filter((name) => !isMissing(inputs[name]));

  return {
    ...pick(inputs, given),
    label: String(label),
    type: type as CreateNotificationChannel["type"],
    value: typeof value === "string" ? value : null,
  };
}

export function differing(
  declared: CreateNotificationChannel,
  channel: NotificationChannelData,
): (keyof CreateNotificationChannel)[] {
  return REPORTED.filter(
    (name) => declared[name] !== undefined && isChanged(name, { ...declared }, { ...channel }),
  );
}

/**
 * The fields that the service reports of a channel, as they are recorded. Another type than the
 * recorded one would replace the channel, for which only a change in the program is a reason: both
 * are recorded.
 */
export function reported({ type }: Properties, channel: NotificationChannelData): Properties {
  const fields = pick({ ...channel }, REPORTED);
  const isOther = type !== undefined && type !== channel.type;

  return isOther
    ? {
        ...fields,
        type,
        reportedType: oneLine(channel.type, 40),
      }
    : fields;
}

function isMissing(value: unknown): value is undefined | null {
  return value === undefined || value === null;
}
