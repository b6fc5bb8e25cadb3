/**
 * Retrieving a monitored domain and its WHOIS and DNS changes (interface.md, sections 4.1 to 4.3),
 * and the experimental operations: create and update, which the service documents, and list, which
 * it does not.
 */

import { type CreateDomain, DOMAIN, DOMAIN_SETTINGS, names, type UpdateDomain } from "./fields";
import { send } from "./internal/call";
import { DOMAIN_ADVICE, DOMAIN_LIST_ADVICE, NO_DOMAIN_LIST } from "./internal/failure";
import { type Http, loadListSchemas, loadSchemas } from "./internal/http";
import type { Gates } from "./internal/operation";
import { iterateList } from "./lists";
import type { CallOptions } from "./options";
import {
  type IterateDomainsRequest,
  type IterateRequest,
  type ListDomainsRequest,
  type Page,
  type PageRequest,
  PER_PAGE,
  pageQuery,
  wholeNumber,
} from "./pages";
import { pathSegment, refuse, requestProblems } from "./rules";
import type { Domain } from "./types";

/** Reads, lists, creates and changes domains. Made by the client. */
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
    return send(this.#http, call, {
      name: "domains.get",
      method: "GET",
      path: domainPath(id),
      read: (response) => loadSchemas().readOneDomain(response, id),
    });
  }

  /**
   * One page of the account's domains, in the order served. Records that cannot be read are in its
   * `unreadable`.
   * @experimental the service does not document it: see "Managed channels" at the package's
   * homepage
   * @throws DomainMonitoringError; kind `http` with status 403, 404 or 405 may mean that the
   * service lacks the operation
   */
  async list(request: ListDomainsRequest = {}, call?: CallOptions): Promise<Page<Domain>> {
    return send(this.#http, call, {
      name: "domains.list",
      method: "GET",
      path: `/api/domains${pageQuery({ page: request.page })}`,
      read: loadListSchemas().readDomainPage,
      meanings: DOMAIN_LIST_ADVICE,
      ifForeign: NO_DOMAIN_LIST,
    });
  }

  /**
   * Every readable domain of the account, in the order served, as `whoisChanges.iterate` returns
   * every change.
   * @experimental the service does not document it: see "Managed channels" at the package's
   * homepage
   * @throws DomainMonitoringError; kind `response` if the list has more than `maxPages` pages or
   * keeps changing, and at the end, with `unreadable`, if it has records that cannot be read
   */
  iterate({ maxPages }: IterateDomainsRequest = {}, call?: CallOptions): AsyncIterable<Domain> {
    const list = (page: number, options: CallOptions) => this.list({ page }, options);
    return iterateList(
      this.#http,
      {
        operation: "domains.list",
        maxPages,
        list,
      },
      call,
    );
  }

  /**
   * Adds a domain to the account and returns it as the service reports it. Everything that comes
   * from checks is still null.
   *
   * The request is repeated under the conditions of a channel's create. If the response was lost,
   * the error has `sent: "maybe"`.
   * @experimental never run against the service
   * @throws DomainMonitoringError; kind `validation` for an unknown or missing field, or a value of
   * another type
   */
  async create(domain: CreateDomain, call?: CallOptions): Promise<Domain> {
    const required = ["domain", "label"] as const;
    refuse("the domain", requestProblems({ ...domain }, DOMAIN, names(DOMAIN), required));

    return send(this.#http, call, {
      name: "domains.create",
      method: "POST",
      path: "/api/domains",
      body: loadSchemas().encode(domain, names(DOMAIN)),
      publicTexts: [domain.domain, domain.label],
      read: (response) => loadSchemas().readOneDomain(response),
      meanings: DOMAIN_ADVICE,
      uncertaintyHint:
        `The domain ${JSON.stringify(domain.domain)} may have been created anyway: look for it in the service before ` +
        "creating it again",
    });
  }

  /**
   * Changes the given fields and returns the domain as the service reports it. The request is
   * repeated like `notificationChannels.update`.
   * @experimental never run against the service
   * @throws DomainMonitoringError; kind `validation` for an unknown field, a value of another type,
   * or no field at all
   */
  async update(id: string, changes: UpdateDomain, call?: CallOptions): Promise<Domain> {
    refuse("the change", requestProblems({ ...changes }, DOMAIN, DOMAIN_SETTINGS));

    return send(this.#http, call, {
      name: "domains.update",
      method: "PATCH",
      path: domainPath(id),
      body: loadSchemas().encode(changes, DOMAIN_SETTINGS),
      publicTexts: [changes.label],
      read: (response) => loadSchemas().readOneDomain(response, id),
      meanings: DOMAIN_ADVICE,
      uncertaintyHint: `The domain ${id} may have been changed anyway: the same change can be sent again`,
    });
  }
}

type PageReader<T> = (response: unknown, gates: Gates) => Page<T>;

/** Reads the list of WHOIS or of DNS changes of a domain; made by the client. */
export class Changes<Change extends { id: string }> {
  readonly #http: Http;
  readonly #component: "whois" | "dns";
  readonly #read: () => PageReader<Change>;

  /** @internal made by the client */
  constructor(http: Http, component: "whois" | "dns", read: () => PageReader<Change>) {
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

function domainPath(id: string): string {
  return `/api/domains/${pathSegment("id", id)}`;
}
