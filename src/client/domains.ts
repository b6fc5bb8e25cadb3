/**
 * Retrieving a monitored domain (interface.md, section 4.1); and, where a service has it, the list of domains, which the
 * interface does not show (docs/beyond-the-interface.md).
 */
import { DomainMonitoringError } from "./errors";
import { type Http, loadSchemas } from "./internal/http";
import { wholeNumber } from "./internal/input";
import { listDomains } from "./internal/listed-domains";
import { pathSegment } from "./internal/paths";
import { iteratePages } from "./lists/pages";
import type { CallOptions, Domain, IterateDomainsRequest, ListDomainsRequest, Page } from "./types";

/** Default limit on the pages that an iteration reads. */
const MAXIMUM_PAGES = 1000;

/** Reads domains, and where a service can, lists them; made by the client. */
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
   * whatever is added or removed meanwhile: as for the lists of changes.
   * @experimental not in the given interface, and a service may lack it: `docs/beyond-the-interface.md`
   * @throws DomainMonitoringError; kind `response` if the list has more than `maxPages` pages or keeps changing
   */
  iterate(
    { maxPages = MAXIMUM_PAGES }: IterateDomainsRequest = {},
    call?: CallOptions,
  ): AsyncIterable<Domain> {
    wholeNumber("maxPages", maxPages);
    const operation = "domains.list";
    return iteratePages({
      list: (page, signal) => this.list({ page }, { ...call, signal }),
      maxPages,
      confirm: true,
      concurrency: this.#http.settings.concurrency,
      signal: call?.signal,
      unreadable: (problem) =>
        new DomainMonitoringError("response", `${operation}: ${problem}`, { operation }),
    });
  }
}
