/** Knowledge of a provider process about the account's domains: the list, which is read once, and what has happened since. */
import type { Domain } from "../../client/types";
import { knownDomains, readDomains } from "../../functions/domain-list";
import { type Connection, onePerConnection } from "../connection";
import { isSame } from "./record";

export class AccountDomains {
  /** By id, domains that this process has created or taken over, and null for those that it has deleted. */
  readonly since = new Map<string, Domain | null>();
  /** Names of the creates in progress. */
  readonly creating = new Set<string>();
  /** Ids of domains that have a resource. */
  readonly held = new Set<string>();
  /** Ids of domains that a resource has taken over, so that no other one deletes them. */
  readonly adopted = new Set<string>();

  constructor(private readonly connection: Connection) {}

  /**
   * The domains with this name.
   * @param anew whether an earlier reading of the list is not enough
   * @throws DomainMonitoringError if the list cannot be read
   */
  async named(name: unknown, anew = false): Promise<Domain[]> {
    const listed = await (anew ? readDomains : knownDomains)(this.connection.client);
    const created = [...this.since.values()].filter((domain) => domain !== null);
    return [...listed.filter(({ id }) => !this.since.has(id)), ...created].filter(({ domain }) =>
      isSame("domain", domain, name),
    );
  }

  /**
   * Whether the list lacks a domain that is recorded. An earlier reading is enough if it lacks the domain, as an id does not come
   * back. @throws DomainMonitoringError if the list cannot be read
   */
  async lacks(id: string): Promise<boolean> {
    const isIn = (domains: readonly Domain[]) => domains.some((domain) => domain.id === id);
    const { client } = this.connection;
    return (!this.since.has(id) && !isIn(await knownDomains(client))) || !isIn(await readDomains(client));
  }
}

export const accountDomainsOf = onePerConnection((connection) => new AccountDomains(connection));
