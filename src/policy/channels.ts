/** Policies about single channels. */

import type { ResourceValidationPolicy } from "@pulumi/policy";
import { FLAGS, isChannel, LIFECYCLE_KEY } from "../names";
import { checkOptions, isFor, matches, type PolicyOptions } from "./options";
import { quoted, read, UNKNOWN } from "./values";

/** Options of {@link requireChannelLabel}. */
export interface RequireChannelLabelOptions extends PolicyOptions {
  /** Pattern that the label must match; in the pack's config, its text. */
  pattern: RegExp | string;
}

/**
 * The label of every `NotificationChannel` must match a pattern. Messages show the pattern, not the label.
 * @throws DomainMonitoringError of kind `validation` if the options are not valid
 */
export function requireChannelLabel(options: RequireChannelLabelOptions): ResourceValidationPolicy {
  const { fields, inForce } = checkOptions(
    "domain-monitoring-channel-label",
    options,
    { pattern: { type: "string", minLength: 1 } },
    ({ pattern }) => (isPattern(pattern) ? [] : ["pattern must be a regular expression"]),
  );
  return {
    ...fields,
    description: "The label of every notification channel matches a pattern.",
    validateResource: ({ type, name: resource, urn, props, getConfig }, report) => {
      const given = inForce({ getConfig });
      if (!isChannel(type) || !isFor(given, urn)) return;
      const { advice = RELABEL } = given;
      const pattern = new RegExp(given.pattern);
      const label = read(props, "label");
      if (typeof label !== "string" || matches(pattern, label)) return;
      report(`the label of channel ${quoted({ name: resource })} does not match ${pattern}: ${advice}`);
    },
  };
}

const RELABEL = "give it one that does, before it is created: a create-only channel cannot be renamed";

function isPattern(given: unknown): boolean {
  if (given instanceof RegExp) return true;
  if (typeof given !== "string" || given === "") return false;
  try {
    return new RegExp(given) !== undefined;
  } catch {
    return false;
  }
}

/**
 * Forbids channels with all notifications off (interface.md, section 6).
 * @throws DomainMonitoringError of kind `validation` if the options are not valid
 */
export function forbidSilentChannels(options: PolicyOptions = {}): ResourceValidationPolicy {
  const { fields, inForce } = checkOptions("domain-monitoring-no-silent-channel", options, {}, () => []);
  return {
    ...fields,
    description: "No notification channel has all of its notifications off.",
    validateResource: ({ type, name: resource, urn, props, getConfig }, report) => {
      const given = inForce({ getConfig });
      if (!isChannel(type) || !isFor(given, urn)) return;
      const { advice = "switch one of them on, or remove the channel" } = given;
      // A missing or null flag means the service's default: on.
      if (!FLAGS.every((flag) => read(props, flag) === false)) return;
      report(
        `channel ${quoted({ name: resource })} has its WHOIS, DNS and SSL notifications off, so it never says anything: ${advice}`,
      );
    },
  };
}

/**
 * Every channel must have the lifecycle `"managed"`, so that changes reach it and a destroy deletes it. The lifecycle may come
 * from the channel's inputs, its provider or stack config. In a preview, an unknown one passes.
 * @experimental as the lifecycle: `docs/managed-channels.md`
 * @throws DomainMonitoringError of kind `validation` if the options are not valid
 */
export function requireManagedChannels(options: PolicyOptions = {}): ResourceValidationPolicy {
  const { fields, inForce } = checkOptions("domain-monitoring-managed-channels", options, {}, () => []);
  return {
    ...fields,
    description:
      "Every notification channel is managed: changed in place, and deleted when it leaves its stack.",
    validateResource: ({ type, name: resource, urn, props, getConfig }, report) => {
      const given = inForce({ getConfig });
      if (!isChannel(type) || !isFor(given, urn)) return;
      const {
        advice = `run \`pulumi config set ${LIFECYCLE_KEY} managed\`, or declare lifecycle "managed" for it`,
      } = given;
      // The provider has filled in what comes from the settings.
      const lifecycle = read(props, "lifecycle");
      if (lifecycle === "managed" || lifecycle === UNKNOWN) return;
      report(
        `channel ${quoted({ name: resource })} is create-only, so what replaces or removes it leaves it in the service: ${advice}`,
      );
    },
  };
}
