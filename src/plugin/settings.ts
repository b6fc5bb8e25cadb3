/**
 * The settings of a provider: whose they are, how its token is recorded, and which change makes it another account; and the
 * stack's configuration, of which the engine sends an explicit provider nothing as arguments.
 */
import { parseBaseUrl } from "../client/options";
import { parseUrn } from "../common/urn";
import type { Properties } from "../provider/boundary";
import { hasUnknown } from "../provider/inputs";
import { unwrapSecret, wrapSecret } from "./values";

/** A provider's settings as text, as the engine sends them; numbers are JSON. */
export type Settings = Record<string, string | undefined>;

/**
 * Whether a provider is the one that the engine makes from stack config. Its name is `default`, with the plugin's version if
 * that is known, and then the address that it is downloaded from. An explicit provider can have such a name, too: without a
 * version it is told by its settings.
 */
export function isDefault(urn: string, settings: Settings, environment: NodeJS.ProcessEnv): boolean {
  const { name } = parseUrn(urn);
  if (/^default(_\d+){3}(_|$)/.test(name)) return true;
  if (!/^default(_|$)/.test(name)) return false;
  const { version: _ofPlugin, ...given } = settings;
  const config = configOfStack(environment);
  return [...Object.keys(given), ...Object.keys(config)].every((key) => given[key] === asText(config[key]));
}

/**
 * The settings of the engine's own provider as they are recorded: its token in an object, in which it is a secret in any case.
 * The engine makes the whole a secret, too, where the token is one in stack config, which only `Configure` is told.
 */
export function wrapDefaultToken(settings: Properties): Properties {
  if ((settings.apiToken ?? "") === "") return settings;
  return { ...settings, apiToken: { token: wrapSecret(settings.apiToken) } };
}

/** The settings of a provider, as they are recorded or sent. */
export interface RecordedSettings {
  settings: Settings;
  /** Whether the token is not a secret in stack config, which only `Configure` is told. */
  plaintext: boolean;
  /** Whether the token is recorded as an explicit provider's. */
  isExplicit: boolean;
}

export function readSettings(args: Properties): RecordedSettings {
  const { value: token, isSecret } = unwrapSecret(args.apiToken);
  const isWrapped = typeof token === "object" && token !== null && "token" in token;
  const values = { ...args, apiToken: isWrapped ? unwrapSecret(token.token).value : token };
  const texts = Object.entries(values).map(([name, given]) => [name, asText(unwrapSecret(given).value)]);
  const settings = Object.fromEntries(texts.filter(([, text]) => text !== undefined));
  return { settings, plaintext: !isSecret, isExplicit: !isWrapped && settings.apiToken !== undefined };
}

/** The settings that differ. */
export function changedSettings(olds: Settings, news: Settings): string[] {
  const names = new Set([...Object.keys(olds), ...Object.keys(news)]);
  return [...names].filter((name) => olds[name] !== news[name]);
}

/** Whether two base addresses are not of the same account. One that is not recorded is not compared: it may be the same. */
export function isAnotherAccount({ baseUrl: before }: Settings, { baseUrl: after }: Settings): boolean {
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

export function asText(value: unknown): string | undefined {
  return value === undefined || value === null ? undefined : String(value);
}

/** Name of a setting without the namespace of its key. */
export function keyName(key: string): string {
  return key.slice(key.indexOf(":") + 1);
}

/** The config that the engine starts every plugin with: `PULUMI_CONFIG` has the keys of its namespace, without that, as JSON. */
function configOfStack({ PULUMI_CONFIG: config }: NodeJS.ProcessEnv): Properties {
  try {
    const parsed: unknown = JSON.parse(config ?? "{}");
    return typeof parsed === "object" && parsed !== null ? { ...parsed } : {};
  } catch {
    return {};
  }
}

/** A setting of the stack, by its full key. */
export function settingOfStack(key: string, environment: NodeJS.ProcessEnv): string | undefined {
  const setting = configOfStack(environment)[keyName(key)];
  return typeof setting === "string" ? setting : undefined;
}
