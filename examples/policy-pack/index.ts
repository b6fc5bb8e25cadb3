import { PolicyPack } from "@pulumi/policy";
import {
  forbidChannelTypes,
  forbidSilentChannels,
  requireChannelLabel,
  requireChannelTypes,
  requireRecordedExpiry,
} from "pulumi-domain-monitoring/policy";

const production = [/^prod/];

new PolicyPack("domain-monitoring", {
  enforcementLevel: "mandatory",
  policies: [
    // Somebody must be woken, and a mailbox wakes nobody.
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
      advice: "begin it with a capital letter, before the channel is created: it cannot be renamed",
    }),
    // What every DomainAlerts has found. Stacks without one can export the date: see the README.
    requireRecordedExpiry({ minimumDays: 14 }),
  ],
});
