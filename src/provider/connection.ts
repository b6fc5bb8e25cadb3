/** The client of the provider process: made from what `configure` was given, on the first call that needs it. */
import { DomainMonitoringClient } from "../client/client";
import { resolveConfiguration, SETTINGS } from "../config";

export class Connection {
  #stackConfig = new Map<string, string>();
  #client: DomainMonitoringClient | undefined;

  /** Keeps the settings. Never throws and never waits: what is missing is told by the call that needs it. */
  configure(get: (key: string) => string | undefined): void {
    for (const { key } of Object.values(SETTINGS)) {
      // An explicit provider's numbers arrive as numbers, whatever the SDK's types say.
      const value: unknown = get(key);
      if (value !== undefined && value !== null) this.#stackConfig.set(key, String(value));
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
