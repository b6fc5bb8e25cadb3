/** What the emulator holds: domains with their changes, and channels. It knows nothing of HTTP or of wire names. */
import { randomUUID } from "node:crypto";
import type { CreateNotificationChannel } from "../../client/types";
import { type StoredChange, type StoredDomain, toChange, toDomain } from "./seeds";
import { sqlTimestamp } from "./times";
import type { ChangeSeed, DomainSeed, EmulatedChannel } from "./types";

/** The domains and channels of one emulator. */
export class Store {
  readonly #initial: readonly StoredDomain[];
  readonly #domains = new Map<string, StoredDomain>();
  #channels: EmulatedChannel[] = [];

  /** @throws Error where two seeds have the same id. */
  constructor(seeds: readonly DomainSeed[]) {
    for (const seed of seeds) this.addDomain(seed);
    this.#initial = [...this.#domains.values()].map(copyOf);
  }

  /** The domain with that id, if there is one. */
  domain(id: string): StoredDomain | undefined {
    return this.#domains.get(id);
  }

  /** Adds a domain and returns its id. Its number is its position, so that it stays the same after a reset. */
  addDomain(seed: DomainSeed): string {
    const domain = toDomain(seed, this.#domains.size + 1);
    if (this.#domains.has(domain.id))
      throw new Error(`the emulator already has a domain with the id ${domain.id}`);
    this.#domains.set(domain.id, domain);
    return domain.id;
  }

  /** Adds a change in front of the others, which is where change lists begin. */
  addChange(domainId: string, kind: "whois" | "dns", seed: ChangeSeed): void {
    const domain = this.#domains.get(domainId);
    if (domain === undefined) throw new Error(`the emulator has no domain with the id ${domainId}`);
    domain.changes[kind].unshift(toChange(seed, kind));
  }

  /** The channels of one domain, or of all, oldest first. Copies, so that no test edits the truth. */
  channels(domainId?: string): EmulatedChannel[] {
    const wanted = this.#channels.filter(
      (channel) => domainId === undefined || channel.domainId === domainId,
    );
    return wanted.map((channel) => ({ ...channel }));
  }

  /** Creates a channel. Flags that are null or left out are true (interface.md, section 4.4). */
  createChannel(domainId: string, given: CreateNotificationChannel): EmulatedChannel {
    const channel: EmulatedChannel = {
      id: randomUUID(),
      domainId,
      label: given.label,
      type: given.type,
      value: given.value,
      secondaryValue: given.secondaryValue ?? null,
      whoisNotificationsEnabled: given.whoisNotificationsEnabled ?? true,
      dnsNotificationsEnabled: given.dnsNotificationsEnabled ?? true,
      sslNotificationsEnabled: given.sslNotificationsEnabled ?? true,
      createdAt: sqlTimestamp(new Date()),
    };
    this.#channels.push(channel);
    return channel;
  }

  /** Back to what the constructor made, with the same ids. */
  reset(): void {
    this.#domains.clear();
    for (const domain of this.#initial) this.#domains.set(domain.id, copyOf(domain));
    this.#channels = [];
  }
}

/** Only the lists of changes ever change. */
function copyOf(domain: StoredDomain): StoredDomain {
  const { whois, dns } = domain.changes;
  return { ...domain, changes: { whois: [...whois], dns: [...dns] } };
}

export type { StoredChange, StoredDomain };
