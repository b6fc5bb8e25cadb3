/**
 * The account of a subcommand: each setting comes from an option, the environment or stack config, in this order. Only the
 * engine can read stack config, which takes a second, a login and a passphrase, so it comes last, unlike in a program.
 */
import { DomainMonitoringClient } from "../client/client";
import { DomainMonitoringError } from "../client/errors";
import { either } from "../common/text";
import { findSetting, resolveConfiguration, type SettingSources } from "../config";
import { DEFAULTS, SETTINGS, TOKEN_VARIABLE_KEY } from "../names";
import { readStackConfig, settingsIn } from "./stack";

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
  const { config = new Map(), unread } = await readStackConfig(process.cwd());
  for (const { key, variable } of [...Object.values(SETTINGS), TOKEN_BY_VARIABLE])
    if (environment[variable]) config.delete(key);
  const withStack = { ...sources, stackConfig: settingsIn(config) };
  for (const name of REQUIRED) {
    if (findSetting(name, withStack)) continue;
    const isSecret = config.has(SETTINGS[name].key);
    throw new DomainMonitoringError("configuration", isSecret ? secretUnread(name) : notSet(name, unread));
  }
  return withStack;
}

const WHAT = { baseUrl: "the base address of the service", apiToken: "the API token" };

function secretUnread(name: keyof typeof WHAT): string {
  const { key, variable } = SETTINGS[name];
  return `${WHAT[name]} is a secret in stack config that could not be read: run \`pulumi config get ${key}\` here to see why, or set the environment variable ${variable}`;
}

function notSet(name: keyof typeof WHAT, unread: string | undefined): string {
  const { key, variable } = SETTINGS[name];
  const command = `run \`pulumi config set ${name === "apiToken" ? "--secret " : ""}${key}\``;
  const fixes = [
    ...(unread ? [] : [command]),
    ...(name === "baseUrl" ? ["give --base-url"] : []),
    `set the environment variable ${variable}`,
  ];
  return `${WHAT[name]} is not set: ${either(fixes)}${unread ? `; stack config was not read: ${unread}` : ""}`;
}
