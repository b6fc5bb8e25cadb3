/**
 * Code as programs for 0.1.0 have it, from its README, reference and examples: it must go on compiling. Add to it with each
 * release, and change nothing.
 */
import * as pulumi from "@pulumi/pulumi";
import {
  type ChannelHistory,
  type ChannelSpec,
  DomainAlerts,
  type FunctionOptions,
  getDnsChanges,
  getDomain,
  getDomainOutput,
  getWhoisChangesOutput,
  NotificationChannel,
  type NotificationChannelArgs,
  type OtherChannelArgs,
  Provider,
  requireDomainExpiryOutput,
  type WebhookChannelArgs,
} from "pulumi-domain-monitoring";

const config = new pulumi.Config();
const domainId = config.require("domainId");

export function channels(): pulumi.Output<unknown> {
  const onCall = new NotificationChannel("on-call", {
    domainId,
    label: "On-call",
    type: "slack",
    value: config.requireSecret("slackUrl"),
  });
  const automation: WebhookChannelArgs = {
    domainId,
    label: "Automation",
    type: "webhook",
    value: config.requireSecret("webhookUrl"),
    secondaryValue: "PUT",
  };
  const pager: OtherChannelArgs = {
    domainId,
    label: "Pager",
    type: "pushover",
    value: null,
    secondaryValue: "x",
  };
  const kind: pulumi.Output<string> = onCall.type;
  const ids = [automation, pager].map((args, index) => new NotificationChannel(`c${index}`, args).channelId);
  return pulumi.all([onCall.channelId, kind, ...ids]);
}

export function channelsFromSettings(
  settings: Record<string, { label: string; type: "email" | "webhook"; method?: "POST" | "PUT" }>,
): NotificationChannel[] {
  return Object.entries(settings).map(([name, { label, type, method }]) => {
    const args: NotificationChannelArgs = { domainId, label, type, value: null, secondaryValue: method };
    return new NotificationChannel(name, args, { protect: true });
  });
}

export async function functions(opts: FunctionOptions): Promise<unknown> {
  const { expiresAt } = await getDomain({ id: domainId }, opts);
  const dns = await getDnsChanges({ domainId, limit: 20 });
  const changes = getWhoisChangesOutput({ domainId, limit: 5 }).changes.apply((list) =>
    list.map(({ id }) => id),
  );
  const rule = { minimumDays: 45, maximumAgeHours: 24 * 14, onUnknown: "warn" } as const;
  return [
    expiresAt,
    dns.changes[0]?.changeSummary,
    changes,
    requireDomainExpiryOutput({ id: domainId, ...rule }).actBy,
  ];
}

export function accounts(): unknown {
  const provider = new Provider("subsidiary", {
    baseUrl: process.env.SUBSIDIARY_URL ?? "https://monitoring.example.com",
    apiToken: pulumi.secret(process.env.SUBSIDIARY_TOKEN ?? "set-me"),
  });
  new NotificationChannel(
    "mail",
    { domainId, label: "Desk", type: "email", value: "desk@example.com" },
    { provider },
  );
  return getDomainOutput({ id: domainId }, { provider, dependsOn: [provider] }).expiresAt;
}

export function component(provider: Provider): DomainAlerts {
  const moved: ChannelHistory = { aliases: [{ name: "ops", parent: pulumi.rootStackResource }] };
  const ops: ChannelSpec = { label: "Ops", type: "slack", value: config.requireSecret("slackUrl"), ...moved };
  const expiry = { minimumDays: config.requireNumber("minimumDays"), mode: "warn" } as const;
  return new DomainAlerts("website", { domainId, channels: { ops }, expiry }, { providers: [provider] });
}
