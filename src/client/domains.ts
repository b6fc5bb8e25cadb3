/**
 * Retrieving a monitored domain (interface.md, section 4.1); and, where a service has it, the list of domains, which the
 * interface does not show (docs/beyond-the-interface.md).
 */
import { type Http, loadSchemas } from "./internal/http";
import { listDomains } from "./internal/listed-domains";
import { pathSegment } from "./internal/paths";
import { iterateList } from "./lists/iterate";
import type { CallOptions, Domain, IterateDomainsRequest, ListDomainsRequest, Page } from "./types";

/** Reads domains, and lists them if the service can; made by the client. */
export class Domains {
  readonly #http: Http;

  /** @internal made by the client */
  constructor(http: Http) {
    this.#http = http;
  }

  /**
   * The domain and the state of its components (interface.md, sections 2.1 and 4.1).
   * @throws DomainMonitoringError; kind `http` with status 404 if the domain does not exist
   */
  async get(id: string, call?: CallOptions): Promise<Domain> {
    const path = `/api/domains/${pathSegment("id", id)}`;
    return this.#http.send(
      { name: "domains.get", method: "GET", path, read: loadSchemas().readDomain },
      call,
    );
  }

  /**
   * One page of the account's domains, in the order served.
   * @experimental not in the given interface, and a service may lack it: `docs/beyond-the-interface.md`
   * @throws DomainMonitoringError; kind `http` with status 403, 404 or 405 may mean that the service lacks the operation
   */
  async list(request: ListDomainsRequest = {}, call?: CallOptions): Promise<Page<Domain>> {
    return this.#http.send(listDomains(request), call);
  }

  /**
   * Every domain of the account, in the order served. Domains that exist throughout the iteration are returned exactly once,
   * no matter what is added or removed meanwhile: as for the lists of changes.
   * @experimental not in the given interface, and a service may lack it: `docs/beyond-the-interface.md`
   * @throws DomainMonitoringError; kind `response` if the list has more than `maxPages` pages or keeps changing
   */
  iterate({ maxPages }: IterateDomainsRequest = {}, call?: CallOptions): AsyncIterable<Domain> {
    const list = (page: number, options: CallOptions) => this.list({ page }, options);
    return iterateList(this.#http, { operation: "domains.list", maxPages, confirm: true, list }, call);
  }
}
