import * as pulumi from "@pulumi/pulumi";
import {
  getDnsChangesOutput,
  getWhoisChangesOutput,
  requireDomainExpiryOutput,
} from "pulumi-domain-monitoring";

const config = new pulumi.Config();
const domainId = config.require("domainId");

// This stack declares no resources. It only reads, so that other stacks need neither the token nor
// the service.

// Newest first, so the first registrar change is the latest one.
export const latestRegistrarChange = getWhoisChangesOutput({ domainId }).changes.apply(
  (changes) => {
    const latest = changes.find(({ fieldChanged }) => fieldChanged === "registrar");
    return latest ? { at: latest.createdAt, from: latest.before, to: latest.after } : null;
  },
);

const dns = getDnsChangesOutput({ domainId, since: config.require("since"), limit: 100 });
export const dnsChanges = dns.changes.apply((changes) =>
  changes.map(({ createdAt, fieldChanged, before, after }) => ({
    at: createdAt,
    field: fieldChanged,
    before,
    after,
  })),
);
// Consumers of the list must know whether it is complete.
export const dnsChangesTruncated = dns.truncated;

// A warning instead of an error: a reporting stack must not fail because of its findings.
const expiry = requireDomainExpiryOutput({
  id: domainId,
  minimumDays: config.requireNumber("minimumDays"),
  mode: "warn",
  onUnknown: "warn",
});
// Dates and a status instead of a number of days, which would change every day in every stack that
// reads it.
export const domain = expiry.domain;
export const expiresAt = expiry.expiresAt;
export const expiryStatus = expiry.status;
export const renewBy = expiry.actBy;
