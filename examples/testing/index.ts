import * as pulumi from "@pulumi/pulumi";
import { NotificationChannel, requireDomainExpiryOutput } from "pulumi-domain-monitoring";

const config = new pulumi.Config();
const domainId = config.require("domainId");

const onCall = new NotificationChannel("on-call", {
  domainId,
  label: config.get("label") ?? "On-call",
  type: "slack",
  value: config.requireSecret("slackUrl"),
});

export const channelId = onCall.channelId;
export const actBy = requireDomainExpiryOutput({ id: domainId, minimumDays: 30 }).actBy;
