import { PolicyPack } from "@pulumi/policy";
import {
  forbidChannelTypes,
  forbidSilentChannels,
  requireChannelLabel,
  requireChannelTypes,
  requireManagedChannels,
  requireRecordedExpiry,
} from "pulumi-domain-monitoring/policy";

const production = [/^prod/];

new PolicyPack("domain-monitoring", {
  enforcementLevel: "mandatory",
  policies: [
    // Alerts in production must reach the on-call team, and nobody is paged by e-mail.
    requireChannelTypes({ types: ["slack"], stacks: production }),
    forbidChannelTypes({
      types: ["email"],
      stacks: production,
      advice: "send it to the registrar team's Slack channel instead",
    }),
    forbidSilentChannels(),
    requireChannelLabel({
      pattern: /^[A-Z]/,
      enforcementLevel: "advisory",
      advice:
        "begin it with a capital letter, before the channel is created: a create-only one cannot be renamed",
    }),
    // Experimental: in production, Pulumi updates and deletes channels.
    requireManagedChannels({ stacks: production, enforcementLevel: "advisory" }),
    // Checks the dates that DomainAlerts components record. Other stacks can export a date: see the
    // README.
    requireRecordedExpiry({ minimumDays: 14 }),
  ],
});
