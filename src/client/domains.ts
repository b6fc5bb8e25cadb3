/** Retrieving a monitored domain (interface.md, section 4.1). */
import { type Http, loadSchemas } from "./internal/http";
import { pathSegment } from "./internal/ids";
import type { CallOptions, Domain } from "./types";

/** Reads domains; made by the client. */
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
}
