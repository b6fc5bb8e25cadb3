import * as pulumi from "@pulumi/pulumi";
import {
  Domain,
  evaluateDomainExpiry,
  getDomainsOutput,
  NotificationChannel,
} from "pulumi-domain-monitoring";

const config = new pulumi.Config();
const rule = { minimumDays: config.requireNumber("minimumDays") };
// For example `["example.com", "shop.example"]`.
const names = config.requireObject<string[]>("domains");
const deskEmail = config.requireSecret("deskEmail");
const slackUrl = config.requireSecret("slackUrl");

const portfolio = names.map((name) => {
  const domain = new Domain(name, { domain: name });
  const opts = { parent: domain };
  new NotificationChannel(
    `${name}-desk`,
    { domainId: domain.id, label: "Registrar desk", type: "email", value: deskEmail },
    opts,
  );
  new NotificationChannel(
    `${name}-on-call`,
    {
      domainId: domain.id,
      label: "On-call",
      type: "slack",
      value: slackUrl,
      whoisNotificationsEnabled: false,
    },
    opts,
  );
  return domain;
});

export const domainIds = Object.fromEntries(
  names.map((name, index) => [name, portfolio[index]?.id]),
);

// The list is read once, after all domains of the portfolio exist. A new domain has no date until
// its first check.
const { domains, truncated } = getDomainsOutput({ limit: 5000 }, { dependsOn: portfolio });
export const expiry = domains.apply((all) =>
  all.map((each) => {
    // No texts that change every day, such as the days left.
    const { domain, expiresAt, status, actBy } = evaluateDomainExpiry(each, rule);
    return { domain, expiresAt, status, actBy };
  }),
);
export const notDeclared = domains.apply((all) =>
  all.map(({ domain }) => domain).filter((domain) => !names.includes(domain)),
);
export const isIncomplete = truncated;
