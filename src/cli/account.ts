/**
 * The account of a subcommand: each setting comes from an option, the environment or stack config, in this order. Only the
 * engine can read stack config, which takes a second, a login and a passphrase, so it comes last, unlike in a program.
 */
import { DomainMonitoringClient } from "../client/client";
import { DomainMonitoringError } from "../client/errors";
import { either } from "../common/text";
import { findSetting, resolveConfiguration, type SettingSources } from "../config";
import { DEFAULTS, SETTINGS, TOKEN_VARIABLE_KEY } from "../names";
import { readStackConfig, settingsIn, type Unread } from "./stack";

/** A client, and how to make many calls with it. */
export interface Account {
  client: DomainMonitoringClient;
  /** Number of calls to make in parallel. */
  concurrency: number;
}

/** Longer than the client's default, so that a report survives a rate limit of a minute. */
export const PATIENT_TIMEOUT_SECONDS = 300;

const REQUIRED = ["baseUrl", "apiToken"] as const;
const TOKEN_BY_VARIABLE = { key: TOKEN_VARIABLE_KEY, variable: SETTINGS.apiToken.variable };

/**
 * @param onRateLimit called with the delay of a rate limit
 * @throws DomainMonitoringError of kind `configuration`: one line that names the setting and what to do
 */
export async function openAccount(
  baseUrl: string | undefined,
  onRateLimit: (delayMs: number) => void,
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
    if (!(error instanceof DomainMonitoringError)) throw error;
    throw new DomainMonitoringError(error.kind, error.message.replace(/^argument baseUrl\b/, "--base-url"));
  }
}

/** @throws DomainMonitoringError of kind `configuration` if base address or token is nowhere */
async function findSources(baseUrl: string | undefined): Promise<SettingSources> {
  const environment = process.env;
  const sources: SettingSources = { explicit: { baseUrl }, stackConfig: () => undefined, environment };
  if (REQUIRED.every((name) => findSetting(name, sources))) return sources;
  const { config, unread } = await readStackConfig(process.cwd());
  for (const { key, variable } of [...Object.values(SETTINGS), TOKEN_BY_VARIABLE])
    if (environment[variable]) config.delete(key);
  const withStack = { ...sources, stackConfig: settingsIn(config) };
  const missing = REQUIRED.find((name) => !findSetting(name, withStack));
  if (missing === undefined) return withStack;
  throw settingMissing(missing, unread ?? (config.has(SETTINGS[missing].key) ? "a secret" : "read"));
}

function settingMissing(
  name: (typeof REQUIRED)[number],
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
