"use strict";
// The settings of each example, with values for a local service: stack config, secrets and
// environment, and what that service can do with channels. `other` is a second account. `prepare`
// makes what the service has before the first deployment, and returns further config; `changes` of
// the config are deployed one after the other. Where a rule refuses the first preview, `refused` has what
// mends that. `report` ends with a report on the account.

const healthy = "11111111-1111-4111-8111-111111111111";
const expiring = "22222222-2222-4222-8222-222222222222";

const inAYear = () => new Date(Date.now() + 365 * 86_400_000).toISOString().slice(0, 10);

const email = "registrar-example-destination@example.com";
const slackUrl = "https://hooks.slack.com/services/T000/B000/example-destination";
const webhookUrl = "https://automation.example.com/example-destination";

const SETTINGS = {
  "change-outputs": () => ({
    config: { domainId: healthy, since: "2020-01-01", minimumDays: "30" },
  }),
  fleet: () => ({
    config: { team: "platform" },
    environment: { PLATFORM_SLACK_URL: slackUrl, PLATFORM_WEBHOOK_URL: webhookUrl },
  }),
  "javascript-esm": () => ({ config: { domainId: healthy }, secrets: { email } }),
  "managed-channels": () => ({
    lifecycle: "managed",
    config: { "domain-monitoring:lifecycle": "managed", domainId: healthy },
    secrets: { slackUrl, email },
    prepare: (service) => ({
      deskId: service.addChannel(healthy, { label: "Desk, made by hand" }),
    }),
    changes: [
      {
        title: "Another label: the channel is changed in place",
        config: { opsLabel: "Ops by day" },
      },
      {
        title: "Without `adopt` the desk's channel is like any other",
        config: { deskId: undefined },
      },
    ],
  }),
  "per-environment": () => ({
    config: {
      domainId: healthy,
      minimumDays: "45",
      channels: JSON.stringify({
        "on-call": { label: "On-call", type: "slack", destination: "slackUrl" },
        automation: {
          label: "Automation",
          type: "webhook",
          destination: "webhookUrl",
          secondaryValue: "PUT",
        },
      }),
    },
    secrets: { slackUrl, webhookUrl },
  }),
  quickstart: () => ({
    config: { domainId: expiring },
    secrets: { email },
    refused: {
      title: "Preview: the registration ends in twelve days, so the rule refuses it",
      mend: (service) => service.updateDomain(expiring, { expiresAt: inAYear() }),
      mended: "The domain is renewed. Deploy, with the stack's outputs",
    },
    report: true,
  }),
  testing: () => ({ config: { domainId: healthy }, secrets: { slackUrl } }),
  "two-accounts": ({ other }) => ({
    accounts: [other],
    config: { domainId: healthy, subsidiaryDomainId: expiring, subsidiaryUrl: other.url },
    secrets: { email, subsidiaryToken: other.token },
  }),
  "whole-account": () => ({
    lifecycle: "managed",
    config: {
      "domain-monitoring:lifecycle": "managed",
      domains: JSON.stringify(["example.com", "shop.example"]),
    },
    secrets: { deskEmail: email, slackUrl },
    changes: [
      {
        title: "Another name: a domain and its channels are created",
        config: { domains: JSON.stringify(["example.com", "shop.example", "blog.example"]) },
      },
      {
        title:
          "A name leaves the list: its channels are deleted, and the domain stays in the service",
        config: { domains: JSON.stringify(["example.com", "blog.example"]) },
      },
    ],
  }),
};

/** The examples that are no programs: what each is, and what runs it. */
const OTHERS = {
  gitops: "a set of pipelines: examples/gitops/README.md says how to set them up",
  "platform-component":
    "a package: `npm test --workspace @acme/platform-domains` runs its tests, which deploy it on a local service",
  "policy-pack": "three policies to copy: examples/policy-pack/README.md says how to use them",
};

/**
 * Whether a Pulumi.yaml is that of a program by the plugin, which needs its language's host and the
 * plugin installed.
 */
const usesPlugin = (text) => /^(packages:|runtime: yaml)$/m.test(text);

module.exports = { OTHERS, SETTINGS, usesPlugin };
