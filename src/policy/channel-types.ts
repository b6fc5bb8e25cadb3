/** A policy on the kinds of channel that a domain must have. */

import type { PolicyResource, StackValidationPolicy } from "@pulumi/policy";
import type { ChannelType } from "../client/types";
import { ALERTS_TOKEN, isChannel } from "../names";
import { checkOptions, isFor, type PolicyOption, type PolicyOptions, TYPES } from "./options";
import { read, UNKNOWN } from "./values";

/** Options of {@link requireChannelTypes}. */
export interface RequireChannelTypesOptions extends PolicyOptions {
  /** Channel types of which every domain must have one each (interface.md, section 2.4). */
  types: readonly ChannelType[];

  /**
   * Ids of domains that must have them even if the stack has no resources for them. @default none
   */
  domainIds?: readonly string[];
}

/**
 * Every domain that a stack has a `NotificationChannel` or `DomainAlerts` for must have a channel
 * of each of these types in the stack. In a preview, a channel whose domain or type is unknown
 * counts as a match.
 * @throws DomainMonitoringError of kind `validation` if the options are not valid
 */
export function requireChannelTypes(options: RequireChannelTypesOptions): StackValidationPolicy {
  const { fields, inForce } = checkOptions(options, {
    name: "domain-monitoring-required-channel-types",
    description: "Every monitored domain has a channel of each required type.",
    options: { types: TYPES, domainIds: DOMAIN_IDS },
  });

  return {
    ...fields,
    validateStack: ({ resources, getConfig }, report) => {
      const given = inForce({ getConfig });
      const { types, domainIds = [], advice = "declare one for it in this stack" } = given;
      const stack = resources[0]?.urn;
      if (stack !== undefined && !isFor(given, stack)) return;

      const channels = resources
        .filter(({ type }) => isChannel(type))
        .map(({ props }) => ({ domainId: read(props, "domainId"), type: read(props, "type") }));

      const may = (value: unknown, wanted: string) => value === wanted || value === UNKNOWN;

      for (const [domainId, resource] of domainsOf(resources, domainIds)) {
        for (const type of types) {
          if (
            channels.some((channel) => may(channel.domainId, domainId) && may(channel.type, type))
          )
            continue;

          const domain = resource
            ? `the domain of ${JSON.stringify(resource.name)}`
            : `domain ${domainId}`;

          report(`${domain} has no channel of type ${type}: ${advice}`, resource?.urn);
        }
      }
    },
  };
}

const DOMAIN_IDS: PolicyOption = {
  schema: { type: "array", items: { type: "string" } },
  problemsOf: (ids = []) => (isListOfTexts(ids) ? [] : ["domainIds must be a list of ids"]),
};

/** The domains of a stack, each with its first resource; required domains may have none. */
function domainsOf(
  resources: readonly PolicyResource[],
  required: readonly string[],
): Map<string, PolicyResource | undefined> {
  const domains = new Map<string, PolicyResource | undefined>();
  const components = resources.filter(({ type }) => type === ALERTS_TOKEN);
  const channels = resources.filter(({ type }) => isChannel(type));

  // A component is reported rather than its channels.
  for (const resource of [...components, ...channels]) {
    const domainId = read(resource.props, "domainId");
    if (typeof domainId === "string" && !domains.has(domainId)) domains.set(domainId, resource);
  }

  for (const domainId of required) if (!domains.has(domainId)) domains.set(domainId, undefined);

  return domains;
}

function isListOfTexts(list: unknown): boolean {
  return Array.isArray(list) && list.every((item) => typeof item === "string" && item !== "");
}
