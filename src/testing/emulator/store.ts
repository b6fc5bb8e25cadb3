/** The data of an emulator: domains with their changes, and channels. Nothing here depends on HTTP or names on the wire. */
import { isUuid } from "../../common/uuid";
import { type StoredDomain, toChange, toDomain, toUpdatedDomain } from "./domains";
import type { IssuedIds, Sources } from "./sources";
import { sqlTimestamp } from "./sources";
import type {
  ChangeSeed,
  ChannelSeed,
  ChannelUpdate,
  DomainSeed,
  DomainUpdate,
  EmulatedChannel,
} from "./types";

/** No domain or channel has the given id. */
export class NotFoundError extends Error {}

/** A domain or channel with the given id exists already. */
export class ConflictError extends Error {}

/** All data at one time. */
interface Snapshot {
  readonly domains: readonly StoredDomain[];
  readonly channels: readonly EmulatedChannel[];
  readonly issuedIds: IssuedIds;
}

/** The domains and channels of one emulator. */
export class Store {
  readonly #sources: Sources;
  readonly #initial: Snapshot;
  #domains = new Map<string, StoredDomain>();
  #channels: EmulatedChannel[] = [];
  /** The destinations of all channels, also of those that were changed or removed: a request may still name them. */
  readonly destinations = new Set<string>();
  #lastNumber = 0;

  /** @throws ConflictError where two seeds have the same id */
  constructor(seeds: readonly DomainSeed[], sources: Sources) {
    this.#sources = sources;
    for (const seed of seeds) this.addDomain(seed);
    this.#initial = {
      domains: this.domains(),
      channels: [...this.#channels],
      issuedIds: sources.ids.issued(),
    };
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
    const domain = toDomain(seed, this.#lastNumber + 1, this.#sources);
    if (this.#domains.has(domain.id))
      throw new ConflictError(`the emulator already has a domain with the id ${domain.id}`);
    this.#domains.set(domain.id, domain);
    this.#lastNumber = domain.number;
    for (const channel of seed.channels ?? []) this.addChannel(domain.id, channel);
    return domain.id;
  }

  updateDomain(id: string, changes: DomainUpdate): void {
    this.#domains.set(id, toUpdatedDomain(this.existing(id), changes, this.#sources.clock.now()));
  }

  /** Removes a domain with its changes and channels. */
  removeDomain(id: string): void {
    this.#domains.delete(this.existing(id).id);
    this.#channels = this.#channels.filter((channel) => channel.domainId !== id);
  }

  /** Adds a change in front of the others, as the newest one. */
  addChange(domainId: string, kind: "whois" | "dns", seed: ChangeSeed): void {
    const domain = this.existing(domainId);
    const { clock, ids } = this.#sources;
    const changes = [toChange(seed, kind, clock.now(), ids), ...domain.changes[kind]];
    this.#domains.set(domainId, { ...domain, changes: { ...domain.changes, [kind]: changes } });
  }

  /** The channels of one domain, or of all, oldest first. Copies, so that callers cannot change the stored ones. */
  channels(domainId?: string): EmulatedChannel[] {
    const wanted = this.#channels.filter(
      (channel) => domainId === undefined || channel.domainId === domainId,
    );
    return wanted.map((channel) => ({ ...channel }));
  }

  /** Creates a channel. */
  createChannel(domainId: string, submitted: NewChannel): EmulatedChannel {
    const channel = toChannel(domainId, submitted, this.#sources);
    this.#channels.push(this.#withKnownDestinations(channel));
    return channel;
  }

  /** Adds a channel made by hand and returns its id. */
  addChannel(domainId: string, seed: ChannelSeed): string {
    const channel = toSeededChannel(this.existing(domainId).id, seed, this.#sources);
    if (this.#channels.some(({ id }) => id === channel.id))
      throw new ConflictError(`the emulator already has a channel with the id ${channel.id}`);
    this.#channels.push(this.#withKnownDestinations(channel));
    return channel.id;
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
    return updated;
  }

  removeChannel(id: string): void {
    this.#channels.splice(this.#existingChannel(id).index, 1);
  }

  /** Back to what the constructor made, with the same ids and numbers. */
  reset(): void {
    const { domains, channels, issuedIds } = this.#initial;
    this.#domains = new Map(domains.map((domain) => [domain.id, domain]));
    this.destinations.clear();
    this.#channels = channels.map((channel) => this.#withKnownDestinations(channel));
    this.#lastNumber = domains.length;
    this.#sources.ids.restore(issuedIds);
  }

  /** @throws NotFoundError where there is no such domain */
  existing(id: string): StoredDomain {
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
}

/** Display names of the types that a create accepts. */
export const TYPE_NAMES = new Map([
  ["email", "Email"],
  ["discord", "Discord"],
  ["slack", "Slack"],
  ["ms_teams", "Microsoft Teams"],
  ["pushover", "Pushover"],
  ["webhook", "Webhook"],
]);

/** What a create sets. */
type NewChannel = Pick<EmulatedChannel, "label" | "type" | "value"> & {
  [Name in
    | "secondaryValue"
    | "whoisNotificationsEnabled"
    | "dnsNotificationsEnabled"
    | "sslNotificationsEnabled"]?: EmulatedChannel[Name] | null | undefined;
};

/** A new channel. Flags that are null or left out are true (interface.md, section 4.4). */
function toChannel(domainId: string, submitted: NewChannel, { clock, ids }: Sources): EmulatedChannel {
  return {
    id: ids.uuid("channel"),
    domainId,
    label: submitted.label,
    type: submitted.type,
    typeHuman: TYPE_NAMES.get(submitted.type) ?? submitted.type,
    value: submitted.value,
    secondaryValue: submitted.secondaryValue ?? null,
    whoisNotificationsEnabled: submitted.whoisNotificationsEnabled ?? true,
    dnsNotificationsEnabled: submitted.dnsNotificationsEnabled ?? true,
    sslNotificationsEnabled: submitted.sslNotificationsEnabled ?? true,
    isProtected: false,
    isDisabled: false,
    disabledReason: null,
    lastNotificationSentAt: null,
    createdAt: sqlTimestamp(clock.now()),
  };
}

/**
 * A channel made by hand.
 *
 * @throws RangeError where its id is not a UUID: the service has other addresses in the place of an id
 */
function toSeededChannel(domainId: string, seed: ChannelSeed, sources: Sources): EmulatedChannel {
  const channel = toChannel(domainId, { label: "Made by hand", type: "email", value: null }, sources);
  const { id = channel.id, createdAt = channel.createdAt } = seed;
  if (!isUuid(id)) throw new RangeError(`a channel's id must be a UUID, which ${id} is not`);
  return { ...toUpdatedChannel(channel, seed), id, createdAt };
}

/** The channel after a change. */
function toUpdatedChannel(channel: EmulatedChannel, update: ChannelUpdate): EmulatedChannel {
  const { id, domainId, createdAt } = channel;
  const { type = channel.type } = update;
  const typeHuman = type === channel.type ? channel.typeHuman : (TYPE_NAMES.get(type) ?? type);
  return { ...channel, typeHuman, ...withoutUndefined(update), id, domainId, createdAt };
}

/** Spreading an undefined field would remove what is there. */
export function withoutUndefined<T extends object>(
  fields: T,
): { [Name in keyof T]?: Exclude<T[Name], undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as T;
}
