import * as pulumi from "@pulumi/pulumi";
import { DomainAlerts } from "pulumi-domain-monitoring";

const config = new pulumi.Config();
// The domain is looked up first: if its registration ends too soon, or its id or the token is wrong,
// the program fails before a channel is created.
const shop = new DomainAlerts("shop", {
  domainId: config.require("domainId"),
  // A secret: `pulumi config set --secret email` prompts for it, because others can read command
  // lines.
  channels: {
    desk: { label: "Registrar desk", type: "email", value: config.requireSecret("email") },
  },
  expiry: { minimumDays: 30 },
});
export const expiresAt = shop.expiresAt;
