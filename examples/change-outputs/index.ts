import * as pulumi from "@pulumi/pulumi";
import {
  getDnsChangesOutput,
  getWhoisChangesOutput,
  requireDomainExpiryOutput,
} from "pulumi-domain-monitoring";

const config = new pulumi.Config();
const domainId = config.require("domainId");

// Nothing is declared here: the stack only reads, so that others need neither the token nor the service.

// Newest first, so the first registrar change is the latest one.
export const latestRegistrarChange = getWhoisChangesOutput({ domainId }).changes.apply((changes) => {
  const latest = changes.find(({ fieldChanged }) => fieldChanged === "registrar");
  return latest ? { at: latest.createdAt, from: latest.before, to: latest.after } : null;
});

const dns = getDnsChangesOutput({ domainId, since: config.require("since"), limit: 100 });
export const dnsChanges = dns.changes.apply((changes) =>
  changes.map(({ createdAt, fieldChanged, before, after }) => ({
    at: createdAt,
    field: fieldChanged,
    before,
    after,
  })),
);
// Whoever acts on the list must know when it is not all of it.
export const dnsChangesTruncated = dns.truncated;

// A warning and not an error: a stack that only reports must not stop because of what it reports.
const expiry = requireDomainExpiryOutput({
  id: domainId,
  minimumDays: config.requireNumber("minimumDays"),
  mode: "warn",
  onUnknown: "warn",
});
// Dates and a status, and no number of days: that would be another output every morning, in every stack that reads it.
export const domain = expiry.domain;
export const expiresAt = expiry.expiresAt;
export const expiryStatus = expiry.status;
export const renewBy = expiry.actBy;
