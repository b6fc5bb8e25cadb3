/** Three policies for stacks that monitor domains: a start for your own, which needs only this file. */
import { PolicyPack } from "@pulumi/policy";

/** Channels of the npm package, and of the plugin. */
const CHANNELS = [
  "pulumi-nodejs:dynamic/domain-monitoring:NotificationChannel",
  "domain-monitoring:index:NotificationChannel",
];

/** Where `expiresAt` is recorded: by `DomainAlerts`, or as an output of the program. */
const DATED = ["domain-monitoring:index:DomainAlerts", "pulumi:pulumi:Stack"];

const MINIMUM_DAYS = 14;
const DAY = 86_400_000;

// Policies receive destinations in plain text, and Pulumi shows what they report. So a message has
// only names, ids and dates.
new PolicyPack("domain-monitoring", {
  enforcementLevel: "mandatory",
  policies: [
    {
      name: "slack-in-production",
      description: "Every domain of a production stack has a Slack channel.",
      validateStack: ({ resources }, report) => {
        const channels = resources.filter(({ type, urn }) => isChannel(type) && isProduction(urn));

        for (const { name, urn, props } of channels) {
          const domainId = known(props, "domainId");
          if (domainId === undefined) continue;

          const isAlerted = channels.some(
            (other) =>
              isOrUnknown(other.props, "type", "slack") &&
              isOrUnknown(other.props, "domainId", domainId),
          );

          if (!isAlerted) report(`the domain of "${name}" has no Slack channel: add one`, urn);
        }
      },
    },
    {
      name: "no-silent-channel",
      description: "No notification channel has all of its notifications off.",
      validateResource: ({ type, name, props }, report) => {
        if (!isChannel(type)) return;
        const isSilent =
          known(props, "whoisNotificationsEnabled") === false &&
          known(props, "dnsNotificationsEnabled") === false &&
          known(props, "sslNotificationsEnabled") === false;

        if (isSilent)
          report(`channel "${name}" never notifies anyone: switch WHOIS, DNS or SSL on`);
      },
    },
    {
      name: "recorded-expiry",
      description: `No recorded registration ends within ${MINIMUM_DAYS} days.`,
      validateStack: ({ resources }, report) => {
        for (const { type, name, urn, props } of resources) {
          const expiresAt = DATED.includes(type) ? known(props, "expiresAt") : undefined;
          if (expiresAt === null) report(`the end of "${name}" is not known yet`, urn);
          if (typeof expiresAt !== "string") continue;

          const days = daysUntil(expiresAt);
          if (Number.isNaN(days)) report(`expiresAt of "${name}" is not a date`, urn);
          if (days < MINIMUM_DAYS)
            report(`"${name}" expires on ${expiresAt}, ${days} days left: renew it`, urn);
        }
      },
    },
  ],
});

function isChannel(type: string): boolean {
  return CHANNELS.includes(type);
}

/** A URN is `urn:pulumi:STACK::PROJECT::TYPE::NAME`. */
function isProduction(urn: string): boolean {
  return urn.startsWith("urn:pulumi:prod");
}

/** A property; undefined if a preview does not know it yet, because reading it throws then. */
function known(props: Record<string, unknown>, name: string): unknown {
  try {
    return props[name];
  } catch {
    return undefined;
  }
}

/** In a preview, an unknown value may turn out to be the wanted one. */
function isOrUnknown(props: Record<string, unknown>, name: string, wanted: unknown): boolean {
  const value = known(props, name);

  return value === undefined || value === wanted;
}

/** UTC days; the day on which a registration ends is day 0. */
function daysUntil(date: string): number {
  const today = Math.floor(Date.now() / DAY);

  return Date.parse(date.slice(0, 10)) / DAY - today;
}
