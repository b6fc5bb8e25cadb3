/**
 * Resolves base address, token and tuning: an explicit argument, then stack config, then the environment. Stack config is read
 * through a function, as program and provider process read it in different ways.
 */
import { DomainMonitoringError } from "./client/errors";
import { type ClientOptions, parseBaseUrl, resolveOptions } from "./client/options";
import { messageOf } from "./common/errors";
import {
  ABANDON_KEY,
  LIFECYCLE_KEY,
  LIFECYCLES,
  type Lifecycle,
  SETTINGS,
  type SettingName,
  TOKEN_VARIABLE_KEY,
} from "./names";

/** Settings given to a `Provider` in the program. Undefined ones come from the other sources. */
export interface ExplicitSettings {
  baseUrl?: string;
  apiToken?: string;
  apiTokenVariable?: string;
  timeoutSeconds?: number;
  maxRetries?: number;
  concurrency?: number;
}

/** Sources of settings. */
export interface SettingSources {
  /** Arguments in the program; numbers may come as text. @default none */
  explicit?: { [Name in keyof ExplicitSettings | "lifecycle"]?: string | number };
  /** Reads stack config by full key. `plaintext` is true if the value is known not to be a secret. */
  stackConfig: (key: string) => { value: string; plaintext: boolean } | undefined;
  environment: NodeJS.ProcessEnv;
}

/** A setting and where it was found. */
export interface FoundSetting {
  value: string;
  /** Such as `stack config domain-monitoring:baseUrl` or `environment variable DOMAIN_MONITORING_BASE_URL`. */
  origin: string;
}

/** The client options that can be configured. */
export type Configuration = Pick<ClientOptions, "baseUrl" | "timeoutMs" | "maxRetries" | "concurrency"> & {
  apiToken: string;
};

/**
 * Finds one setting; undefined if it is not set. An empty string counts as not set.
 * @throws DomainMonitoringError of kind `configuration`: the token is in plaintext, or not in the variable that is named for it
 */
export function findSetting(name: SettingName, sources: SettingSources): FoundSetting | undefined {
  const { key, variable } = SETTINGS[name];
  const explicit = sources.explicit?.[name];
  if (explicit !== undefined) return { value: String(explicit), origin: `argument ${name}` };
  const named = name === "apiToken" && sources.explicit?.apiTokenVariable;
  if (named) return tokenIn(String(named), "argument apiTokenVariable", sources);
  const configured = sources.stackConfig(key);
  const configuredName = name === "apiToken" && sources.stackConfig(TOKEN_VARIABLE_KEY)?.value;
  if (configuredName) {
    if (configured?.value)
      throw misconfigured(`stack config has ${key} and ${TOKEN_VARIABLE_KEY}: remove one of them`);
    return tokenIn(configuredName, `stack config ${TOKEN_VARIABLE_KEY}`, sources);
  }
  if (configured && configured.value !== "") {
    if (name === "apiToken" && configured.plaintext)
      throw misconfigured(
        `stack config ${key} holds the API token in plaintext: run \`pulumi config set --secret ${key}\` and enter it there, ` +
          "and replace the token in the service if the file has been shared",
      );
    return { value: configured.value, origin: `stack config ${key}` };
  }
  const fromEnvironment = sources.environment[variable];
  return fromEnvironment ? { value: fromEnvironment, origin: `environment variable ${variable}` } : undefined;
}

/** The token in the variable that is named for it. Another one, which may be of another account, is never used instead. */
function tokenIn(variable: string, origin: string, { environment }: SettingSources): FoundSetting {
  // It may be the token itself, by mistake.
  if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(variable))
    throw misconfigured(
      `${origin} is not the name of an environment variable: use one such as SUBSIDIARY_TOKEN`,
    );
  const value = environment[variable];
  if (value) return { value, origin: `environment variable ${variable}` };
  throw misconfigured(
    `the environment variable ${variable} is not set, which ${origin} names: set it to the API token`,
  );
}

type TokenArguments = Partial<Record<"apiToken" | "apiTokenVariable", unknown>>;

