/** Checks the settings, as a program in this directory would find them. */
import { DomainMonitoringError } from "../../client/errors";
import { type Configuration, findSetting, resolveConfiguration, type SettingSources } from "../../config";
import { DEFAULTS, SETTINGS, type SettingName } from "../../names";
import { namingTheOption } from "../account";
import { type StackConfig, settingsIn } from "../stack";
import { plain } from "../text";
import { about, type Check } from "./check";

/** The sources of settings, as far as known. */
export interface KnownSources {
  baseUrl: string | undefined;
  /** Undefined if it could not be read. */
  stackConfig: StackConfig | undefined;
  environment: NodeJS.ProcessEnv;
}

const TOPICS: [SettingName, string][] = [
  ["baseUrl", "base address"],
  ["apiToken", "API token"],
  ["timeoutSeconds", "timeoutSeconds"],
  ["maxRetries", "maxRetries"],
  ["concurrency", "concurrency"],
];
const defaults: Partial<Record<SettingName, number>> = DEFAULTS;

/** Checks every setting. `configuration` is for calling the service; undefined if that is not complete. */
export function checkSettings(known: KnownSources): {
  checks: Check[];
  configuration: Configuration | undefined;
} {
  const sources: SettingSources = {
    explicit: { baseUrl: known.baseUrl },
    stackConfig: settingsIn(known.stackConfig),
    environment: known.environment,
  };
  const checks = TOPICS.map(([name, topic]) => checkOne(name, about(topic), sources, known.stackConfig));
  const canCall = checks.every(({ state }) => state === "ok");
  return { checks, configuration: canCall ? resolveConfiguration(sources) : undefined };
}

function checkOne(
  name: SettingName,
  { ok, fix, unclear }: ReturnType<typeof about>,
  sources: SettingSources,
  stackConfig: StackConfig | undefined,
): Check {
  const { key, variable } = SETTINGS[name];
  try {
    const found = findSetting(name, sources);
    const entry = stackConfig?.get(key);
    if (entry?.secret && entry.value === undefined)
      return unclear(
        `a secret in stack config ${key}, which could not be read: run \`pulumi config get ${key}\` here to see why`,
      );
    if (!found) {
      if (defaults[name] !== undefined) return ok(`${defaults[name]}, the default`);
      const secret = name === "apiToken" ? "--secret " : "";
      const advice = `run \`pulumi config set ${secret}${key}\` or set the environment variable ${variable}`;
      if (stackConfig) return fix(`not set: ${advice}`);
      return unclear(`not in the environment, and stack config was not read: ${advice}`);
    }
    validate(name, sources);
    const isSecret = name === "apiToken" || entry?.secret === true;
    const value = isSecret ? `set (${found.value.length} characters)` : plain(found.value);
    return ok(`${value}, from ${found.origin.replace(/^argument baseUrl$/, "--base-url")}`);
  } catch (error) {
    if (!(error instanceof DomainMonitoringError)) throw error;
    return fix(namingTheOption(error).message);
  }
}

/** Validates one setting, with valid values for the others, so that one problem does not hide another. */
function validate(name: SettingName, { explicit, stackConfig, environment }: SettingSources): void {
  const { key, variable } = SETTINGS[name];
  resolveConfiguration({
    explicit: {
      baseUrl: name === "baseUrl" ? explicit?.baseUrl : "https://valid.example",
      apiToken: name === "apiToken" ? undefined : "valid",
    },
    stackConfig: (requested) => (requested === key ? stackConfig(requested) : undefined),
    environment: { [variable]: environment[variable] },
  });
}
