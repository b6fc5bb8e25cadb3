/** Listing WHOIS and DNS changes of a domain (interface.md, sections 4.2 and 4.3). */
import type { Http } from "./internal/http";
import { pageQuery, pathSegment, wholeNumber } from "./internal/operation";
import { iterateList } from "./lists";
import { type CallOptions, type IterateRequest, type Page, type PageRequest, PER_PAGE } from "./types";

/** Reads the list of WHOIS or of DNS changes of a domain; made by the client. */
export class Changes<Change extends { id: string }> {
  readonly #http: Http;
  readonly #component: "whois" | "dns";
  readonly #read: () => (answer: unknown) => Page<Change>;

  /** @internal made by the client */
  constructor(http: Http, component: "whois" | "dns", read: () => (answer: unknown) => Page<Change>) {
    this.#http = http;
    this.#component = component;
    this.#read = read;
  }

  /**
   * One page of the list, in the order served (interface.md, sections 2.5, 4.2 and 4.3).
   * @throws DomainMonitoringError; kind `validation` for a page below 1 or a `perPage` outside 1 to 100
   */
  async list(domainId: string, request: PageRequest = {}, call?: CallOptions): Promise<Page<Change>> {
    const domain = pathSegment("domainId", domainId);
    const path = `/api/domains/${domain}/changes/${this.#component}${pageQuery(request)}`;
    return this.#http.send({ name: this.#operation, method: "GET", path, read: this.#read() }, call);
  }

  /**
   * Every record of the list, with one request for each page while the list keeps still. Pages are read ahead.
   *
   * While new records come first, as in a history, those present when the iteration began are returned exactly once, in the
   * order served; new ones once or not at all. That takes up to twice the requests while one to three come with each of them. If
   * records are removed or change places, the list is read again from its first page, at most five times: records that are
   * there all the time are returned exactly once, or the iteration fails, as it does if records come faster than they are read.
   *
   * It cannot notice that a record already read was removed and another added behind the reading, so that the total
   * stayed the same: one record is then missed. A history, from which nothing is removed, cannot show this.
   *
   * Leaving the loop stops the requests. Timeout and retries in `call` apply to each request, its signal to the whole
   * iteration.
   * @throws DomainMonitoringError; kind `response` if the list has more than `maxPages` pages or keeps changing
   */
  iterate(domainId: string, request: IterateRequest = {}, call?: CallOptions): AsyncIterable<Change> {
    const { perPage = PER_PAGE.maximum, maxPages } = request;
    wholeNumber("perPage", perPage, PER_PAGE.maximum);
    const list = (page: number, options: CallOptions) => this.list(domainId, { page, perPage }, options);
    return iterateList(this.#http, { operation: this.#operation, domainId, maxPages, list }, call);
  }

  get #operation() {
    return `${this.#component}Changes.list` as const;
  }
}
