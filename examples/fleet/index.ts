/**
 * One stack of the fleet: the domains of the team that the stack is named after. `fleet.ts` deploys
 * many of them; each can also be deployed separately, with `pulumi up --stack TEAM`, Pulumi
 * Deployments or the Kubernetes operator.
 */
import * as pulumi from "@pulumi/pulumi";
import { NotificationChannel } from "pulumi-domain-monitoring";
import { readFleet } from "./fleet-file";

const config = new pulumi.Config();
const team = config.get("team") ?? pulumi.getStack();
const file = process.env.FLEET_FILE ?? "domains.yaml";

const shard = readFleet(file).find(({ stack }) => stack === team);
if (!shard) throw new pulumi.RunError(`${file} has no domains of team ${team}`);

const channels = shard.domains.flatMap((domain) =>
  shard.channels.map(({ name, label, type, destination, method }) => {
    const channel = new NotificationChannel(`${domain.name}-${name}`, {
      domainId: domain.id,
      label,
      type,
      value: destinationOf(destination),
      secondaryValue: method,
    });
    return [`${domain.name}-${name}`, channel.channelId] as const;
  }),
);

export const channelIds = Object.fromEntries(channels);

function destinationOf(name: string): pulumi.Output<string> {
  const fromEnvironment = process.env[name];
  const value =
    config.getSecret(name) ?? (fromEnvironment ? pulumi.secret(fromEnvironment) : undefined);
  if (value) return value;
  throw new pulumi.RunError(
    `there is no destination ${name}: set it in the environment or by \`pulumi config set --secret ${name}\``,
  );
}
