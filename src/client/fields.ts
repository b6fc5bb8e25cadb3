/**
 * The fields of a channel and of a domain, each described once: as a member of the arguments of a
 * create, and as a row of the table that follows them. The body of a request, a record, its
 * differences, and the arguments and outputs of a program are all made from the two, so a new field
 * is a member and a row. The compiler compares both. Pure, because programs load it: the form in
 * which a response has a field stands in `wire.ts`, which loads zod.
 */
import { tidied } from "../common/text";
import {
  isOneOf,
  labelProblem,
  problemsOf,
  type Rule,
  requestProblems,
  textOrNullProblem,
  textProblem,
} from "./rules";
import { CHANNEL_TYPES, type ChannelType, type NotificationFlags, WEBHOOK_METHODS } from "./types";

/** A field, as every module that handles it needs to know it. */
export interface Field {
  rule: Rule;

  /** The value that the service gives to a field that is null or left out. */
  default?: unknown;

  /** Never shown: removed from messages, and encrypted in every state. */
  isSecret?: boolean;

  /** Responses have it. */
  isReported?: boolean;

  /** An update can change it; otherwise a change makes another object. */
  isUpdatable?: boolean;

  /** The form in which two values are compared. */
  comparable?(value: unknown): unknown;
}

/** The fields of a type, in the order in which they are sent and recorded. */
type Table<Type> = { readonly [Name in keyof Type]-?: Field };

/** Names of a table's fields, in its order. */
export function names<Name extends string, Row>(
  table: Readonly<Record<Name, Row>>,
  isWanted: (row: Row) => unknown = () => true,
): readonly Name[] {
  return (Object.keys(table) as Name[]).filter((name) => isWanted(table[name]));
}

/**
 * Input for creating a channel (interface.md, section 4.4). A flag that is null or left out is true,
 * the service's default.
 */
export interface CreateNotificationChannel {
  /** Display label: 3 to 100 characters, counted as code points. */
  label: string;

  /** Kind of destination that the service sends notifications to. */
  type: ChannelType;

  /**
   * The destination, or null for none: an address for `email`, an http or https URL for `webhook`,
   * a webhook URL for `discord`, `slack` and `ms_teams`, a key for `pushover`. Always kept as a
   * secret.
   */
  value: string | null;

  /**
   * For a `webhook`: the HTTP method, `POST`, `PUT` or `PATCH`. Undocumented for other types.
   * Always kept as a secret.
   * @default unset; the service's own for a `webhook`
   */
  secondaryValue?: string | null | undefined;

  /** Notify about WHOIS changes. @default true */
  whoisNotificationsEnabled?: boolean | null | undefined;

  /** Notify about changes of DNS records. @default true */
  dnsNotificationsEnabled?: boolean | null | undefined;

  /** Notify about certificate issues. @default true */
  sslNotificationsEnabled?: boolean | null | undefined;
}

const FLAG: Field = {
  rule: (value) =>
    value === undefined || value === null || typeof value === "boolean"
      ? undefined
      : "is not a boolean: use true or false, or leave it out",
  default: true,
  isReported: true,
  isUpdatable: true,
};

/** The fields of a channel. The form of a destination is checked by `formProblem`. */
export const CHANNEL: Table<CreateNotificationChannel> = {
  label: {
    rule: (value) =>
      value === undefined || value === null
        ? "is missing: give the channel a name"
        : labelProblem(value),
    isReported: true,
    isUpdatable: true,
    // A service may have trimmed it.
    comparable: tidied,
  },
  type: {
    rule: (value) =>
      isOneOf(CHANNEL_TYPES, value)
        ? undefined
        : `is not a valid channel type: use one of ${CHANNEL_TYPES.join(", ")}`,
    isReported: true,
  },
  value: {
    rule(value) {
      if (value === undefined) return "is missing: give the destination, or null for none";
      if (value === null || typeof value === "string") return undefined;

      return "is not a string: give the destination, or null for none";
    },
    isSecret: true,
    isUpdatable: true,
  },
  secondaryValue: {
    rule(value, { type }) {
      if (value === undefined || value === null) return undefined;
      if (typeof value !== "string") return "is not a string: give one, or null for none";
      if (type !== "webhook" || isOneOf(WEBHOOK_METHODS, value)) return undefined;

      return `is not a valid webhook method: use one of ${WEBHOOK_METHODS.join(", ")}`;
    },
    default: null,
    isSecret: true,
    isUpdatable: true,
  },
  whoisNotificationsEnabled: FLAG,
  dnsNotificationsEnabled: FLAG,
  sslNotificationsEnabled: FLAG,
};

