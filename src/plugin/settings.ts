/**
 * The settings of a provider, as they are sent and recorded: those of the stack's configuration, which the engine's own provider
 * follows, or the arguments of an explicit one, to which the engine sends nothing of that configuration.
 */
import { parseBaseUrl } from "../client/options";
import { hasUnknown } from "../common/markers";
import { parseUrn } from "../common/urn";
import { findSetting, resolveLifecycle, tokenArgumentProblem } from "../config";
import { ABANDON_KEY, LIFECYCLE_KEY, SETTINGS } from "../names";
import { describe, type Properties } from "../provider/boundary";
import { Connection } from "../provider/connection";
import { unwrapSecret, wrapSecret } from "./values";

/** Settings by name, as text; numbers are JSON. */
type Settings = Record<string, string | undefined>;

/** Whose settings they are. */
export interface ProviderSettings {
  /** Whether they are those of the stack's configuration. */
  isStack: boolean;
  settings: Settings;
  /** Whether the token is marked as a secret. */
  isSecret: boolean;
}

/**
 * Reads settings. The stack's token is recorded in an object, which is empty where the token comes from the environment: in it the
 * token is a secret in any case, and the engine marks the whole only if it is one in stack config, too.
 * @param urn of the provider, where they may not have been checked: an import by command records them as the engine has them
 */
export function readSettings(args: Properties, urn?: string): ProviderSettings {
  const { value: given, isSecret } = unwrapSecret(args.apiToken);
  const isObject = typeof given === "object" && given !== null;
  const apiToken = isObject ? Object.values(given)[0] : given;
  const texts = Object.entries({ ...args, apiToken }).map(([name, value]) => [
    name,
    asText(unwrapSecret(value).value),
  ]);
  const settings = Object.fromEntries(texts.filter(([, text]) => text !== undefined));
  return { isStack: isObject || (urn !== undefined && isStackConfig(urn, settings)), settings, isSecret };
}

/** Checks settings, and seals the token, as only then it is encrypted in every state. */
export function checkSettings(urn: string, args: Properties): { inputs: Properties; problems: string[] } {
  const { apiToken } = args;
  const sealed = (apiToken ?? "") === "" ? undefined : wrapSecret(apiToken);
  if (readSettings(args, urn).isStack)
    return { inputs: { ...args, apiToken: sealed ? { token: sealed } : {} }, problems: [] };
  const problems = [...accountProblems(args), ...lifecycleProblems(args)];
  return { inputs: sealed ? { ...args, apiToken: sealed } : args, problems };
}

/**
 * Whether these are the settings that the engine takes from stack config. It calls the provider that it makes of them `default`
 * and more; a program's may be called so, too.
 */
function isStackConfig(
  urn: string,
  { version: _ofPlugin, pluginDownloadURL: _its, ...given }: Settings,
): boolean {
  const config = configOfStack();
  const names = [...Object.keys(given), ...Object.keys(config)];
  const isSame = names.every((name) => given[name] === asText(config[name]));
  return isSame && parseUrn(urn).name.startsWith("default");
}

/** A connection with these settings. */
export function connect({ isStack, settings }: ProviderSettings): Connection {
  const connection = new Connection(isStack ? undefined : withOwnToken(settings));
  const stack = configOfStack();
  connection.configure((key) => {
    const name = key.slice(key.indexOf(":") + 1);
    // A destroy is sent what the last update recorded, and these may have been set for it since.
    const isCurrent = key === ABANDON_KEY || (key === LIFECYCLE_KEY && !isStack);
    return (isCurrent ? asText(stack[name]) : undefined) ?? (isStack ? settings[name] : undefined);
  });
  return connection;
}

/** What differs, and replaces the provider, and so its channels: another account. */
export function compareAccounts(
  olds: ProviderSettings,
  news: ProviderSettings,
  { follows }: { follows: boolean },
): { diffs: string[]; replaces: string[] } {
  const names = new Set([...Object.keys(olds.settings), ...Object.keys(news.settings)]);
  const isAnother =
    !(follows && news.isStack) && isAnotherAddress(olds.settings.baseUrl, news.settings.baseUrl);
  return {
    diffs: [...names].filter((name) => olds.settings[name] !== news.settings[name]),
    replaces: isAnother ? ["baseUrl"] : [],
  };
}

/** @throws DomainMonitoringError as the program does, if there is a token */
export function refusePlaintextToken({ settings: { apiToken: value = "" } }: ProviderSettings): void {
  const { key } = SETTINGS.apiToken;
  const stackConfig = (asked: string) => (asked === key ? { value, plaintext: true } : undefined);
  findSetting("apiToken", { stackConfig, environment: {} });
}

/**
 * Problems of the account among an explicit provider's arguments. What they leave out comes from the environment, as under
 * `envVarMappings`; but a base address of its own is another account, to which the environment's token must not be sent.
 */
function accountProblems(args: Properties): string[] {
  const isGiven = (name: string) => (args[name] ?? null) !== null;
  const empty = ["baseUrl", "apiToken", "apiTokenVariable"].filter((name) => args[name] === "");
  if (empty.length > 0)
    return empty.map((name) => `argument ${name} of a Provider is empty: give the account's own`);
  const problem = tokenArgumentProblem(args);
  if (problem && (isGiven("baseUrl") || isGiven("apiToken"))) return [problem];
  return (["baseUrl", "apiToken"] as const).flatMap((name) => {
    const { variable } = SETTINGS[name];
    if (isGiven(name) || (name === "apiToken" && !problem) || process.env[variable]) return [];
    return [
      `argument ${name} of a Provider is missing: give it, or set the environment variable ${variable}`,
    ];
  });
}

/** The same settings, in which the token of a base address of its own counts as given in any case. */
function withOwnToken(settings: Settings): Settings {
  const { baseUrl, apiToken, apiTokenVariable } = settings;
  return baseUrl === undefined || (apiToken ?? apiTokenVariable) !== undefined
    ? settings
    : { ...settings, apiToken: "" };
}

function lifecycleProblems({ lifecycle }: Properties): string[] {
  if (hasUnknown(lifecycle)) return [];
  try {
    resolveLifecycle({ explicit: { lifecycle: asText(lifecycle) }, stackConfig: () => undefined });
    return [];
  } catch (error) {
    return [describe(error)];
  }
}

/** Whether two base addresses are not of the same account. One that is not recorded is not compared: it may be the same. */
function isAnotherAddress(before: string | undefined, after: string | undefined): boolean {
  if (before === undefined || after === undefined || before === after) return false;
  return hasUnknown(after) || addressOf(before) !== addressOf(after);
}

function addressOf(baseUrl: string): string {
  try {
    const { origin, pathname } = parseBaseUrl(baseUrl);
    return `${origin}${pathname.replace(/\/+$/, "")}`;
  } catch {
    return baseUrl;
  }
}

function asText(value: unknown): string | undefined {
  return value === undefined || value === null ? undefined : String(value);
}

/** The config that the engine starts every plugin with: `PULUMI_CONFIG` has the keys of its namespace, without that, as JSON. */
function configOfStack(): Properties {
  try {
    const parsed: unknown = JSON.parse(process.env.PULUMI_CONFIG ?? "{}");
    return typeof parsed === "object" && parsed !== null ? { ...parsed } : {};
  } catch {
    return {};
  }
}
