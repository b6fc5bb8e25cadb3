/** The account of a subcommand: settings come from the environment, the base address also from an argument. */
import { DomainMonitoringClient } from "../client/client";
import { DomainMonitoringError } from "../client/errors";
import { findSetting, resolveConfiguration, type SettingSources } from "../config";
import { DEFAULTS, SETTINGS } from "../names";

/** A client, and how to make many calls with it. */
export interface Account {
  client: DomainMonitoringClient;
  /** Number of calls to make in parallel. */
  concurrency: number;
  /** Makes a call, and repeats it while it fails on the rate limit. */
  withRetry<T>(call: () => Promise<T>): Promise<T>;
}

/** Longer than the client's default, so that a report survives a rate limit of a minute. */
export const PATIENT_TIMEOUT_SECONDS = 300;

/**
 * Opens the account.
 * @param onRateLimit called with the delay of a rate limit
 * @throws DomainMonitoringError of kind `configuration`: one line that names the setting and what to do
 */
export function openAccount(
  baseUrl: string | undefined,
  onRateLimit: (delayMs: number) => void = () => undefined,
): Account {
  const sources: SettingSources = {
    explicit: { baseUrl },
    // Stack config is not read: that needs the engine, a login and perhaps a passphrase.
    stackConfig: () => undefined,
    environment: process.env,
  };
  requireSet("baseUrl", "the base address of the service", "give --base-url or ", sources);
  requireSet("apiToken", "the API token", "", sources);
  try {
    const configuration = resolveConfiguration(sources);
    const timeoutMs = configuration.timeoutMs ?? PATIENT_TIMEOUT_SECONDS * 1000;
    let answeredAt = performance.now();
    const client = new DomainMonitoringClient({
      ...configuration,
      timeoutMs,
      onEvent: (event) => {
        if (event.type === "response" && event.status !== 429) answeredAt = performance.now();
        if (event.type === "rateLimit") onRateLimit(event.delayMs);
      },
    });
    const isWaiting = () => performance.now() - answeredAt < timeoutMs;
    return {
      client,
      concurrency: configuration.concurrency ?? DEFAULTS.concurrency,
      withRetry: (call) => retryRateLimited(call, timeoutMs, isWaiting),
    };
  } catch (error) {
    throw error instanceof DomainMonitoringError ? namingTheOption(error) : error;
  }
}

/**
 * The client counts a 429 as one of a call's attempts. With many calls under a low rate limit, some use up their attempts,
 * so they are repeated as long as the service states a delay and answers others in between.
 */
async function retryRateLimited<T>(
  call: () => Promise<T>,
  timeoutMs: number,
  mayWait: () => boolean,
): Promise<T> {
  for (;;) {
    try {
      return await call();
    } catch (error) {
      if (!isRateLimit(error, timeoutMs) || !mayWait()) throw error;
    }
  }
}

/** Whether the service stated a delay shorter than a call's deadline. The limiter waits for it. */
function isRateLimit(error: unknown, timeoutMs: number): boolean {
  if (!(error instanceof DomainMonitoringError)) return false;
  const { kind, status, retryAfterMs = 0 } = error;
  return (status === 429 || kind === "timeout") && retryAfterMs > 0 && retryAfterMs < timeoutMs;
}

/** The message of `config.ts` would also suggest stack config, which commands do not read. */
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

/** Names the command's option instead of the program's argument. */
export function namingTheOption(error: DomainMonitoringError): DomainMonitoringError {
  return new DomainMonitoringError(error.kind, error.message.replace(/^argument baseUrl\b/, "--base-url"));
}
