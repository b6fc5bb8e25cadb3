/** `@acme/platform-domains`: the component with which Acme's teams declare a monitored domain. */
import * as pulumi from "@pulumi/pulumi";
import { type ChannelSpec, DomainAlerts, type ExpiryRule } from "pulumi-domain-monitoring";

/** Arguments of every domain. */
interface CommonArgs {
  /** Id of the domain in the monitoring service. */
  domainId: pulumi.Input<string>;
  /** The team's name in the directory; every label begins with it. */
  team: string;
  /** Webhook of the team's chat. */
  chatUrl: pulumi.Input<string>;
  /** Further channels of the team, by names that the platform does not use. @default none */
  channels?: Record<string, ChannelSpec>;
}

/** A domain that may be down for a while: fewer than 30 days of registration cause a warning. */
export interface StandardDomainArgs extends CommonArgs {
  /** How much depends on the domain. @default "standard" */
  tier?: "standard";
}

/**
 * A domain that earns money: every change opens an incident, and fewer than 60 days of registration
 * fail the preview.
 */
export interface CriticalDomainArgs extends CommonArgs {
  /** How much depends on the domain. */
  tier: "critical";
  /** Webhook of the incident tool. */
  incidentUrl: pulumi.Input<string>;
}

/** Arguments of {@link TeamDomain}. */
export type TeamDomainArgs = StandardDomainArgs | CriticalDomainArgs;

const EXPIRY: Record<"standard" | "critical", ExpiryRule> = {
  standard: { minimumDays: 30, mode: "warn" },
  critical: { minimumDays: 60, mode: "error" },
};

/**
 * The alerts of a team's domain, by the rules of the platform. The team's chat gets all
 * notifications, the registrar desk those about registrations, and for a critical domain the
 * incident tool gets all as well. The desk's address is the secret `acme-platform:registrarDesk` of
 * the stack config.
 */
export class TeamDomain extends pulumi.ComponentResource {
  /** The alerts, with the channels by their names. */
  readonly alerts: DomainAlerts;
  /** Registration expiry, `YYYY-MM-DD`; null before the first WHOIS check. */
  readonly expiresAt: pulumi.Output<string | null>;
  /** Ids of the channels by their names. */
  readonly channelIds: pulumi.Output<Record<string, string>>;

  constructor(name: string, args: TeamDomainArgs, opts?: pulumi.ComponentResourceOptions) {
    const channels = { ...standardChannels(name, args), ...args.channels };
    // No inputs: the engine would record them in plain text, including the destinations.
    super("acme-platform:index:TeamDomain", name, {}, opts);
    this.alerts = new DomainAlerts(
      name,
      { domainId: args.domainId, channels, expiry: EXPIRY[args.tier ?? "standard"] },
      { parent: this },
    );
    this.expiresAt = this.alerts.expiresAt;
    this.channelIds = this.alerts.channelIds;
    this.registerOutputs({ expiresAt: this.expiresAt, channelIds: this.channelIds });
  }
}

/**
 * The channels of the platform. Rejects a team's channel with the same name, which would replace
 * one of them.
 */
function standardChannels(name: string, args: TeamDomainArgs): Record<string, ChannelSpec> {
  // In the service only the label distinguishes channels, so each contains team, domain and stack.
  const label = (channel: string) => `${args.team}: ${name} in ${pulumi.getStack()}, ${channel}`;
  const standard: Record<string, ChannelSpec> = {
    chat: { type: "slack", label: label("chat"), value: args.chatUrl },
    registrar: {
      type: "email",
      label: label("registrar desk"),
      value: new pulumi.Config("acme-platform").requireSecret("registrarDesk"),
      dnsNotificationsEnabled: false,
      sslNotificationsEnabled: false,
    },
  };
  if (args.tier === "critical") {
    standard.incident = {
      type: "webhook",
      label: label("incidents"),
      value: args.incidentUrl,
      secondaryValue: "POST",
      // A channel that stays behind would open every incident twice.
      opts: { protect: true },
    };
  }
  const taken = Object.keys(args.channels ?? {}).find((channel) =>
    Object.hasOwn(standard, channel),
  );
  if (taken !== undefined)
    throw new pulumi.RunError(
      `the channel "${taken}" of ${name} is the platform's: give yours another name`,
    );
  return standard;
}
