import * as pulumi from "@pulumi/pulumi";
import { type ChannelType, DomainAlerts } from "pulumi-domain-monitoring";

/** A channel in the stack's settings: with the name of the secret that has its destination. */
interface Channel {
  label: string;
  type: ChannelType;
  destination: string;
  secondaryValue?: "POST" | "PUT" | "PATCH";
}

const config = new pulumi.Config();

// The program is the same for every stack; the channels come from the stack's settings, which can
// be reviewed without the secrets.
const channels = Object.entries(config.requireObject<Record<string, Channel>>("channels")).map(
  ([name, { destination, ...channel }]) =>
    [name, { ...channel, value: config.requireSecret(destination) }] as const,
);

const website = new DomainAlerts("website", {
  domainId: config.require("domainId"),
  channels: Object.fromEntries(channels),
  expiry: {
    minimumDays: config.requireNumber("minimumDays"),
    mode: config.get<"error" | "warn">("expiryMode", { allowedValues: ["error", "warn"] }),
  },
});

export const { channelIds, expiresAt } = website;
