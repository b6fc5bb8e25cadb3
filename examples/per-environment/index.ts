import * as pulumi from "@pulumi/pulumi";
import { NotificationChannel, requireDomainExpiryOutput } from "pulumi-domain-monitoring";
import { readChannels } from "./channels";

const config = new pulumi.Config();
const domainId = config.require("domainId");

// The program is the same for every stack; which channels there are is data of the stack.
const channels = Object.entries(readChannels(config.requireObject("channels"))).map(
  ([name, { label, type, destination, method }]) =>
    new NotificationChannel(name, {
      domainId,
      label,
      type,
      // The settings name the secret, so that they can be read and reviewed without it.
      value: config.requireSecret(destination),
      secondaryValue: method,
    }),
);

const expiry = requireDomainExpiryOutput({
  id: domainId,
  minimumDays: config.requireNumber("minimumDays"),
  mode: config.get<"error" | "warn">("expiryMode", { allowedValues: ["error", "warn"] }),
});

export const channelIds = pulumi.all(channels.map(({ channelId }) => channelId));
// Dates and not days: an output with the days left would be another one every morning.
export const expiresAt = expiry.expiresAt;
export const actBy = expiry.actBy;
