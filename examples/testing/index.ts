import * as pulumi from "@pulumi/pulumi";
import { NotificationChannel, requireDomainExpiryOutput } from "pulumi-domain-monitoring";

const config = new pulumi.Config();

// A channel that takes the domain's id from the result is not created if the rule fails, even by an
// update without a preview.
const expiry = requireDomainExpiryOutput({ id: config.require("domainId"), minimumDays: 30 });

const onCall = new NotificationChannel("on-call", {
  domainId: expiry.domainId,
  label: config.get("label") ?? "On-call",
  type: "slack",
  value: config.requireSecret("slackUrl"),
});

export const channelId = onCall.id;
export const actBy = expiry.actBy;
