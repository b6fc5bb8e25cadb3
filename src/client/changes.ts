/** Listing WHOIS and DNS changes of a domain (interface.md, sections 4.2 and 4.3). */

import { send } from "./internal/call";
import type { Http } from "./internal/http";
import type { Gates } from "./internal/operation";
import { iterateList } from "./lists";
import {
  type IterateRequest,
  type Page,
  type PageRequest,
  PER_PAGE,
  pageQuery,
  wholeNumber,
} from "./pages";
import type { CallOptions } from "./requests";
import { pathSegment } from "./rules";

/** Reads the list of WHOIS or of DNS changes of a domain; made by the client. */
export class Changes<Change extends { id: string }> {
  readonly #http: Http;
  readonly #component: "whois" | "dns";
  readonly #read: () => (answer: unknown, gates: Gates) => Page<Change>;

  /** @internal made by the client */
  constructor(
    http: Http,
    component: "whois" | "dns",
    read: () => (answer: unknown, gates: Gates) => Page<Change>,
  ) {
    this.#http = http;
    this.#component = component;
    this.#read = read;
  }

  /**
   * One page of the list, in the order served (interface.md, sections 2.5, 4.2 and 4.3). Records
   * that cannot be read are in its `unreadable`.
   * @throws DomainMonitoringError; kind `validation` for a page below 1 or a `perPage` outside 1 to
   * 100
   */
  async list(
    domainId: string,
    request: PageRequest = {},
    call?: CallOptions,
  ): Promise<Page<Change>> {
    const domain = pathSegment("domainId", domainId);
    const path = `/api/domains/${domain}/changes/${this.#component}${pageQuery(request)}`;

    return send(this.#http, call, {
      name: this.#operation,
      method: "GET",
      path,
      read: this.#read(),
    });
  }

  /**
   * Every readable record of the list, with one request per page if the list does not change. Pages
   * are read ahead.
   *
   * If new records are added at the front, as in a history, those present when the iteration began
   * are returned exactly once, in the order served; new ones once or not at all. Pages that were
   * read ahead are then requested again. If records are removed, the list is read again from its
   * first page, at most five times: records that stay in the list are returned exactly once, or the
   * iteration fails.
   *
   * Changes between two requests that keep the total go unnoticed, and records may then be missed:
   * records change places, or as many are removed as are added. Change histories are append-only,
   * so this cannot happen there.
   *
   * Records that cannot be read are left out, and named by an error at the end, once all others
   * have been returned. If they show no id and change places while the list is read, another record
   * may be missed.
   *
   * Leaving the loop stops the requests. Timeout and retries in `call` apply to each request, its
   * signal to the whole iteration.
   * @throws DomainMonitoringError; kind `response` if the list has more than `maxPages` pages or
   * keeps changing, and at the end, with `unreadable`, if it has records that cannot be read
   */
  iterate(
    domainId: string,
    request: IterateRequest = {},
    call?: CallOptions,
  ): AsyncIterable<Change> {
    const { perPage = PER_PAGE.maximum, maxPages } = request;
    wholeNumber("perPage", perPage, PER_PAGE.maximum);
    const list = (page: number, options: CallOptions) =>
      this.list(domainId, { page, perPage }, options);

    return iterateList(
      this.#http,
      {
        operation: this.#operation,
        domainId,
        maxPages,
        list,
      },
      call,
    );
  }

  get #operation() {
    return `${this.#component}Changes.list` as const;
  }
}
