import * as pulumi from "@pulumi/pulumi";
import { getDomainOutput, NotificationChannel, Provider } from "pulumi-domain-monitoring";

const config = new pulumi.Config();
const email = config.requireSecret("email");

// The stack's own account: stack config `domain-monitoring:…`, or the environment.
const domainId = config.require("domainId");
const own = new NotificationChannel("own", {
  domainId,
  label: "Registrar desk",
  type: "email",
  value: email,
});

// The other account. Its token is a secret of this stack, and never an input or output of a
// channel.
const subsidiary = new Provider("subsidiary", {
  baseUrl: config.require("subsidiaryUrl"),
  apiToken: config.requireSecret("subsidiaryToken"),
});

// Resources and functions accept the provider; without it they use the stack's own account.
const subsidiaryDomainId = config.require("subsidiaryDomainId");
const other = new NotificationChannel(
  "subsidiary",
  { domainId: subsidiaryDomainId, label: "Registrar desk", type: "email", value: email },
  { provider: subsidiary },
);

export const channelIds = { own: own.id, subsidiary: other.id };
export const expiresAt = {
  own: getDomainOutput({ id: domainId }).expiresAt,
  subsidiary: getDomainOutput({ id: subsidiaryDomainId }, { provider: subsidiary }).expiresAt,
};
