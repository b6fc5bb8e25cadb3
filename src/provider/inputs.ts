/**
 * The inputs of a channel, each with its rule and the form in which it is compared: those of the
 * client's table, and what only this package uses. Pure.
 */
import { CHANNEL, type Field } from "../client/fields";
import {
  domainIdProblem,
  edgeProblem,
  formProblem,
  isOneOf,
  isUuid,
  lineProblem,
} from "../client/rules";
import { LIFECYCLES } from "../names";
import { hasUnknown, type Properties } from "./boundary";

/**
 * All inputs, in the order in which they are stored, by rules that are stricter than the client's.
 * Only this package uses the last four. Of these the program adds two: the engine sends secrets like
 * other values, and does not tell a dynamic provider which resource a call is about.
 */
export const INPUT: Readonly<Record<string, Field<Properties>>> = {
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

export function isMissing(value: unknown): value is undefined | null {
  return value === undefined || value === null;
}
