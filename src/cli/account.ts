/**
 * The account of a subcommand: each setting comes from the environment, then from stack config.
 * Only the engine can read stack config, which takes a second, a login and a passphrase, so it comes
 * last, unlike in a program.
 */
import { DomainMonitoringClient } from "../client/client";
import type { DomainMonitoringError } from "../client/errors";
import {
  configCommand,
  findAccount,
  notSet,
  resolveConfiguration,
  type SettingSources,
} from "../config";
import { DEFAULTS } from "../names";
import { readStackConfig, settingsIn } from "./stack";

/** A client, and how to make many calls with it. */
export interface Account {
  client: DomainMonitoringClient;

  /** Number of calls to make in parallel. */
  concurrency: number;
}

/** Precedence of the places of settings. */
export const COMMAND_ORDER = ["environment", "stack config"] as const;

/**
 * @param onRateLimit called with the delay of a rate limit
 * @throws DomainMonitoringError of kind `configuration`: one line that names the setting and what
 * to do
 */
export async function openAccount(onRateLimit: (delayMs: number) => void): Promise<Account> {
  const configuration = resolveConfiguration(await findSources());
  const client = new DomainMonitoringClient({
    ...configuration,
    onRateLimit,
  });

  return { client, concurrency: configuration.concurrency ?? DEFAULTS.concurrency };
}

/** @throws DomainMonitoringError of kind `configuration` if base address or token is nowhere */
async function findSources(): Promise<SettingSources> {
  const sources = { ...environmentSources(), order: COMMAND_ORDER };
  const given = findAccount(sources);
  if (given.baseUrl && given.apiToken) return sources;

  const { config, unread } = await readStackConfig(process.cwd());
  const withStack = { ...sources, stackConfig: settingsIn(config) };
  const account = findAccount(withStack);
  if (!account.baseUrl) throw missing("baseUrl", unread);
  if (!account.apiToken) throw missing("apiToken", unread);

  return withStack;
}

/** Where settings are found without stack config. */
export function environmentSources(): SettingSources {
  return { stackConfig: () => undefined, environment: process.env };
}

function missing(name: "baseUrl" | "apiToken", unread: string | undefined): DomainMonitoringError {
  const ways = unread ? [] : [`run \`${configCommand(name)}\``];

  return notSet(name, ways, unread && `; stack config was not read: ${unread}`);
}
