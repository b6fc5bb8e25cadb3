/** The connection of a provider process: its settings, and the client that is created from them on first use. */
import { DomainMonitoringClient } from "../client/client";
import { DomainMonitoringError } from "../client/errors";
import { type Configuration, resolveConfiguration, type SettingSources } from "../config";
import { SETTINGS } from "../names";

export class Connection {
  #stackConfig = new Map<string, string>();
  #client: DomainMonitoringClient | undefined;

  /** @param explicit arguments of an explicit provider, where they can be told from stack config */
  constructor(private readonly explicit?: SettingSources["explicit"]) {}

  /** Stores the settings. Never throws: missing ones are reported by the call that needs them. */
  configure(get: (key: string) => string | undefined): void {
    for (const { key } of Object.values(SETTINGS)) {
      // An explicit provider's numbers arrive as numbers, despite the SDK's types.
      const value: unknown = get(key);
      if (value !== undefined && value !== null) this.#stackConfig.set(key, String(value));
    }
  }

  /** What is wrong with the settings, in one line; undefined if calls can be made. */
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
      explicit: this.explicit,
      // The provider cannot see here whether a value is a secret; the program, or the plugin's service, refuses a plaintext token.
      stackConfig: (key) => {
        const value = this.#stackConfig.get(key);
        return value === undefined ? undefined : { value, plaintext: false };
      },
      environment: process.env,
    });
  }
}
