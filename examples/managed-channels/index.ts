import * as pulumi from "@pulumi/pulumi";
import { NotificationChannel } from "pulumi-domain-monitoring";

const config = new pulumi.Config();
const domainId = config.require("domainId");

// That channels are managed is said once, in stack config: `domain-monitoring:lifecycle`. Another label or destination is an
// update in place, and a channel that leaves this program is deleted.
const ops = new NotificationChannel("ops", {
  domainId,
  label: config.require("opsLabel"),
  type: "slack",
  value: config.requireSecret("slackUrl"),
});

// A channel that somebody has made by hand is taken over by its id; without one it is created.
const desk = new NotificationChannel("desk", {
  domainId,
  label: "Registrar desk",
  type: "email",
  value: config.requireSecret("email"),
  adopt: config.get("deskId"),
});

// Not `channelId`, which is unknown in the preview of an update.
export const channelIds = { ops: ops.id, desk: desk.id };
export const lifecycle = ops.lifecycle;
