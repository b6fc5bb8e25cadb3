/**
 * The account that a provider process works with: its list of domains, the changes made since it
 * was read, and whether the list proves that a domain is gone.
 *
 * A list proves that only if it is recognisably the same account's: a token can be replaced by
 * another account's, whose list lacks every domain of the stack. So each record names a few other
 * domains of its account, and one of them has to be listed. Copies of a service may have domains of
 * the same ids, so each record also tells at which address it was made.
 */

import { hasRecord, SharedReading } from "../client/pages";
import type { Domain } from "../client/types";
import { type DomainList, domainListOf, domainsNamed } from "../functions/domain-list";
import { comparableName } from "../rules/domain-names";
import { isRecordable, type Properties } from "./boundary";
import { type Connection, onePerConnection } from "./connection";

/**
 * The lists' evidence about an object that got 404. `unproven`: the lists lack it, but may be
 * another account's. `elsewhere`: it was recorded at another address, so they show nothing.
 */
export type Absence = "gone" | "listed" | "unproven" | "elsewhere";

/** Number of other domains that a record names. */
const OTHERS = 3;

export class Account {
  /** Names of the creates in progress. */
  readonly creating = new Set<string>();

  /**
   * By name, the errors of creates of this process that may have been carried out. They are not
   * sent again.
   */
  readonly lostCreates = new Map<string, Error>();

  /** By id, domains that this process has created or taken over, and null for deleted ones. */
  readonly #since = new Map<string, Domain | null>();

  /**
   * Domains that the state names, as far as this process has been sent its records, each with the
   * other domains that its record names.
   */
  readonly #recorded = new Map<string, string[]>();

  /** Domains on the first page of the list; none if it cannot be read. */
  readonly #firstPage = new SharedReading(() =>
    this.connection.client.domains.list().then(
      ({ data }) => data,
      () => [],
    ),
  );

  constructor(private readonly connection: Connection) {}

  /** The account's list. */
  get #domains(): SharedReading<DomainList> {
    return domainListOf(this.connection.client);
  }

  /**
   * The domains with this name.
   * @param options `anew`: an earlier reading of the list is not enough
   * @throws DomainMonitoringError if the list cannot be read
   */
  async named(name: unknown, { anew = false } = {}): Promise<Domain[]> {
    const list = await (anew ? this.#domains.anew() : this.#domains.latest());
    const listed = domainsNamed(String(name), list);
    const unchanged = listed.filter(({ id }) => !this.#since.has(id));
    const created = [...this.#since.values()].filter((domain) => domain !== null);

    return [...unchanged, ...created].filter(({ domain }) => isSameName(domain, name));
  }

  /** Notes that this process has created a domain or taken it over. */
  noteCreated(domain: Domain): void {
    this.#since.set(domain.id, domain);
  }

  noteDeleted(id: string): void {
    this.#since.set(id, null);
  }

  /**
   * Notes that the state names this domain, in its own record or in one of a channel. A domain that
   * this process has created shows nothing about earlier records.
   */
  noteRecorded(id: unknown, record: Properties): void {
    const key = String(id);
    if (this.#since.has(key)) return;

    const known = this.#recorded.get(key) ?? [];
    const others = othersIn(record) ?? [];

    this.#recorded.set(key, [...new Set([...known, ...others])]);
  }

  /**
   * Outputs by which a later run recognises the account of an object that is there.
   * @param record of the object; the domains that it names stay
   */
  async evidence(domainId: unknown, { otherDomains }: Properties): Promise<Properties> {
    const { addressDigest } = this.connection;
    return { otherDomains: otherDomains ?? (await this.#others(domainId)), addressDigest };
  }

  /**
   * Whether a record has evidence, which a read then renews. Others get it by their next update: a
   * resource that is only referred to is recorded anew by each run, so it would differ for ever.
   */
  isWitnessed({ otherDomains, addressDigest }: Properties): boolean {
    return (otherDomains ?? addressDigest) !== undefined;
  }

  /** Whether a record was made at another address. */
  isElsewhere({ addressDigest }: Properties): boolean {
    return addressDigest !== undefined && addressDigest !== this.connection.addressDigest;
  }

  /**
   * Ids of a few other domains of the account; undefined where the account has none, or the service
   * no list. Costs one request in a process that has not read the list.
   */
  async #others(id: unknown): Promise<string[] | undefined> {
    const listed = await this.#known();
    const all = new Set([...listed.map((domain) => domain.id), ...this.#since.keys()]);
    const others = [...all].filter(
      (other) => other !== id && isRecordable(other) && !this.#isDeleted(other),
    );

    return others.length > 0 ? others.slice(0, OTHERS) : undefined;
  }

  /** Domains that the account has: from the list, if it was read, or from its first page. */
  async #known(): Promise<readonly Domain[]> {
    if (!this.#domains.hasBegun) return this.#firstPage.latest();

    return this.#domains.latest().then(
      ({ records }) => records,
      () => this.#firstPage.latest(),
    );
  }

  /** Whether the list had this domain when it was last read. */
  async wasListed(id: string): Promise<boolean> {
    return hasRecord(await this.#domains.latest(), id);
  }

  /**
   * Whether the account's list shows that a domain is gone.
   * @param record of the domain, or of something that belongs to it
   * @throws DomainMonitoringError if the list cannot be read
   */
  async absenceOf(domainId: unknown, record: Properties): Promise<Absence> {
    if (this.isElsewhere(record)) return "elsewhere";

    const key = String(domainId);
    const list = await this.#readWithout(key);
    if (hasRecord(list, key)) return "listed";

    const listed = idsOf(list);
    const ofAccount = othersIn(record) ?? this.#knownBeside(key, record);
    const isProven = ofAccount.some((other) => listed.has(other) || this.#isDeleted(other));

    return isProven ? "gone" : "unproven";
  }

  /**
   * Domains of the same account, for a record that names no others: domains whose records name this
   * one; for records of earlier versions, all domains.
   */
  #knownBeside(key: string, { addressDigest }: Properties): string[] {
    return [...this.#recorded]
      .filter(([, others]) => addressDigest === undefined || others.includes(key))
      .map(([id]) => id);
  }

  /**
   * The list. An earlier reading is enough if it lacks this id, because an id does not come back.
   */
  async #readWithout(key: string): Promise<DomainList> {
    const known = await this.#domains.latest();
    const isEnough = !this.#since.has(key) && !hasRecord(known, key);

    return isEnough ? known : this.#domains.newerThan(known);
  }

  /** Whether this process has deleted it, which the token of another account could not. */
  #isDeleted(key: string): boolean {
    return this.#since.get(key) === null;
  }
}

/** The other domains that a record names. */
function othersIn({ otherDomains }: Properties): string[] | undefined {
  return Array.isArray(otherDomains) ? otherDomains.map(String) : undefined;
}

function idsOf({ records }: DomainList): Set<string> {
  return new Set(records.map(({ id }) => id));
}

/** Compares names as DNS does. */
function isSameName(one: unknown, other: unknown): boolean {
  const name = comparableName(String(one));
  return name !== undefined && name === comparableName(String(other));
}

export const accountOf = onePerConnection((connection) => new Account(connection));
