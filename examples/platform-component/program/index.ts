import * as pulumi from "@pulumi/pulumi";
// In the team's repository: from "@acme/platform-domains".
import { TeamDomain } from "../index";

const config = new pulumi.Config();

const shop = new TeamDomain("shop", {
  team: "payments",
  tier: "critical",
  domainId: config.require("domainId"),
  chatUrl: config.requireSecret("chatUrl"),
  incidentUrl: config.requireSecret("incidentUrl"),
});

export const { channelIds, expiresAt } = shop;
