import * as pulumi from "@pulumi/pulumi";
import { getDomain, NotificationChannel } from "pulumi-domain-monitoring";

const config = new pulumi.Config();
const domainId = config.require("domainId");

// Top-level await makes the domain's name available for the label.
const { domain, expiresAt } = await getDomain({ id: domainId });

const mail = new NotificationChannel("mail", {
  domainId,
  label: `Registrar desk, ${domain}`,
  type: "email",
  value: config.requireSecret("email"),
});

export const channelId = mail.id;
export { expiresAt };
