/** One stack of the fleet: the domains of the team that the stack is named after. */
import * as pulumi from "@pulumi/pulumi";
import { DomainAlerts } from "pulumi-domain-monitoring";
import { readFleet } from "./fleet-file";

const team = new pulumi.Config().get("team") ?? pulumi.getStack();
const { teams, domains } = readFleet(".");
const channels = Object.entries(teams[team] ?? {}).map(
  ([name, { destination, ...channel }]) =>
    [name, { ...channel, value: pulumi.secret(variable(destination)) }] as const,
);
if (channels.length === 0) throw new pulumi.RunError(`domains.yaml has no team ${team}`);

const alerts = domains
  .filter((domain) => domain.team === team)
  .map(({ name, id }) => {
    const args = {
      domainId: id,
      channels: Object.fromEntries(channels),
      expiry: { minimumDays: 30, mode: "warn", onUnknown: "warn" } as const,
    };
    return [name, new DomainAlerts(name, args).channelIds] as const;
  });

export const channelIds = Object.fromEntries(alerts);

function variable(name: string): string {
  const value = process.env[name];
  if (!value) throw new pulumi.RunError(`set the environment variable ${name} to a destination`);
  return value;
}
