/** The client. Constructing it loads neither undici nor zod; the first call does. */
import { Changes, Domains } from "./domains";
import { Http, loadListSchemas } from "./internal/http";
import { NotificationChannels } from "./notification-channels";
import { type CheckedOptions, type ClientOptions, resolveOptions } from "./options";
import type { DnsChange, WhoisChange } from "./types";

/**
 * Typed client of the domain monitoring service (interface.md).
 *
 * @example
 * import { DomainMonitoringClient } from "pulumi-domain-monitoring/client";
 *
 * const client = new DomainMonitoringClient({
 *   baseUrl: process.env.DOMAIN_MONITORING_BASE_URL ?? "",
 *   apiToken: process.env.DOMAIN_MONITORING_API_TOKEN ?? "",
 * });
 * try {
 *   const domain = await client.domains.get("11111111-1111-4111-8111-111111111111");
 *   console.log(domain.expiresAt);
 * } finally {
 *   await client.close();
 * }
 */
export class DomainMonitoringClient {
  /** Domains (interface.md, section 4.1). */
  readonly domains: Domains;

  /** WHOIS changes of a domain (interface.md, section 4.2). */
  readonly whoisChanges: Changes<WhoisChange>;

  /** DNS changes of a domain (interface.md, section 4.3). */
  readonly dnsChanges: Changes<DnsChange>;

  /** Notification channels of a domain (interface.md, section 4.4). */
  readonly notificationChannels: NotificationChannels;
  readonly #http: Http;

  /** @throws DomainMonitoringError of kind `configuration` if an option is missing or malformed */
  constructor(options: ClientOptions);

  /** @internal for an account of `config.ts` */
  constructor(options: CheckedOptions);

  constructor(options: ClientOptions | CheckedOptions) {
    const http = new Http(resolveOptions(options));

    this.#http = http;
    this.domains = new Domains(http);
    this.whoisChanges = new Changes(http, "whois", () => loadListSchemas().readWhoisPage);
    this.dnsChanges = new Changes(http, "dns", () => loadListSchemas().readDnsPage);
    this.notificationChannels = new NotificationChannels(http);
  }

  /**
   * Waits for calls in progress, then closes the connections. The client cannot be used afterwards.
   */
  async close(): Promise<void> {
    await this.#http.close();
  }

  /** As `close()`, for `await using`. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }
}
