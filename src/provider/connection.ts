/** The client of the provider process: made from what `configure` was given, on the first call that needs it. */
import { DomainMonitoringClient } from "../client/client";
import { DomainMonitoringError } from "../client/errors";
import { type Configuration, resolveConfiguration, SETTINGS } from "../config";

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

  /** What the settings lack, in one line; nothing where calls can be made. */
  get problem(): string | undefined {
    try {
      this.#configuration();
      return undefined;
    } catch (error) {
      if (error instanceof DomainMonitoringError) return error.message;
      throw error;
    }
  }

  /** The client. @throws DomainMonitoringError of kind `configuration` */
  get client(): DomainMonitoringClient {
    this.#client ??= new DomainMonitoringClient(this.#configuration());
    return this.#client;
  }

  #configuration(): Configuration {
    return resolveConfiguration({
      // Whether a value is stored as a secret is not visible here; the program refuses one that is not.
      stackConfig: (key) => {
        const value = this.#stackConfig.get(key);
        return value === undefined ? undefined : { value, plaintext: false };
      },
      environment: process.env,
    });
  }
}
