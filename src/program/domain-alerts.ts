/** One domain with its notification channels and its expiry rule. */
import * as pulumi from "@pulumi/pulumi";
import { pathSegment } from "../client/rules";
import type { DomainResult } from "../functions/domains";
import { enforce } from "../functions/require-domain-expiry";
import { ALERTS_TOKEN, CHANNEL_TOKEN } from "../names";
import { evaluateDomainExpiry } from "../rules/expiry";
import { checkExpiryRule, type ExpiryRule } from "../rules/expiry-rule";
import { type ExpiryRuleArgs, getDomainOutput } from "./functions";
import { quietly } from "./internal/checks";
import { messages } from "./internal/invoke";
import { endProgram, endWithProgram, isKnown, isOfType, leaveToOthers } from "./internal/sdk";
import { NotificationChannel, type NotificationChannelArgs } from "./notification-channel";

/** Distributes over the union, so that `type` still discriminates it. */
type WithoutDomain<Args> = Args extends unknown ? Omit<Args, "domainId"> : never;

/** Deployment options of a channel of a {@link DomainAlerts}. */
export interface ChannelOptions {
  /**
   * Options of the channel's resource, such as `protect`, `aliases` or `ignoreChanges`. The
   * component is its `parent`; another one is refused. @default none
   */
  opts?: pulumi.CustomResourceOptions | undefined;
}

/**
 * A channel of a {@link DomainAlerts}: the inputs of a `NotificationChannel` without its
 * `domainId`, and its options.
 */
export type ChannelSpec = WithoutDomain<NotificationChannelArgs> & ChannelOptions;

/** Arguments of {@link DomainAlerts}. */
export interface DomainAlertsArgs {
  /** Identifier of the monitored domain. */
  domainId: pulumi.Input<string>;

  /** Channels by their name within the component; each is the resource `<component>-<name>`. */
  channels: Record<string, ChannelSpec>;

  /** Rule for the domain's expiry, checked even in previews. @default none */
  expiry?: pulumi.Input<ExpiryRuleArgs | undefined>;
}

/**
 * The notification channels of one monitored domain and the rule for its expiry (interface.md,
 * sections 2.1 and 2.4).
 *
 * Reads the domain first, even in previews. The program ends with one line before any channel is
 * created if the domain can't be read, or breaks its expiry rule; with mode `warn`, the component
 * logs a warning instead. Channels and lookup both use the component's provider (`provider` or
 * `providers`, including a parent's), and wait for its `dependsOn`.
 *
 * A channel that was declared on its own can move into the component without being created again:
 * `opts: { aliases: [{ name: "ops", parent: pulumi.rootStackResource }] }`. A channel renamed in
 * `channels` needs `opts: { aliases: [{ name: "<component>-<old name>" }] }`. A renamed component
 * needs its own `aliases` in the options, which also cover its channels.
 * @throws DomainMonitoringError of kind `validation` with all problems of the expiry rule
 *
 * @example
 * import * as pulumi from "@pulumi/pulumi";
 * import { DomainAlerts } from "pulumi-domain-monitoring";
 *
 * const config = new pulumi.Config();
 * const slackUrl = config.requireSecret("slackUrl");
 * const alerts = new DomainAlerts("website", {
 *   domainId: config.require("domainId"),
 *   channels: { ops: { label: "Ops on-call", type: "slack", value: slackUrl } },
 *   expiry: { minimumDays: 30, mode: "warn" },
 * });
 * export const { expiresAt, channelIds } = alerts;
 */
export class DomainAlerts extends pulumi.ComponentResource {
  /** Type token, for policies. */
  static readonly __pulumiType = ALERTS_TOKEN;

  /** The channels by their names within the component. */
  readonly channels: Record<string, NotificationChannel>;

  /** Ids of the channels in the service, by the same names. */
  readonly channelIds: pulumi.Output<Record<string, string>>;

  /** The domain at the time the program ran. */
  readonly domain: pulumi.Output<DomainResult>;

  /** Registration expiry, `DATE`; null before the first WHOIS check. */
  readonly expiresAt: pulumi.Output<string | null>;

  /** Whether an object is a `DomainAlerts`, even one made by another copy of this package. */
  static override isInstance(obj: unknown): obj is DomainAlerts {
    return isOfType(obj, ALERTS_TOKEN);
  }

