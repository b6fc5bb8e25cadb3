/** Policies about single channels. */

import type { ResourceValidationArgs, ResourceValidationPolicy } from "@pulumi/policy";
import { CHANNEL_TYPES, type ChannelType } from "../client/types";
import { parseUrn } from "../common/urn";
import { FLAGS, isChannel, LIFECYCLE_KEY } from "../names";
import {
  checkOptions,
  isFor,
  matches,
  type PolicyKind,
  type PolicyOption,
  type PolicyOptions,
  TYPES,
} from "./options";
import { read, UNKNOWN } from "./values";

/** Options of {@link requireChannelLabel}. */
export interface RequireChannelLabelOptions extends PolicyOptions {
  /** Pattern that the label must match; in the pack's config, its text. */
  pattern: RegExp | string;
}

/**
 * The label of every `NotificationChannel` must match a pattern. Messages show the pattern, not the
 * label.
 * @throws DomainMonitoringError of kind `validation` if the options are not valid
 */
export function requireChannelLabel(options: RequireChannelLabelOptions): ResourceValidationPolicy {
  return channelPolicy(options, {
    name: "domain-monitoring-channel-label",
    description: "The label of every notification channel matches a pattern.",
    options: { pattern: PATTERN },
    advice: () =>
      "give it one that does, before it is created: a create-only channel cannot be renamed",
    violation: (channel, { props }, given) => {
      const pattern = new RegExp(given.pattern);
      const label = read(props, "label");
      if (typeof label !== "string" || matches(pattern, label)) return undefined;

      return `the label of channel ${channel} does not match ${pattern}`;
    },
  });
}

const PATTERN: PolicyOption = {
  schema: { type: "string", minLength: 1 },
  problemsOf: (pattern) => (isPattern(pattern) ? [] : ["pattern must be a regular expression"]),
};

function isPattern(given: unknown): boolean {
  if (given instanceof RegExp) return true;
  if (typeof given !== "string" || given === "") return false;
  try {
    RegExp(given);
    return true;
  } catch {
    return false;
  }
}

/**
 * Forbids channels with all notifications off (interface.md, section 6).
 * @throws DomainMonitoringError of kind `validation` if the options are not valid
 */
export function forbidSilentChannels(options: PolicyOptions = {}): ResourceValidationPolicy {
  return channelPolicy(options, {
    name: "domain-monitoring-no-silent-channel",
    description: "No notification channel has all of its notifications off.",
    advice: () => "switch one of them on, or remove the channel",
    violation: (channel, { props }) =>
      // A missing or null flag means the service's default: on.
      FLAGS.every((flag) => read(props, flag) === false)
        ? `channel ${channel} has its WHOIS, DNS and SSL notifications off, so it never notifies anyone`
        : undefined,
  });
}

/**
 * Every channel must have the lifecycle `"managed"`, so that changes reach it and a destroy deletes
 * it. The lifecycle may come from the channel's inputs, its provider or stack config. In a preview,
 * an unknown one passes.
 * @experimental the service does not document it: see "Managed channels" at the package's homepage
 * @throws DomainMonitoringError of kind `validation` if the options are not valid
 */
export function requireManagedChannels(options: PolicyOptions = {}): ResourceValidationPolicy {
  return channelPolicy(options, {
    name: "domain-monitoring-managed-channels",
    description:
      "Every notification channel is managed: changed in place, and deleted when it leaves its stack.",
    advice: () =>
      `run \`pulumi config set ${LIFECYCLE_KEY} managed\`, or declare lifecycle "managed" for it`,
    violation: (channel, { props }) => {
      // The provider has filled in what comes from the settings.
      const lifecycle = read(props, "lifecycle");
      if (lifecycle === "managed" || lifecycle === UNKNOWN) return undefined;

      return `channel ${channel} is create-only, so replacing or removing it leaves it in the service`;
    },
  });
}

/** Options of {@link forbidChannelTypes}. */
export interface ForbidChannelTypesOptions extends PolicyOptions {
  /** Channel types that may not be declared (interface.md, section 2.4). */
  types: readonly ChannelType[];
}

/**
 * Forbids these channel types in the stacks that `stacks` names, such as e-mail in production.
 * @throws DomainMonitoringError of kind `validation` if the options are not valid
 */
export function forbidChannelTypes(options: ForbidChannelTypesOptions): ResourceValidationPolicy {
  return channelPolicy(options, {
    name: "domain-monitoring-forbidden-channel-types",
    description: "No notification channel is of a forbidden type.",
    options: { types: TYPES },
    advice: ({ types }) => {
      const allowed = CHANNEL_TYPES.filter((type) => !types.includes(type));
      return allowed.length > 0 ? `use ${allowed.join(" or ")}` : "remove it from this stack";
    },
    violation: (channel, { props, urn }, { types }) => {
      const found = read(props, "type");
      const forbidden = types.find((type) => type === found);
      if (forbidden === undefined) return undefined;

      return `channel ${channel} is of type ${forbidden}, which stack ${parseUrn(urn).stack} may not have`;
    },
  });
}

interface ChannelPolicyKind<Options> extends PolicyKind {
  /** The violation of a channel, if there is one; `channel` is its name in quotes. */
  violation: (
    channel: string,
    seen: ResourceValidationArgs,
    options: Options,
  ) => string | undefined;

  /** The advice, unless the options have another. */
  advice: (options: Options) => string;
}

/** A policy on every channel of plugin and dynamic provider in its stacks. */
function channelPolicy<Options extends PolicyOptions>(
  options: Options,
  { violation, advice, ...kind }: ChannelPolicyKind<Options>,
): ResourceValidationPolicy {
  const { fields, inForce } = checkOptions(options, kind);

  return {
    ...fields,
    validateResource: (seen, report) => {
      const given = inForce(seen);
      if (!isChannel(seen.type) || !isFor(given, seen.urn)) return;

      const found = violation(JSON.stringify(seen.name), seen, given);

      if (found !== undefined) report(`${found}: ${given.advice ?? advice(given)}`);
    },
  };
}
