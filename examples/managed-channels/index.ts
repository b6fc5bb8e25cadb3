import * as pulumi from "@pulumi/pulumi";
import { NotificationChannel } from "pulumi-domain-monitoring";

const config = new pulumi.Config();
const domainId = config.require("domainId");

// Stack config makes all channels managed: `domain-monitoring:lifecycle`. A new label or
// destination updates a channel in place, and a channel that you remove from this program is
// deleted.
const ops = new NotificationChannel("ops", {
  domainId,
  label: config.require("opsLabel"),
  type: "slack",
  value: config.requireSecret("slackUrl"),
});

// Takes over a channel that was created by hand, if its id is set; otherwise creates one.
const desk = new NotificationChannel("desk", {
  domainId,
  label: "Registrar desk",
  type: "email",
  value: config.requireSecret("email"),
  adopt: config.get("deskId"),
});

// `channelId` would be unknown in the preview of an update.
export const channelIds = { ops: ops.id, desk: desk.id };
export const lifecycle = ops.lifecycle;
