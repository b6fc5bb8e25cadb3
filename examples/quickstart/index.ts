import * as pulumi from "@pulumi/pulumi";
import { DomainAlerts } from "pulumi-domain-monitoring";

const config = new pulumi.Config();

// The domain is looked up first: if it expires too soon, the preview of a pull request already
// shows a warning. With `mode: "error"` the program would fail before a channel is created.
const website = new DomainAlerts("website", {
  domainId: config.require("domainId"),
  // Destinations are secrets: `pulumi config set --secret slackUrl` prompts for one, because others
  // can read command lines.
  channels: {
    "on-call": { label: "On-call", type: "slack", value: config.requireSecret("slackUrl") },
    "registrar-team": {
      label: "Registrar team",
      type: "email",
      value: config.requireSecret("email"),
      dnsNotificationsEnabled: false,
    },
    automation: {
      label: "Automation",
      type: "webhook",
      value: config.requireSecret("webhookUrl"),
      secondaryValue: "PUT",
    },
  },
  expiry: { minimumDays: config.getNumber("minimumDays") ?? 30, mode: "warn" },
});

export const { channelIds, expiresAt } = website;
export const domainName = website.domain.domain;
