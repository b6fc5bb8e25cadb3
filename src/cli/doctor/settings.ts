/** Checks the settings, as a program in this directory would find them. */
import { DomainMonitoringError } from "../../client/errors";
import {
  type Configuration,
  findSetting,
  resolveConfiguration,
  resolveLifecycle,
  type SettingSources,
} from "../../config";
import { DEFAULTS, LIFECYCLE_KEY, SETTINGS, type SettingName } from "../../names";
import { namingTheOption } from "../account";
import { type StackConfig, settingsIn } from "../stack";
import { plain } from "../text";
import type { Check, Finding } from ".";

const TOPICS: Partial<Record<SettingName, string>> = { baseUrl: "base address", apiToken: "API token" };
const NAMES = Object.keys(SETTINGS) as SettingName[];
const defaults: Partial<Record<SettingName, number>> = DEFAULTS;

/**
 * Checks every setting. `configuration` is for calling the service; undefined if that is not complete.
 * @param config undefined if it could not be read
 */
export function checkSettings(
  baseUrl: string | undefined,
  config: StackConfig | undefined,
): { checks: Check[]; configuration: Configuration | undefined } {
  const sources = { explicit: { baseUrl }, stackConfig: settingsIn(config), environment: process.env };
  const checks = NAMES.map((name) => ({
    topic: TOPICS[name] ?? name,
    ...unlessWrong(() => checkOne(name, sources, config)),
  }));
  const canCall = checks.every(({ state }) => state === "ok");
  return { checks, configuration: canCall ? resolveConfiguration(sources) : undefined };
}

/** Checks the lifecycle of the stack's channels. @param config undefined if it could not be read */
export function checkLifecycle(config: StackConfig | undefined): Finding & { isManaged: boolean } {
  const entry = config?.get(LIFECYCLE_KEY);
  const unread = entry?.secret
    ? `a secret in stack config ${LIFECYCLE_KEY}, not read`
    : `not known, as stack config ${LIFECYCLE_KEY} was not read`;
  if (!config || entry?.secret) return { state: "note", text: unread, isManaged: false };
  const finding = unlessWrong(() => {
    const lifecycle = resolveLifecycle({ stackConfig: settingsIn(config) });
    const origin = entry?.value ? `from stack config ${LIFECYCLE_KEY}` : "the default";
    return { state: "ok", text: `${lifecycle}, ${origin}` };
  });
  return { ...finding, isManaged: entry?.value === "managed" };
}

function checkOne(name: SettingName, sources: SettingSources, config: StackConfig | undefined): Finding {
  const { key, variable } = SETTINGS[name];
  const found = findSetting(name, sources);
  const entry = config?.get(key);
  if (entry?.secret && entry.value === undefined) {
    const text = `a secret in stack config ${key}, which could not be read: run \`pulumi config get ${key}\` here to see why`;
    return { state: "unclear", text };
  }
  if (!found) {
    if (defaults[name] !== undefined) return { state: "ok", text: `${defaults[name]}, the default` };
    const secret = name === "apiToken" ? "--secret " : "";
    const advice = `run \`pulumi config set ${secret}${key}\` or set the environment variable ${variable}`;
    if (config) return { state: "fix", text: `not set: ${advice}` };
    return { state: "unclear", text: `not in the environment, and stack config was not read: ${advice}` };
  }
  // With valid values for the others, so that one problem does not hide another.
  const valid = { baseUrl: "https://valid.example", apiToken: "valid", [name]: sources.explicit?.[name] };
  resolveConfiguration({
    explicit: valid,
    // The token may be in a variable of another name, whose key begins like its own.
    stackConfig: (requested) => (requested.startsWith(key) ? sources.stackConfig(requested) : undefined),
    environment: { [found.origin.replace(/^environment variable /, "")]: found.value },
  });
  const isSecret = name === "apiToken" || entry?.secret === true;
  const value = isSecret ? `set (${found.value.length} characters)` : plain(found.value);
  const origin = found.origin.replace(/^argument baseUrl$/, "--base-url");
  // Other commands take the environment first, as a pipeline may have no stack.
  const inOthers = findSetting(name, { ...sources, stackConfig: () => undefined }) ?? found;
  const differs =
    inOthers.value === found.value
      ? ""
      : `; expiry, report and channels use another one, from ${inOthers.origin}`;
  return { state: "ok", text: `${value}, from ${origin}${differs}` };
}

/** A finding, or the error that says what to fix. */
function unlessWrong(find: () => Finding): Finding {
  try {
    return find();
  } catch (error) {
    if (!(error instanceof DomainMonitoringError)) throw error;
    return { state: "fix", text: namingTheOption(error).message };
  }
}
