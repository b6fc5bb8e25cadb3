import * as pulumi from "@pulumi/pulumi";
import * as monitoring from "pulumi-domain-monitoring-sdk";

const config = new pulumi.Config();
const slackUrl = config.requireSecret("slackUrl");

// Lookup by name is experimental. If your service has no list of domains, pass `id` instead of
// `domain`.
const domain = monitoring.getDomainOutput({ domain: config.require("domainName") });

// Fails with one line if the registration does not last long enough. Channels that take the
// domain's id from its result are then not created, even by an update without a preview.
const expiry = monitoring.requireDomainExpiryOutput({ id: domain.id, minimumDays: 30 });

// The stack's own account: stack config `domain-monitoring:…`, or the environment.
const onCall = new monitoring.NotificationChannel("on-call", {
  domainId: expiry.domainId,
  label: "On-call",
  type: "slack",
  value: slackUrl,
});

// A channel without a destination: omit `value`.
const pager = new monitoring.NotificationChannel("pager", {
  domainId: expiry.domainId,
  label: "Pager",
  type: "pushover",
  whoisNotificationsEnabled: false,
});

const dns = monitoring.getDnsChangesOutput({ domainId: domain.id, limit: 5 });

// The other account. Everything without this provider uses the stack's own account.
const subsidiary = new monitoring.Provider("subsidiary", {
  baseUrl: config.require("subsidiaryUrl"),
  apiToken: config.requireSecret("subsidiaryToken"),
});
const subsidiaryDomain = monitoring.getDomainOutput(
  { domain: config.require("subsidiaryDomainName") },
  { provider: subsidiary },
);
const subsidiaryOnCall = new monitoring.NotificationChannel(
  "subsidiary-on-call",
  { domainId: subsidiaryDomain.id, label: "On-call", type: "slack", value: slackUrl },
  { provider: subsidiary },
);

export const channelIds = {
  onCall: onCall.id,
  pager: pager.id,
  subsidiary: subsidiaryOnCall.id,
};
export const expiresAt = { own: expiry.expiresAt, subsidiary: subsidiaryDomain.expiresAt };
export const renewBy = expiry.actBy;
export const dnsChanges = dns.changes.apply((changes) =>
  changes.map(({ changeSummary }) => changeSummary),
);
