/** Checks the settings, as a program in this directory would find them. */
import { DomainMonitoringError } from "../../client/errors";
import { type Configuration, findSetting, resolveConfiguration, type SettingSources } from "../../config";
import { DEFAULTS, SETTINGS, type SettingName } from "../../names";
import { namingTheOption } from "../account";
import type { StackConfig } from "../stack";
import { plain } from "../text";
import type { Check } from "./check";

/** The checks, and the configuration for calling the service if it is complete. */
export interface Settings {
  checks: Check[];
  configuration: Configuration | undefined;
}

/** The sources of settings, as far as known. */
export interface KnownSources {
  baseUrl: string | undefined;
  /** Undefined if it could not be read. */
  stackConfig: StackConfig | undefined;
  environment: NodeJS.ProcessEnv;
}

const TOPICS: Record<SettingName, string> = {
  baseUrl: "base address",
  apiToken: "API token",
  timeoutSeconds: "timeoutSeconds",
  maxRetries: "maxRetries",
  concurrency: "concurrency",
};
const defaults: Partial<Record<SettingName, number>> = DEFAULTS;

/** Checks every setting. */
export function checkSettings(known: KnownSources): Settings {
  const sources: SettingSources = {
    explicit: { baseUrl: known.baseUrl },
    stackConfig: (key) => {
      const entry = known.stackConfig?.get(key);
      return entry?.value === undefined ? undefined : { value: entry.value, plaintext: !entry.secret };
    },
    environment: known.environment,
  };
  const names: SettingName[] = ["baseUrl", "apiToken", "timeoutSeconds", "maxRetries", "concurrency"];
  const checks = names.map((name) => checkOne(name, sources, known));
  const canCall = checks.every(({ state }) => state === "ok");
  return { checks, configuration: canCall ? resolveConfiguration(sources) : undefined };
}

function checkOne(name: SettingName, sources: SettingSources, known: KnownSources): Check {
  const topic = TOPICS[name];
  const { key } = SETTINGS[name];
  try {
    const found = findSetting(name, sources);
    const entry = known.stackConfig?.get(key);
    if (entry?.secret && entry.value === undefined) {
      const text = `a secret in stack config ${key}, which could not be read: run \`pulumi config get ${key}\` here to see why`;
      return { state: "unclear", topic, text };
    }
    if (!found) return absent(name, known);
    validate(name, sources);
    const isSecret = name === "apiToken" || entry?.secret === true;
    const value = isSecret ? `set (${found.value.length} characters)` : plain(found.value);
    const origin = found.origin.replace(/^argument baseUrl$/, "--base-url");
    return { state: "ok", topic, text: `${value}, from ${origin}` };
  } catch (error) {
    if (!(error instanceof DomainMonitoringError)) throw error;
    return { state: "fix", topic, text: namingTheOption(error).message };
  }
}

function absent(name: SettingName, { stackConfig }: KnownSources): Check {
  const { key, variable } = SETTINGS[name];
  const topic = TOPICS[name];
  const byDefault = defaults[name];
  if (byDefault !== undefined) return { state: "ok", topic, text: `${byDefault}, the default` };
  const secret = name === "apiToken" ? "--secret " : "";
  const fix = `run \`pulumi config set ${secret}${key}\` or set the environment variable ${variable}`;
  if (stackConfig) return { state: "fix", topic, text: `not set: ${fix}` };
  return { state: "unclear", topic, text: `not in the environment, and stack config was not read: ${fix}` };
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
