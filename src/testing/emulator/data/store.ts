/** The data of an emulator: domains with their changes, and channels. Nothing here depends on HTTP or wire names. */
import type { CreateNotificationChannel } from "../../../client/types";
import type {
  ChangeSeed,
  ChannelSeed,
  ChannelUpdate,
  DomainSeed,
  DomainUpdate,
  EmulatedChannel,
} from "../types";
import { toChannel, toSeededChannel, toUpdatedChannel } from "./channels";
import { type Sources, toChange, toDomain, toUpdatedDomain } from "./domains";
import type { Snapshot, StoredDomain } from "./stored";

/** No domain or channel has the given id. */
export class NotFoundError extends Error {}

/** A domain or channel with the given id exists already. */
export class ConflictError extends Error {}

/** The parts that a store works with. */
export interface StoreParts extends Sources {
  /** Called after every change; what it throws is thrown by the method that made the change. */
  keep?: (snapshot: Snapshot) => void;
}

/** The domains and channels of one emulator. */
export class Store {
  readonly #parts: StoreParts;
  readonly #initial: Snapshot;
  #domains = new Map<string, StoredDomain>();
  #channels: EmulatedChannel[] = [];
  /** The destinations of all channels, also of those that were changed or removed: a request may still name them. */
  readonly destinations = new Set<string>();
  #lastNumber = 0;

  /**
   * @param start domains to make, or what was held before
   * @throws ConflictError where two seeds have the same id
   */
  constructor(start: readonly DomainSeed[] | Snapshot, parts: StoreParts) {
    this.#parts = parts;
    if ("issuedIds" in start) this.#restore(start);
    else for (const seed of start) this.#add(seed);
    this.#initial = this.#snapshot();
    this.#keep();
  }

  /** The domain with that id, if there is one. */
  domain(id: string): StoredDomain | undefined {
    return this.#domains.get(id);
  }

  /** The domain with that number, if there is one. */
  domainByNumber(number: string): StoredDomain | undefined {
    return this.domains().find((domain) => String(domain.number) === number);
  }

  /** All domains, oldest first. */
  domains(): StoredDomain[] {
    return [...this.#domains.values()];
  }

  /** Adds a domain and returns its id. Numbers are assigned in order, so that a reset assigns the same ones again. */
  addDomain(seed: DomainSeed): string {
    const id = this.#add(seed);
    this.#keep();
    return id;
  }

  updateDomain(id: string, changes: DomainUpdate): void {
    this.#domains.set(id, toUpdatedDomain(this.#existing(id), changes, this.#parts.clock.now()));
    this.#keep();
  }

  /** Removes a domain with its changes and channels. */
  removeDomain(id: string): void {
    this.#domains.delete(this.#existing(id).id);
    this.#channels = this.#channels.filter((channel) => channel.domainId !== id);
    this.#keep();
  }

  /** Adds a change in front of the others, as the newest one. */
  addChange(domainId: string, kind: "whois" | "dns", seed: ChangeSeed): void {
    const domain = this.#existing(domainId);
    const { clock, ids } = this.#parts;
    const changes = [toChange(seed, kind, clock.now(), ids), ...domain.changes[kind]];
    this.#domains.set(domainId, { ...domain, changes: { ...domain.changes, [kind]: changes } });
    this.#keep();
  }

  /** The channels of one domain, or of all, oldest first. Copies, so that callers cannot change the stored ones. */
  channels(domainId?: string): EmulatedChannel[] {
    const wanted = this.#channels.filter(
      (channel) => domainId === undefined || channel.domainId === domainId,
    );
    return wanted.map((channel) => ({ ...channel }));
  }

  /** Creates a channel. */
  createChannel(domainId: string, submitted: CreateNotificationChannel): EmulatedChannel {
    const channel = toChannel(domainId, submitted, this.#parts);
    this.#channels.push(this.#withKnownDestinations(channel));
    this.#keep();
    return channel;
  }

  /** Adds a channel made by hand and returns its id. */
  addChannel(domainId: string, seed: ChannelSeed): string {
    const id = this.#addChannel(this.#existing(domainId).id, seed);
    this.#keep();
    return id;
  }

  /** The channel with that id, if the domain has one. */
  channel(domainId: string, id: string): EmulatedChannel | undefined {
    return this.#channels.find((channel) => channel.id === id && channel.domainId === domainId);
  }

  /** Changes a channel and returns it. */
  updateChannel(id: string, changes: ChannelUpdate): EmulatedChannel {
    const { channel, index } = this.#existingChannel(id);
    const updated = this.#withKnownDestinations(toUpdatedChannel(channel, changes));
    this.#channels[index] = updated;
    this.#keep();
    return updated;
  }

  removeChannel(id: string): void {
    this.#channels.splice(this.#existingChannel(id).index, 1);
    this.#keep();
  }

  /** Back to what the constructor made, with the same ids and numbers. */
  reset(): void {
    this.#restore(this.#initial);
    this.#keep();
  }

  #add(seed: DomainSeed): string {
    const domain = toDomain(seed, this.#lastNumber + 1, this.#parts);
    if (this.#domains.has(domain.id))
      throw new ConflictError(`the emulator already has a domain with the id ${domain.id}`);
    this.#domains.set(domain.id, domain);
    this.#lastNumber = domain.number;
    for (const channel of seed.channels ?? []) this.#addChannel(domain.id, channel);
    return domain.id;
  }

  #addChannel(domainId: string, seed: ChannelSeed): string {
    const channel = toSeededChannel(domainId, seed, this.#parts);
    if (this.#channels.some(({ id }) => id === channel.id))
      throw new ConflictError(`the emulator already has a channel with the id ${channel.id}`);
    this.#channels.push(this.#withKnownDestinations(channel));
    return channel.id;
  }

  #existing(id: string): StoredDomain {
    const domain = this.#domains.get(id);
    if (domain === undefined) throw new NotFoundError(`the emulator has no domain with the id ${id}`);
    return domain;
  }

  #existingChannel(id: string): { channel: EmulatedChannel; index: number } {
    const index = this.#channels.findIndex((channel) => channel.id === id);
    const channel = this.#channels[index];
    if (channel === undefined) throw new NotFoundError(`the emulator has no channel with the id ${id}`);
    return { channel, index };
  }

  #withKnownDestinations(channel: EmulatedChannel): EmulatedChannel {
    for (const text of [channel.value, channel.secondaryValue]) if (text) this.destinations.add(text);
    return channel;
  }

  #snapshot(): Snapshot {
    return {
      format: 1,
      domains: this.domains(),
      channels: [...this.#channels],
      issuedIds: this.#parts.ids.issued(),
    };
  }

  #restore({ domains, channels, issuedIds }: Snapshot): void {
    this.#domains = new Map(domains.map((domain) => [domain.id, domain]));
    this.destinations.clear();
    this.#channels = channels.map((channel) => this.#withKnownDestinations(channel));
    this.#lastNumber = Math.max(0, ...domains.map(({ number }) => number));
    this.#parts.ids.restore(issuedIds);
  }

  #keep(): void {
    this.#parts.keep?.(this.#snapshot());
  }
}