  constructor(name: string, args: DomainAlertsArgs, opts?: pulumi.ComponentResourceOptions) {
    const { domainId, channels, expiry } = args;
    refuseMistakes(args);
    // No inputs: a component's are recorded in clear, and destinations are among them.
    super(DomainAlerts.__pulumiType, name, {}, opts);
    const found = getDomainOutput({ id: domainId }, { parent: this, dependsOn: opts?.dependsOn });

    this.domain = expiry ? pulumi.all([found, expiry]).apply(enforced(this)) : found;
    this.expiresAt = this.domain.expiresAt;
    // Fails with the lookup, as does everything that waits for it: the SDK reports the same error
    // once.
    const passed = isKnown(this.domain);
    // Channels wait for the domain lookup, because a create-only channel cannot be deleted, and a
    // preview is not to announce what a rule refuses.
    const existing = pulumi.output(domainId).apply((id) => passed.then(() => id));

    const declare = ([key, { opts: own, ...spec }]: [string, ChannelSpec]) =>
      new NotificationChannel(
        `${name}-${key}`,
        { ...spec, domainId: existing },
        pulumi.mergeOptions(own, {
          parent: this,
          dependsOn: opts?.dependsOn,
          aliases: formerUrns(name, key, opts),
        }),
      );

    this.channels = Object.fromEntries(
      Object.entries(channels).map((channel) => [channel[0], declare(channel)]),
    );

    // Not `channelId`, which is unknown in the preview of an update.
    const ids = Object.entries(this.channels).map(([key, { id }]) => [key, id]);
    const channelIds: Record<string, pulumi.Output<string>> = Object.fromEntries(ids);

    // The SDK never settles the id of a channel whose inputs fail.
    this.channelIds = pulumi.output(passed.then(() => channelIds));
    const outputs = {
      domainId: existing,
      domainName: this.domain.domain,
      expiresAt: this.expiresAt,
      channelIds: this.channelIds,
    };

    // At once, because the SDK would register no outputs otherwise.
    this.registerOutputs(outputs);
    // If one fails, the registration fails with it.
    for (const output of Object.values(outputs)) leaveToOthers(output);
  }
}

function refuseMistakes({ domainId, channels, expiry }: DomainAlertsArgs): void {
  // A rule with outputs is checked when they are known.
  if (expiry && isPlain(expiry)) quietly(() => checkExpiryRule(expiry));
  // The function would name its own argument, `id`.
  if (typeof domainId === "string") quietly(() => pathSegment("domainId", domainId));
  refuseUnknownNames(channels);
  refuseOtherParents(channels);
}

/** Returns a domain if it meets the rule; otherwise warns about it, or ends the program. */
function enforced(component: DomainAlerts) {
  return async ([domain, rule]: [DomainResult, ExpiryRule | undefined]): Promise<DomainResult> => {
    if (rule === undefined) return domain;
    try {
      const evaluated = quietly(() => evaluateDomainExpiry(domain, rule));
      await enforce(evaluated, messages(component));
    } catch (error) {
      endWithProgram();
      throw error;
    }

    return domain;
  };
}

function isPlain(rule: pulumi.Input<ExpiryRuleArgs | undefined>): rule is ExpiryRule {
  const known = (part: unknown): boolean =>
    !isLater(part) &&
    (typeof part !== "object" || part === null || Object.values(part).every(known));

  return known(rule);
}

/**
 * URNs of a channel below the names that its component had. The engine derives them too, but only
 * in the update that renames the component. If that one ends before the channel's turn, the next
 * one would create the channel again.
 */
function formerUrns(
  name: string,
  key: string,
  { aliases = [], parent }: pulumi.ComponentResourceOptions = {},
): pulumi.Output<pulumi.URN>[] {
  return aliases.map((alias) => {
    const component = pulumi.output(alias).apply((given) => {
      if (typeof given === "string") return pulumi.output(given);
      const { type = ALERTS_TOKEN, project, stack } = given;
      const formerParent = "parent" in given ? given.parent : parent;

      return pulumi.createUrn(given.name ?? name, type, formerParent, project, stack);
    });

    return component.apply((urn) => {
      const formerName = urn.slice(urn.lastIndexOf("::") + 2);
      return pulumi.createUrn(`${formerName}-${key}`, CHANNEL_TOKEN, urn);
    });
  });
}

/**
 * An output has no names that a preview could show, but properties of its own: each would be a
 * channel.
 */
function refuseUnknownNames(channels: DomainAlertsArgs["channels"]): void {
  const named = Object.entries(isLater(channels) ? {} : channels);
  const [channel] = named.filter(([, spec]) => isLater(spec)).map(([key]) => JSON.stringify(key));
  if (!isLater(channels) && channel === undefined) return;

  const what = channel === undefined ? "channels" : `channel ${channel}`;

  throw endProgram(
    `${what} of a DomainAlerts is an output, a secret or a promise: write the object itself in the program; its inputs may be such values`,
  );
}

function isLater(value: unknown): boolean {
  return value instanceof Promise || pulumi.Output.isInstance(value);
}

/**
 * A channel elsewhere would neither have the component's provider nor follow it when it is renamed.
 */
function refuseOtherParents(channels: Record<string, ChannelSpec>): void {
  for (const [key, { opts }] of Object.entries(channels)) {
    if (opts?.parent === undefined) continue;
    throw endProgram(
      `channel ${JSON.stringify(key)} of a DomainAlerts has a parent in its opts: remove it, because the component is its parent`,
    );
  }
}
