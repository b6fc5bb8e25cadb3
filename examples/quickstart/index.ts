import * as pulumi from "@pulumi/pulumi";
import {
  getDnsChangesOutput,
  getDomainOutput,
  getWhoisChangesOutput,
  NotificationChannel,
} from "pulumi-domain-monitoring";

const config = new pulumi.Config();
const domainId = config.require("domainId");

// Destinations are secrets: `pulumi config set --secret slackUrl` prompts for one, because others
// can read command lines.
const onCall = new NotificationChannel("on-call", {
  domainId,
  label: "On-call",
  type: "slack",
  value: config.requireSecret("slackUrl"),
});

const registrarTeam = new NotificationChannel("registrar-team", {
  domainId,
  label: "Registrar team",
  type: "email",
  value: config.requireSecret("email"),
  dnsNotificationsEnabled: false,
});

const automation = new NotificationChannel("automation", {
  domainId,
  label: "Automation",
  type: "webhook",
  value: config.requireSecret("webhookUrl"),
  secondaryValue: "PUT",
});

export const channelIds = pulumi.all([
  onCall.channelId,
  registrarTeam.channelId,
  automation.channelId,
]);

// The domain's current data as stack outputs, for other stacks and pipelines.
const domain = getDomainOutput({ id: domainId });
export const domainName = domain.domain;
export const expiresAt = domain.expiresAt;

export const whoisChanges = getWhoisChangesOutput({ domainId, limit: 5 }).changes.apply((changes) =>
  changes.map(({ createdAt, fieldChanged, before, after }) => ({
    createdAt,
    fieldChanged,
    before,
    after,
  })),
);
export const dnsChanges = getDnsChangesOutput({ domainId, limit: 5 }).changes.apply((changes) =>
  changes.map(({ createdAt, fieldChanged, before, after }) => ({
    createdAt,
    fieldChanged,
    before,
    after,
  })),
);
