/** The account that a subcommand asks: its settings come from the environment, the base address also from an argument. */
import { DomainMonitoringClient } from "../client/client";
import { DomainMonitoringError } from "../client/errors";
import { findSetting, resolveConfiguration, SETTINGS, type SettingSources } from "../config";

/** A client, and how many questions to have under way. */
export interface Account {
  client: DomainMonitoringClient;
  concurrency: number;
}

/** The client's own default. */
const CONCURRENCY = 8;

/**
 * Opens the account.
 * @throws DomainMonitoringError of kind `configuration`: one line that names the setting and what to do
 */
export function openAccount(baseUrl: string | undefined): Account {
  const sources: SettingSources = {
    explicit: { baseUrl },
    // Stack config belongs to programs: to read it takes the engine, a login and perhaps a passphrase.
    stackConfig: () => undefined,
    environment: process.env,
  };
  requireSet("baseUrl", "the base address of the service", "give --base-url or ", sources);
  requireSet("apiToken", "the API token", "", sources);
  try {
    const configuration = resolveConfiguration(sources);
    const client = new DomainMonitoringClient(configuration);
    return { client, concurrency: configuration.concurrency ?? CONCURRENCY };
  } catch (error) {
    throw error instanceof DomainMonitoringError ? namingTheOption(error) : error;
  }
}

/** The message of `config.ts` would also offer stack config, which is no help here. */
function requireSet(
  name: "baseUrl" | "apiToken",
  what: string,
  alternative: string,
  sources: SettingSources,
): void {
  if (findSetting(name, sources)) return;
  throw new DomainMonitoringError(
    "configuration",
    `${what} is not set: ${alternative}set the environment variable ${SETTINGS[name].variable}`,
  );
}

/** A program's argument is an option here. */
export function namingTheOption(error: DomainMonitoringError): DomainMonitoringError {
  return new DomainMonitoringError(error.kind, error.message.replace(/^argument baseUrl\b/, "--base-url"));
}
