import * as pulumi from "@pulumi/pulumi";
import { NotificationChannel, requireDomainExpiryOutput } from "pulumi-domain-monitoring";
import { readChannels } from "./channels";

const config = new pulumi.Config();

// A channel that takes the domain's id from the result is not created if the rule fails, even by an
// update without a preview.
const expiry = requireDomainExpiryOutput({
  id: config.require("domainId"),
  minimumDays: config.requireNumber("minimumDays"),
  mode: config.get<"error" | "warn">("expiryMode", { allowedValues: ["error", "warn"] }),
});

// The program is the same for every stack; the channels come from the stack's settings.
const channels = Object.entries(readChannels(config.requireObject("channels"))).map(
  ([name, { label, type, destination, method }]) =>
    new NotificationChannel(name, {
      domainId: expiry.domainId,
      label,
      type,
      // The settings contain only the secret's name, so that they can be reviewed without the
      // secret.
      value: config.requireSecret(destination),
      secondaryValue: method,
    }),
);

export const channelIds = pulumi.all(channels.map(({ channelId }) => channelId));
// A date instead of the days left, which would change every day.
export const expiresAt = expiry.expiresAt;
export const actBy = expiry.actBy;