export const CHANNEL_FIELDS = names(CHANNEL);

/** The destination of a channel. */
export const DESTINATION = names(CHANNEL, ({ isSecret }) => isSecret);

/** Fields that the service reports, and that have a default. */
export const DEFAULTED = names(CHANNEL, (field) => field.isReported && field.default !== undefined);

/**
 * Changes to a channel. At least one field is required; fields left out stay as they are. A flag
 * can't be null. It's unknown whether the service accepts another `type`, and what null means.
 * @experimental the service does not document it: see "Managed channels" at the package's homepage
 */
export type UpdateNotificationChannel = Partial<
  NotificationFlags & Omit<CreateNotificationChannel, keyof NotificationFlags>
>;

export function channelProblems(channel: CreateNotificationChannel): string[] {
  return problemsOf({ ...channel }, CHANNEL, CHANNEL_FIELDS);
}

export function changeProblems(changes: UpdateNotificationChannel): string[] {
  // In a create, null means true; in an update its meaning is unknown.
  const nulls = DEFAULTED.filter((name) => changes[name] === null);

  return [
    ...requestProblems({ ...changes }, CHANNEL, CHANNEL_FIELDS),
    ...nulls.map((name) => `${name} is null: use true or false`),
  ];
}

/**
 * The secrets of a channel: its destinations. A webhook's method is not secret, and may occur in
 * the label.
 */
export function destinationsOf(channel: { value?: unknown; secondaryValue?: unknown }): string[] {
  const { value, secondaryValue } = channel;
  const parts = [value, isOneOf(WEBHOOK_METHODS, secondaryValue) ? null : secondaryValue];

  return parts.filter((part) => typeof part === "string");
}

/**
 * A domain to add. The service chooses a value for each field left out.
 * @experimental never run against the service
 */
export interface CreateDomain {
  /** Domain name, for example `example.com`. */
  domain: string;

  /** Display label: 3 to 100 characters, counted as code points. */
  label: string;

  /** Free text. */
  description?: string | null | undefined;

  /** Colour of the label. */
  colour?: string | null | undefined;

  /**
   * How often the registration is checked, such as `weekly`. The choice depends on the account's
   * plan.
   */
  whoisCheckInterval?: string | undefined;

  /** How often DNS records are checked, as `whoisCheckInterval`. */
  dnsCheckInterval?: string | undefined;

  /** Types of DNS records to monitor, such as `MX`, in any order. */
  enabledDnsRecords?: readonly string[] | undefined;
}

/** The form of a value whose case a service may change. */
function inAnyCase(value: unknown): unknown {
  const text = tidied(value);
  return typeof text === "string" ? text.toLowerCase() : text;
}

/** The fields of a domain. */
export const DOMAIN: Table<CreateDomain> = {
  domain: { rule: textProblem },
  label: { rule: textProblem, isUpdatable: true },
  description: { rule: textOrNullProblem, isUpdatable: true },
  colour: { rule: textOrNullProblem, isUpdatable: true, comparable: inAnyCase },
  whoisCheckInterval: { rule: textProblem, isUpdatable: true, comparable: inAnyCase },
  dnsCheckInterval: { rule: textProblem, isUpdatable: true, comparable: inAnyCase },
  enabledDnsRecords: {
    rule: (value) =>
      Array.isArray(value) && value.every((record) => typeof record === "string")
        ? undefined
        : 'is not a list of strings: give record types such as "MX"',
    isUpdatable: true,
    comparable: (value) =>
      Array.isArray(value) ? JSON.stringify([...new Set(value.map(inAnyCase))].sort()) : value,
  },
};

/** The fields that an update of a domain may have. */
export const DOMAIN_SETTINGS = names(DOMAIN, ({ isUpdatable }) => isUpdatable);

/**
 * Changes to a domain; its name can't change. At least one field is required; fields left out stay
 * as they are.
 * @experimental never run against the service
 */
export type UpdateDomain = Partial<Omit<CreateDomain, "domain">>;
