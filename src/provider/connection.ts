/** The client of the provider process: made from what `configure` was given, on the first call that needs it. */
import { DomainMonitoringClient } from "../client/client";
import { resolveConfiguration, SETTINGS } from "../config";

export class Connection {
  #stackConfig = new Map<string, string>();
  #client: DomainMonitoringClient | undefined;

  /** Keeps the settings. Never throws and never waits: what is missing is told by the call that needs it. */
  configure(get: (key: string) => string | undefined): void {
    for (const { key } of Object.values(SETTINGS)) {
      const value = get(key);
      if (value !== undefined) this.#stackConfig.set(key, value);
    }
  }

  /** The client. @throws DomainMonitoringError of kind `configuration` */
  get client(): DomainMonitoringClient {
    this.#client ??= new DomainMonitoringClient(
      resolveConfiguration({
        // Whether a value is stored as a secret is not visible here; the program refuses one that is not.
        stackConfig: (key) => {
          const value = this.#stackConfig.get(key);
          return value === undefined ? undefined : { value, plaintext: false };
        },
        environment: process.env,
      }),
    );
    return this.#client;
  }
}
