/**
 * Resolves base address, token and tuning: an explicit argument, then stack config, then the
 * environment. Stack config is read through a function, because program and provider process read
 * it in different ways.
 */
import { DomainMonitoringError } from "./client/errors";
import { accountOf, addressProblem, type CheckedOptions, tokenProblem } from "./client/options";
import { canonicalId } from "./client/rules";
import { either, parseUrl } from "./common/text";
import {
  ABANDON_KEY,
  BOUNDS,
  DEFAULTS,
  LIFECYCLE_KEY,
  LIFECYCLES,
  type Lifecycle,
  MOVED_FROM_KEY,
  SETTINGS,
  type SettingName,
} from "./names";

/** Settings given to a `Provider` in the program. Undefined ones come from the other sources. */
export interface ExplicitSettings {
  /** Base address: an https URL, or an http URL of a loopback host. */
  baseUrl?: string;

  /** Bearer token of the account; always kept as a secret. */
  apiToken?: string;

  /** Deadline of a whole call in seconds. */
  timeoutSeconds?: number;

  /** Further attempts after the first. */
  maxRetries?: number;

  /** Requests in flight. */
  concurrency?: number;
}

/** Places where settings are found. */
export interface SettingSources {
  /** Arguments in the program; numbers may come as text. @default none */
  explicit?: { [Name in ArgumentName]?: string | number };

  /**
   * Reads stack config by full key. `plaintext` is true if the value is known not to be a secret.
   */
  stackConfig: (key: string) => { value: string; plaintext: boolean } | undefined;
  environment: NodeJS.ProcessEnv;

  /** Places by precedence. @default arguments, stack config, environment */
  order?: readonly Place[];
}

type ArgumentName = SettingName | "lifecycle" | "movedFrom";

type NumberName = keyof typeof BOUNDS;

type Place = "arguments" | "stack config" | "environment";

const ORDER: readonly Place[] = ["arguments", "stack config", "environment"];

/** A setting and where it was found. */
export interface FoundSetting {
  value: string;

  /**
   * Such as `stack config domain-monitoring:baseUrl` or `environment variable
   * DOMAIN_MONITORING_BASE_URL`.
   */
  origin: string;

  place: Place;
}

/** The client options that can be configured. */
export type Configuration = Pick<
  CheckedOptions,
  "account" | "timeoutMs" | "maxRetries" | "concurrency"
>;

/**
 * Finds base address and token. A token belongs to the address in its own place, and is sent to no
 * other. If that place has no address, the first address of the other places is used.
 * @throws DomainMonitoringError of kind `configuration`: a place of higher precedence has another
 * address, one of both cannot be used, or as `findSetting`
 */
export function findAccount(sources: SettingSources): {
  baseUrl?: FoundSetting;
  apiToken?: FoundSetting;
} {
  const apiToken = findSetting("apiToken", sources);
  const baseUrl = findSetting("baseUrl", sources);

  if (baseUrl) checkSetting("baseUrl", baseUrl);
  if (apiToken) checkSetting("apiToken", apiToken);
  if (!apiToken || !baseUrl) return { baseUrl, apiToken };

  const own = FIND[apiToken.place]("baseUrl", sources);
  const isOther =
    own && own.value !== baseUrl.value && addressOf(own.value) !== addressOf(baseUrl.value);
  if (!isOther) return { baseUrl, apiToken };

  throw misconfigured(
    `the API token in ${apiToken.origin} belongs to the address in ${own.origin}, and ${baseUrl.origin} is another one: ` +
      "remove the wrong address, or set address and token in the same place",
  );
}

/**
 * The same text for every way to write an address. An address that is not valid, or not known yet,
 * is returned as it is.
 */
export function addressOf(baseUrl: string): string {
  const url = parseUrl(baseUrl);
  return url ? `${url.origin}${url.pathname.replace(/\/+$/, "")}` : baseUrl;
}

/**
 * Finds one setting; undefined if it is not set. An empty string counts as not set, but for an
 * argument.
 * @throws DomainMonitoringError of kind `configuration`: the token is in plaintext
 */
export function findSetting(name: SettingName, sources: SettingSources): FoundSetting | undefined {
  for (const place of sources.order ?? ORDER) {
    const found = FIND[place](name, sources);
    if (found) return found;
  }

  return undefined;
}

const FIND: Record<Place, typeof findSetting> = {
  arguments(name, { explicit }) {
    const value = explicit?.[name];
    if (value === undefined) return undefined;

    return { value: String(value), origin: `argument ${name}`, place: "arguments" };
  },

  "stack config"(name, { stackConfig }) {
    const { key } = SETTINGS[name];
    const { value, plaintext } = stackConfig(key) ?? {};
    if (!value) return undefined;
    if (name === "apiToken" && plaintext) throw plaintextToken();

    return { value, origin: `stack config ${key}`, place: "stack config" };
  },

  environment(name, { environment }) {
    const { variable } = SETTINGS[name];
    const value = environment[variable];
    if (!value) return undefined;

    return { value, origin: `environment variable ${variable}`, place: "environment" };
  },
};

/** The settings that have no default, in words. */
const ACCOUNT = { baseUrl: "the base address of the service", apiToken: "the API token" };

/** Problem of an explicit provider that has no token. */
export const NO_TOKEN_ARGUMENT =
  "argument apiToken of a Provider is missing: pass the token of the account at its baseUrl";

