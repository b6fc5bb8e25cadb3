/** Names and numbers that several modules must agree on: type tokens, inputs, settings and their defaults. */

/** Type token of `NotificationChannel`. */
export const CHANNEL_TOKEN = "pulumi-nodejs:dynamic/domain-monitoring:NotificationChannel";

/** Type token of `DomainAlerts`. */
export const ALERTS_TOKEN = "domain-monitoring:index:DomainAlerts";

/** The engine's package of all dynamic resources in Node. */
export const DYNAMIC_PACKAGE = "pulumi-nodejs";

/** Inputs that select what a channel is notified of (interface.md, section 6). */
export const FLAGS = [
  "whoisNotificationsEnabled",
  "dnsNotificationsEnabled",
  "sslNotificationsEnabled",
] as const;

/** The name of a setting. */
export type SettingName = "baseUrl" | "apiToken" | "timeoutSeconds" | "maxRetries" | "concurrency";

/** Key in stack config and name of the environment variable of each setting. */
export const SETTINGS: Record<SettingName, { key: string; variable: string }> = {
  baseUrl: { key: "domain-monitoring:baseUrl", variable: "DOMAIN_MONITORING_BASE_URL" },
  apiToken: { key: "domain-monitoring:apiToken", variable: "DOMAIN_MONITORING_API_TOKEN" },
  timeoutSeconds: { key: "domain-monitoring:timeoutSeconds", variable: "DOMAIN_MONITORING_TIMEOUT_SECONDS" },
  maxRetries: { key: "domain-monitoring:maxRetries", variable: "DOMAIN_MONITORING_MAX_RETRIES" },
  concurrency: { key: "domain-monitoring:concurrency", variable: "DOMAIN_MONITORING_CONCURRENCY" },
};

/** What holds where a setting is nowhere. */
export const DEFAULTS = { timeoutSeconds: 30, maxRetries: 3, concurrency: 8 } as const;

/**
 * The text that the engine keeps in every state in place of the provider's code.
 *
 * It is a constant that requires the installed package: it never changes with our releases, so it never shows as a
 * difference, and refresh and destroy run the code that is installed, not the code of back then. Nothing is captured, so
 * the SDK's serializer does not run and no secret can get in. `pulumi-domain-monitoring/provider` can therefore never go away.
 */
// Single quotes: double ones take two bytes each in the state, and it holds this text twice for every channel.
export const PROVIDER_TEXT = "exports.handler=()=>require('pulumi-domain-monitoring/provider').channel";
