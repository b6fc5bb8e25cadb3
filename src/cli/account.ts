/**
 * The account of a subcommand: each setting comes from an option, the environment or stack config, in this order. Stack config
 * is read, by the engine, only where base address or token is in neither of the others.
 */
import { DomainMonitoringClient } from "../client/client";
import { DomainMonitoringError } from "../client/errors";
import { either } from "../common/text";
import { findSetting, resolveConfiguration, type SettingSources } from "../config";
import { DEFAULTS, SETTINGS, type SettingName, TOKEN_VARIABLE_KEY } from "../names";
import { readStackConfig, settingsIn, type Unread } from "./stack";

/** A client, and how to make many calls with it. */
export interface Account {
  client: DomainMonitoringClient;
  /** Number of calls to make in parallel. */
  concurrency: number;
}

/** Longer than the client's default, so that a report survives a rate limit of a minute. */
export const PATIENT_TIMEOUT_SECONDS = 300;

/**
 * Opens the account.
 * @param onRateLimit called with the delay of a rate limit
 * @throws DomainMonitoringError of kind `configuration`: one line that names the setting and what to do
 */
export async function openAccount(
  baseUrl: string | undefined,
  onRateLimit: (delayMs: number) => void = () => undefined,
): Promise<Account> {
  const sources = await findSources(baseUrl);
  try {
    const configuration = resolveConfiguration(sources);
    const timeoutMs = configuration.timeoutMs ?? PATIENT_TIMEOUT_SECONDS * 1000;
    const client = new DomainMonitoringClient({
      ...configuration,
      timeoutMs,
      onEvent: (event) => {
        if (event.type === "rateLimit") onRateLimit(event.delayMs);
      },
    });
    return { client, concurrency: configuration.concurrency ?? DEFAULTS.concurrency };
  } catch (error) {
    throw error instanceof DomainMonitoringError ? namingTheOption(error) : error;
  }
}

/** @throws DomainMonitoringError of kind `configuration` if base address or token is nowhere */
async function findSources(baseUrl: string | undefined): Promise<SettingSources> {
  const environment: SettingSources = {
    explicit: { baseUrl },
    stackConfig: () => undefined,
    environment: process.env,
  };
  if (findSetting("baseUrl", environment) && findSetting("apiToken", environment)) return environment;
  const config = await readStackConfig(process.cwd());
  const sources = { ...environment };
  if (typeof config !== "string") {
    const names = Object.values(SETTINGS);
    for (const { key, variable } of [...names, { ...SETTINGS.apiToken, key: TOKEN_VARIABLE_KEY }])
      if (process.env[variable]) config.delete(key);
    sources.stackConfig = settingsIn(config);
  }
  for (const name of ["baseUrl", "apiToken"] as const) {
    if (findSetting(name, sources)) continue;
    const isUnread = typeof config !== "string" && config.has(SETTINGS[name].key);
    throw settingMissing(name, typeof config === "string" ? config : isUnread ? "a secret" : "read");
  }
  return sources;
}

function settingMissing(
  name: Extract<SettingName, "baseUrl" | "apiToken">,
  stack: Unread | "a secret" | "read",
): DomainMonitoringError {
  const { key, variable } = SETTINGS[name];
  const what = name === "baseUrl" ? "the base address of the service" : "the API token";
  const setVariable = `set the environment variable ${variable}`;
  const fixes = name === "baseUrl" ? ["give --base-url", setVariable] : [setVariable];
  const command = `run \`pulumi config set ${name === "apiToken" ? "--secret " : ""}${key}\``;
  const notSet = `${what} is not set: ${either(fixes)}`;
  const texts: Record<typeof stack, string> = {
    "no project": notSet,
    "no command": `${notSet}; stack config was not read, as there is no \`pulumi\` command on PATH`,
    failed: `${notSet}; stack config was not read: run \`pulumi config\` here to see why`,
    "a secret": `${what} is a secret in stack config that could not be read: run \`pulumi config get ${key}\` here to see why, or ${setVariable}`,
    read: `${what} is not set: ${either([command, ...fixes])}`,
  };
  return new DomainMonitoringError("configuration", texts[stack]);
}

/** Names the command's option instead of the program's argument. */
export function namingTheOption(error: DomainMonitoringError): DomainMonitoringError {
  return new DomainMonitoringError(error.kind, error.message.replace(/^argument baseUrl\b/, "--base-url"));
}
