/**
 * Provider settings: from stack config for the default provider, from the arguments of an explicit
 * one.
 *
 * The engine does not say which it is. The name of its own provider begins with `default`, but a
 * program's may as well, so `isOfStack` also compares the settings with stack config. From then on
 * the record says it: `usesStackConfig`.
 */
import { isDeepStrictEqual } from "node:util";
import { parseJson, type Warn } from "../common/text";
import { addressOf, emptyArgumentProblem, NO_TOKEN_ARGUMENT, resolveLifecycle } from "../config";
import { parseUrn, SETTINGS, type SettingName } from "../names";
import { describe, hasUnknown, type Properties, wrapSecret } from "../provider/boundary";
import { Connection } from "../provider/connection";
import { unwrap } from "./values";

/** Settings by name, as text; numbers are JSON. */
type SettingTexts = Record<string, string | undefined>;

/** Whose settings they are. */
export interface ProviderSettings {
  /** Whether they come from stack config. */
  isStack: boolean;
  settings: SettingTexts;

  /** Whether the token is marked as a secret. */
  isSecret: boolean;
}

/**
 * Reads settings as they are sent or recorded.
 * @param urn of the provider, where nothing may say yet whose they are: an import by command
 * records what the engine has
 */
export function readSettings(
  { usesStackConfig, ...args }: Properties,
  urn?: string,
): ProviderSettings {
  const isMarked = usesStackConfig === true;
  const { value: apiToken, isSecret } = unwrap(args.apiToken);
  const token: unknown = isMarked ? Object(apiToken)[SEALED] : apiToken;
  const settings = asTexts({ ...args, apiToken: token });
  const isNamedSo = urn !== undefined && isOfStack(urn, settings);

  return { isStack: isMarked || isNamedSo, settings, isSecret };
}

/**
 * The token of stack config is recorded under this name within an object, which the engine marks as
 * a secret only if the token is one in stack config.
 */
const SEALED = "token";

/** Whether the engine's own provider is called so, and stack config has these settings. */
function isOfStack(urn: string, settings: SettingTexts): boolean {
  const { version: _ofPlugin, pluginDownloadURL: _its, ...given } = settings;
  return parseUrn(urn).name.startsWith("default") && isDeepStrictEqual(given, engineConfig());
}

/** Checks settings, and seals the token, because only then it is encrypted in every state. */
export function checkSettings(
  urn: string,
  args: Properties,
): { inputs: Properties; problems: string[] } {
  const inputs = { ...args };
  const hasToken = (args.apiToken ?? "") !== "";
  if (hasToken) inputs.apiToken = wrapSecret(args.apiToken);

  if (!readSettings(args, urn).isStack)
    return { inputs, problems: [...accountProblems(args), ...lifecycleProblems(args)] };

  inputs.usesStackConfig = true;
  if (hasToken) inputs.apiToken = { [SEALED]: inputs.apiToken };

  return { inputs, problems: [] };
}

/**
 * A connection with these settings. An explicit provider takes only `lifecycle`, `movedFrom` and
 * `abandon` from stack config, the last one beside its own.
 * @param warn shows a line of the stack
 */
export function connect({ isStack, settings }: ProviderSettings, warn: Warn): Connection {
  const { abandon, lifecycle, movedFrom } = engineConfig();
  // A destroy is sent what the last update recorded, and both may have been set for it since.
  const current: SettingTexts = isStack
    ? {
        ...settings,
        abandon: abandon ?? settings.abandon,
        movedFrom: movedFrom ?? settings.movedFrom,
      }
    : { lifecycle, movedFrom, abandon: [abandon, settings.abandon].join() };

  const connection = new Connection(isStack ? undefined : withOwnToken(settings), warn);

  connection.configure((key) => current[key.replace("domain-monitoring:", "")]);

  return connection;
}

/**
 * The settings that differ, and which of them replace the provider and its channels, because they
 * name another account.
 * @param ofProvider whether the provider itself changes, and not a channel's provider
 */
export function compareAccounts(
  olds: ProviderSettings,
  news: ProviderSettings,
  { ofProvider }: { ofProvider: boolean },
): { diffs: string[]; replaces: string[] } {
  const names = Object.keys({ ...olds.settings, ...news.settings });
  const [before, after] = [olds, news].map(
    ({ settings: { baseUrl } }) => baseUrl && addressOf(baseUrl),
  );

  const movedFrom = news.settings.movedFrom ?? engineConfig().movedFrom ?? "";
  const isMoved = before === addressOf(movedFrom);
  // A missing base address may be the same one.
  const isAnother = before !== undefined && after !== undefined && before !== after && !isMoved;
  // The engine's own provider follows stack config.
  const isFollowing = news.isStack && (olds.isStack || ofProvider);

  return {
    diffs: names.filter((name) => olds.settings[name] !== news.settings[name]),
    replaces: isAnother && !isFollowing ? ["baseUrl"] : [],
  };
}

/**
 * Problems of the account among an explicit provider's arguments. What they leave out comes from
 * the environment, as under `envVarMappings`; but a base address of its own is another account, to
 * which the environment's token must not be sent.
 */
function accountProblems(args: Properties): string[] {
  const names: SettingName[] = ["baseUrl", "apiToken"];
  const empty = names.filter((name) => args[name] === "");
  if (empty.length > 0) return empty.map(emptyArgumentProblem);

  const missing = names.filter((name) => (args[name] ?? null) === null);
  if (missing.length === 1 && missing[0] === "apiToken") return [NO_TOKEN_ARGUMENT];

  return missing.flatMap((name) => {
    const { variable } = SETTINGS[name];
    if (process.env[variable]) return [];

    return `argument ${name} of a Provider is missing: give it, or set the environment variable ${variable}`;
  });
}

/**
 * The same settings, in which the token of a base address of its own counts as given in any case.
 */
function withOwnToken(settings: SettingTexts): SettingTexts {
  const { baseUrl, apiToken } = settings;
  const isLeftOut = baseUrl !== undefined && apiToken === undefined;

  return isLeftOut ? { ...settings, apiToken: "" } : settings;
}

function lifecycleProblems({ lifecycle }: Properties): string[] {
  if (hasUnknown(lifecycle)) return [];
  try {
    resolveLifecycle({ explicit: asTexts({ lifecycle }), stackConfig: () => undefined });
    return [];
  } catch (error) {
    return [describe(error)];
  }
}

/** Values as text, without missing ones and null. */
function asTexts(values: Properties): SettingTexts {
  const texts: SettingTexts = {};
  for (const [name, given] of Object.entries(values)) {
    const { value } = unwrap(given);
    if ((value ?? null) !== null)
      texts[name] = typeof value === "object" ? JSON.stringify(value) : String(value);
  }

  return texts;
}

/**
 * The config that the engine starts every plugin with: `PULUMI_CONFIG` has the keys of its
 * namespace as JSON, without the namespace.
 */
function engineConfig(): SettingTexts {
  const parsed = parseJson(process.env.PULUMI_CONFIG ?? "{}");
  return asTexts(typeof parsed === "object" && parsed !== null ? { ...parsed } : {});
}
