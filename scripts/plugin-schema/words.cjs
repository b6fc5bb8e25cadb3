"use strict";
// What the declarations cannot say: texts that differ where TypeScript's do not hold, and what each language calls things.

const secondaryValue = "Extra value of some types. Always kept as a secret.";

/** Descriptions by declaration and property; they replace those in the source. */
const TEXTS = {
  Provider:
    "Settings of another account than that of the stack's configuration. Base address and token have to be given; what else " +
    "is left out comes from the environment, then from the default.",
  abandon:
    "Ids of channels, separated by commas, that a delete lets go: they stay in the service, leave the state, and are named in a " +
    "warning. For channels of explicit providers, too.",
  State: "Known properties of a channel that exists: the service is asked only for one that is managed.",
  Experimental:
    "Experimental: it uses operations that are not in the service's interface, and a service may lack them.",
  "Function.requireDomainExpiry":
    "Reads a domain and evaluates a rule. A domain that breaks the rule causes a warning or an error of this function, in one line, as " +
    "the rule says; with an override in effect it is a warning. Returns the result otherwise.",
  "Function.getDomain":
    "The state of a monitored domain, by exactly one of `id` and `domain`. Runs in previews too and leaves nothing in the state. " +
    "By `domain` it is experimental: the name is looked up in the list of domains, which is not in the service's interface, and " +
    "which a service may lack.",
  "GetDomainByIdArgs.id": "Identifier of the domain. Exactly one of `id` and `domain` is required.",
  "GetDomainByNameArgs.domain":
    "Name of the domain, such as `example.com`; case, a final dot and the forms of IDNA make no difference. Exactly one of `id` and " +
    "`domain` is required.",
  Package:
    "Notification channels for the domains of a domain monitoring service, their WHOIS and DNS changes, and rules for the expiry of " +
    "their registration.",
  Lifecycle: "Treatment of a channel after its creation.",
  "NotificationChannel.lifecycle": 'Lifecycle recorded for this channel. None means `"create-only"`.',
  "Lifecycle.create-only": "It is created, and never read, changed or deleted.",
  "Lifecycle.managed": "Experimental: it is read by a refresh, changed in place and deleted.",
  ChannelType: "The kinds of notification channel.",
  "ChannelType.email": "Messages to an e-mail address.",
  "ChannelType.discord": "Messages to a channel of Discord, by its webhook.",
  "ChannelType.slack": "Messages to a channel of Slack, by its webhook.",
  "ChannelType.ms_teams": "Messages to a channel of Microsoft Teams, by its webhook.",
  "ChannelType.pushover": "Notifications by Pushover.",
  "ChannelType.webhook": "Requests to an http or https URL of your own.",
  Reaction: "Reaction to something that is wrong.",
  "Reaction.warn": "Say it in a warning, and go on.",
  "Reaction.error": "Fail.",
  "WebhookChannelArgs.type": "Kind of destination that the service sends notifications to.",
  "WebhookChannelArgs.value":
    "The destination: an address for `email`, an http or https URL for `webhook`, a webhook URL for `discord`, `slack` and " +
    "`ms_teams`, a key for `pushover`. Left out, the channel has none. Always kept as a secret, " +
    "even if it is passed as plain text.",
  "WebhookChannelArgs.secondaryValue":
    "Extra value of some types: for `webhook` the HTTP method, `POST`, `PUT` or `PATCH`. Always kept as a secret, even if it is " +
    "passed as plain text. Default: none, for `webhook` the service's.",
  "NotificationChannel.value": "The destination. Always kept as a secret.",
  "NotificationChannel.secondaryValue": secondaryValue,
  "NotificationChannelState.value": "The destination. Always kept as a secret.",
  "NotificationChannelState.secondaryValue": secondaryValue,
  "NotificationChannel.createdAt":
    "`YYYY-MM-DD hh:mm:ss`, taken as UTC; empty for a channel that was imported, or if the service's answer to the create could " +
    "not be read.",
};

/** The formats of dates have names in this repository only. */
const FORMATS = {
  DATE: "YYYY-MM-DD",
  "SQL-TS": "YYYY-MM-DD hh:mm:ss",
  "ISO-UTC": "YYYY-MM-DDThh:mm:ss.ffffffZ",
};

/** Where a value's name does not follow from it. */
const NAMES = { ms_teams: "MsTeams", "create-only": "CreateOnly" };

/** What the generated packages are called. None may pass for one of Pulumi's own, or for this package. */
function languages({ goModule, rootNamespace, basePackage }) {
  return {
    csharp: {
      rootNamespace,
      namespaces: { "domain-monitoring": "DomainMonitoring" },
      respectSchemaVersion: true,
    },
    go: {
      importBasePath: `${goModule}/domainmonitoring`,
      generateResourceContainerTypes: true,
      respectSchemaVersion: true,
    },
    java: { basePackage, buildFiles: "gradle" },
    nodejs: { packageName: "pulumi-domain-monitoring-sdk", respectSchemaVersion: true },
    python: {
      packageName: "pulumi_domain_monitoring",
      pyproject: { enabled: true },
      respectSchemaVersion: true,
    },
  };
}

module.exports = { FORMATS, languages, NAMES, TEXTS };