/** Problem of an argument of an explicit provider that is empty: it would count as not set. */
export function emptyArgumentProblem(name: string): string {
  return `argument ${name} of a Provider is empty: give the account's own`;
}

/**
 * Resolves everything a client needs. @throws DomainMonitoringError of kind `configuration`: one
 * line that names the setting, where its value came from and how to fix it
 */
export function resolveConfiguration(sources: SettingSources): Configuration {
  const { baseUrl, apiToken } = findAccount(sources);
  if (!baseUrl) throw notSet("baseUrl", [`run \`${configCommand("baseUrl")} https://…\``]);
  if (!apiToken) throw notSet("apiToken", [`run \`${configCommand("apiToken")}\``]);

  const seconds = number("timeoutSeconds", sources) ?? DEFAULTS.timeoutSeconds;

  return {
    account: accountOf(baseUrl.value, apiToken.value),
    timeoutMs: Math.round(seconds * 1000),
    maxRetries: number("maxRetries", sources),
    concurrency: number("concurrency", sources),
  };
}

/**
 * The lifecycle of channels that do not declare one.
 * @throws DomainMonitoringError of kind `configuration`, in one line
 */
export function resolveLifecycle(sources: ProviderSources): Lifecycle {
  const found = findOfProvider("lifecycle", sources);
  if (!found) return LIFECYCLES[0];

  const lifecycle = LIFECYCLES.find((known) => known === found.value);
  if (lifecycle !== undefined) return lifecycle;

  throw misconfigured(`${found.origin} is not a valid lifecycle: use ${LIFECYCLES.join(" or ")}`);
}

/**
 * The address that the service has moved from. @throws DomainMonitoringError of kind `configuration`
 */
export function resolveMovedFrom(sources: ProviderSources): string | undefined {
  const found = findOfProvider("movedFrom", sources);
  if (!found) return undefined;

  const problem = addressProblem(found.value);
  if (problem !== undefined) throw misconfigured(`${found.origin}: ${problem}`);

  return addressOf(found.value);
}

type ProviderSources = Pick<SettingSources, "explicit" | "stackConfig">;

/** Finds a setting that only providers have: an argument, then stack config. */
function findOfProvider(
  name: "lifecycle" | "movedFrom",
  { explicit, stackConfig }: ProviderSources,
): Omit<FoundSetting, "place"> | undefined {
  const argument = explicit?.[name];
  if (argument !== undefined) return { value: String(argument), origin: `argument ${name}` };

  const key = name === "lifecycle" ? LIFECYCLE_KEY : MOVED_FROM_KEY;
  const { value } = stackConfig(key) ?? {};

  return value ? { value, origin: `stack config ${key}` } : undefined;
}

/**
 * Channels that a delete drops from the state without deleting them: ids in stack config, separated
 * by commas.
 */
export function resolveAbandoned({ stackConfig }: Pick<SettingSources, "stackConfig">): string[] {
  const listed = stackConfig(ABANDON_KEY)?.value ?? "";
  // The engine also sends a list as JSON.
  return listed.split(/[\s,"[\]]+/).flatMap((id) => (id === "" ? [] : [canonicalId(id)]));
}

/**
 * @throws DomainMonitoringError of kind `configuration` if the value of a setting cannot be used
 */
export function checkSetting(name: SettingName, found: FoundSetting): void {
  if (name === "baseUrl" || name === "apiToken") {
    const problem = name === "baseUrl" ? addressProblem(found.value) : tokenProblem(found.value);
    if (problem !== undefined) throw misconfigured(`${found.origin}: ${problem}`);
  } else toNumber(name, found);
}

/** The error for a token in stack config that is not a secret. */
export function plaintextToken(): DomainMonitoringError {
  const { key } = SETTINGS.apiToken;

  return misconfigured(
    `stack config ${key} holds the API token in plaintext: run \`pulumi config set --secret ${key}\` and enter it there, ` +
      "and replace the token in the service if the file has been shared",
  );
}

/** @param why reason why a place was not searched, at the end of the message */
export function notSet(
  name: keyof typeof ACCOUNT,
  ways: readonly string[],
  why = "",
): DomainMonitoringError {
  const all = either([...ways, `set the environment variable ${SETTINGS[name].variable}`]);
  return misconfigured(`${ACCOUNT[name]} is not set: ${all}${why}`);
}

/** The command that sets a setting in stack config. */
export function configCommand(name: SettingName): string {
  return `pulumi config set ${name === "apiToken" ? "--secret " : ""}${SETTINGS[name].key}`;
}

function number(name: NumberName, sources: SettingSources): number | undefined {
  const found = findSetting(name, sources);
  return found && toNumber(name, found);
}

function toNumber(name: NumberName, { value: text, origin }: FoundSetting): number {
  const [minimum, maximum] = BOUNDS[name];
  const isFraction = name === "timeoutSeconds";
  const value = /^\d+(\.\d+)?$/.test(text.trim()) ? Number(text) : Number.NaN;
  const isOfKind = isFraction || Number.isInteger(value);
  if (isOfKind && value >= minimum && value <= maximum) return value;

  throw misconfigured(
    `${origin} is not a ${isFraction ? "" : "whole "}number from ${minimum} to ${maximum}: correct it or remove it`,
  );
}

function misconfigured(message: string): DomainMonitoringError {
  return new DomainMonitoringError("configuration", message);
}