/** Problem of an explicit provider's arguments: exactly one of these says what its token is. */
export function tokenArgumentProblem({ apiToken, apiTokenVariable }: TokenArguments): string | undefined {
  const both = [apiToken, apiTokenVariable].filter((one) => (one ?? null) !== null);
  if (both.length === 1) return undefined;
  return both.length === 2
    ? "a Provider has the arguments apiToken and apiTokenVariable: remove one of them"
    : "argument apiToken of a Provider is missing: give the token of the account at its baseUrl, or by apiTokenVariable the name of the environment variable that has it";
}

/**
 * Resolves everything a client needs. @throws DomainMonitoringError of kind `configuration`: one line that names the
 * setting, where its value came from and how to fix it
 */
export function resolveConfiguration(sources: SettingSources): Configuration {
  const baseUrl = required("baseUrl", "https://…", sources);
  naming(baseUrl.origin, () => parseBaseUrl(baseUrl.value));
  const apiToken = required("apiToken", "", sources);
  const account = { baseUrl: baseUrl.value, apiToken: apiToken.value };
  naming(apiToken.origin, () => resolveOptions(account));
  const seconds = number("timeoutSeconds", sources, { minimum: 0.001, maximum: 2_000_000, whole: false });
  return {
    ...account,
    timeoutMs: seconds === undefined ? undefined : Math.round(seconds * 1000),
    maxRetries: number("maxRetries", sources, { minimum: 0, maximum: 100 }),
    concurrency: number("concurrency", sources, { minimum: 1, maximum: 1000 }),
  };
}

/**
 * The lifecycle of channels that do not declare one: an argument of the provider, then stack config.
 * @throws DomainMonitoringError of kind `configuration`, in one line
 */
export function resolveLifecycle({ explicit, stackConfig }: Omit<SettingSources, "environment">): Lifecycle {
  const argument = explicit?.lifecycle;
  const given = argument ?? (stackConfig(LIFECYCLE_KEY)?.value || LIFECYCLES[0]);
  const lifecycle = LIFECYCLES.find((known) => known === given);
  if (lifecycle !== undefined) return lifecycle;
  const origin = argument === undefined ? `stack config ${LIFECYCLE_KEY}` : "argument lifecycle";
  throw misconfigured(`${origin} is not a valid lifecycle: use ${LIFECYCLES.join(" or ")}`);
}

/** Channels that a delete drops from the state without deleting them: ids in stack config, separated by commas, in lower case. */
export function resolveAbandoned({ stackConfig }: Pick<SettingSources, "stackConfig">): string[] {
  const listed = stackConfig(ABANDON_KEY)?.value ?? "";
  return listed.split(/[\s,]+/).flatMap((id) => (id === "" ? [] : [id.toLowerCase()]));
}

function required(name: SettingName, placeholder: string, sources: SettingSources): FoundSetting {
  const found = findSetting(name, sources);
  if (found) return found;
  const { key, variable } = SETTINGS[name];
  const what = name === "apiToken" ? "the API token" : "the base address of the service";
  const secret = name === "apiToken" ? "--secret " : "";
  const command = `pulumi config set ${secret}${key} ${placeholder}`.trim();
  throw misconfigured(`${what} is not set: run \`${command}\` or set the environment variable ${variable}`);
}

function number(
  name: SettingName,
  sources: SettingSources,
  { minimum, maximum, whole = true }: { minimum: number; maximum: number; whole?: boolean },
): number | undefined {
  const found = findSetting(name, sources);
  if (!found) return undefined;
  const value = /^\d+(\.\d+)?$/.test(found.value.trim()) ? Number(found.value) : Number.NaN;
  if (value >= minimum && value <= maximum && !(whole && value % 1 > 0)) return value;
  throw misconfigured(
    `${found.origin} is not a ${whole ? "whole " : ""}number from ${minimum} to ${maximum}: correct it or remove it`,
  );
}

/** Prefixes an error with the setting that caused it. */
function naming(origin: string, check: () => void): void {
  try {
    check();
  } catch (error) {
    throw misconfigured(`${origin}: ${messageOf(error)}`);
  }
}

function misconfigured(message: string): DomainMonitoringError {
  return new DomainMonitoringError("configuration", message);
}
