import * as pulumi from "@pulumi/pulumi";
import {
  evaluateDomainExpiry,
  getDomainOutput,
  getDomainsOutput,
  NotificationChannel,
} from "pulumi-domain-monitoring";

const config = new pulumi.Config();
const rule = { minimumDays: config.requireNumber("minimumDays") };
// Such as `{"example.com": "platform", "example.org": "brand"}`.
const teams = config.requireObject<Record<string, string>>("teams");

// Every domain of the account, also one that has no team. Without texts that change every day, such as the days that are left.
const { domains, truncated } = getDomainsOutput({ limit: 5000 });
export const expiry = domains.apply((all) =>
  all.map((each) => {
    const { domain, expiresAt, status, actBy } = evaluateDomainExpiry(each, rule);
    return { domain, expiresAt, status, actBy };
  }),
);
export const isIncomplete = truncated;
export const withoutTeam = domains.apply((all) =>
  all.map(({ domain }) => domain).filter((domain) => !Object.hasOwn(teams, domain)),
);

// A channel for each domain in the map. A name that the account does not have fails the preview: a channel is never removed
// because a domain was not found.
export const channelIds = Object.fromEntries(
  Object.entries(teams).map(([domain, team]) => {
    const channel = new NotificationChannel(domain, {
      domainId: getDomainOutput({ domain }).id,
      label: `Team ${team}`,
      type: "email",
      value: config.requireSecret(`${team}Email`),
    });
    return [domain, channel.channelId];
  }),
);
