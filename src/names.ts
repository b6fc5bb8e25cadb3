/** Names and defaults shared by several modules: type tokens, inputs and settings. */

// Read at run time: a release changes only the manifest, which is outside the compiled tree.
const manifest: { version: string; homepage: string } = require("../package.json");

/** The version of this package. */
export const VERSION = manifest.version;

/** The address of the repository, which has the documentation. */
export const HOMEPAGE = manifest.homepage;

// Type tokens of the dynamic resources, of the component, and of the plugin's resources.
export const CHANNEL_TOKEN = "pulumi-nodejs:dynamic/domain-monitoring:NotificationChannel";
export const DOMAIN_TOKEN = "pulumi-nodejs:dynamic/domain-monitoring:Domain";
export const ALERTS_TOKEN = "domain-monitoring:index:DomainAlerts";
export const PLUGIN_CHANNEL_TOKEN = "domain-monitoring:index:NotificationChannel";
export const PLUGIN_DOMAIN_TOKEN = "domain-monitoring:index:Domain";

/** Beginning of the type tokens of the plugin's functions, before their names. */
export const FUNCTION_PREFIX = "domain-monitoring:index:";

/** Whether a type is a channel's, in either form. */
export function isChannel(type: string): boolean {
  return type === CHANNEL_TOKEN || type === PLUGIN_CHANNEL_TOKEN;
}

/** The engine's package name for all dynamic resources in Node. */
export const DYNAMIC_PACKAGE = "pulumi-nodejs";

/** Outputs of a channel that only the service can provide. */
export const FACTS = [
  "channelId",
  "typeHuman",
  "isProtected",
  "isDisabled",
  "disabledReason",
  "createdAt",
] as const;

/** Key in stack config and name of the environment variable of each setting. */
export const SETTINGS = {
  baseUrl: { key: "domain-monitoring:baseUrl", variable: "DOMAIN_MONITORING_BASE_URL" },
  apiToken: { key: "domain-monitoring:apiToken", variable: "DOMAIN_MONITORING_API_TOKEN" },
  timeoutSeconds: {
    key: "domain-monitoring:timeoutSeconds",
    variable: "DOMAIN_MONITORING_TIMEOUT_SECONDS",
  },
  maxRetries: { key: "domain-monitoring:maxRetries", variable: "DOMAIN_MONITORING_MAX_RETRIES" },
  concurrency: { key: "domain-monitoring:concurrency", variable: "DOMAIN_MONITORING_CONCURRENCY" },
};

export type SettingName = keyof typeof SETTINGS;

/** Lifecycle of a channel: only created, or also changed and deleted. */
export type Lifecycle = "create-only" | "managed";

/** Every {@link Lifecycle}; the first is the default. */
export const LIFECYCLES = ["create-only", "managed"] as const satisfies readonly Lifecycle[];

/**
 * Key of the lifecycle in stack config. It has no environment variable: a computer without it would
 * set every channel of a stack back, and a destroy would leave them behind.
 */
export const LIFECYCLE_KEY = "domain-monitoring:lifecycle";

/**
 * Key in stack config of the ids of channels that a delete drops from the state without deleting
 * them in the service.
 */
export const ABANDON_KEY = "domain-monitoring:abandon";

/**
 * Key in stack config of the address that the service has moved from: what is recorded there counts
 * as recorded at the present address.
 */
export const MOVED_FROM_KEY = "domain-monitoring:movedFrom";

/** Names of the arguments of a `Provider` that its process takes. */
export const ARGUMENTS = [...(Object.keys(SETTINGS) as SettingName[]), "lifecycle"] as const;

/** Beginning of the key of such an argument, which the process gets as it gets stack config. */
export const ARGUMENT_PREFIX = "domain-monitoring:argument.";

/**
 * Defaults of the settings. The deadline is longer than a service's window of a minute, so that a
 * rate limit is waited out; the client on its own has a shorter one.
 */
export const DEFAULTS = {
  timeoutSeconds: 120,
  maxRetries: 3,
  concurrency: 8,
} as const;

/** Smallest and largest value of the settings that are numbers. */
export const BOUNDS = {
  timeoutSeconds: [0.001, 2_000_000],
  maxRetries: [0, 100],
  concurrency: [1, 1000],
} as const;

/**
 * The text that the engine stores in every state as the provider's code.
 *
 * A constant that requires the installed package: it never changes with a release, so it never
 * shows as a difference, and refresh and destroy run the installed code. Nothing is captured, so
 * the SDK's serializer does not run and no secret can get in. The export
 * `pulumi-domain-monitoring/provider` must therefore never be removed.
 */
// Single quotes, because double ones are escaped in the state, which has this text twice for every
// channel.
export const PROVIDER_TEXT =
  "exports.handler=()=>require('pulumi-domain-monitoring/provider').channel";

/** The same for domains. */
export const DOMAIN_PROVIDER_TEXT = PROVIDER_TEXT.replace(/channel$/, "domain");

/**
 * The parts of a resource's URN, `urn:pulumi:STACK::PROJECT::PARENT$TYPE::NAME`; its type with and
 * without its parents' types.
 */
export function parseUrn(urn: string) {
  const [stack = "", project = "", qualifiedType = "", ...name] = urn.split("::");

  return {
    stack: stack.slice("urn:pulumi:".length),
    project,
    qualifiedType,
    type: qualifiedType.split("$").at(-1) ?? "",
    name: name.join("::"),
  };
}
