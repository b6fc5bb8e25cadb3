/**
 * The data of an emulator: domains with their changes, and channels. Nothing here depends on HTTP
 * or names on the wire.
 */
import { z } from "zod";
import {
  type ChangeKind,
  changed,
  type StoredDomain,
  toChange,
  toDomain,
  toUpdatedDomain,
} from "./domains";
import { channelFields, TYPE_NAMES } from "./fields";
import { isUuid } from "./interface";
import { type Ids, type Sources, sqlTimestamp } from "./sources";
import type {
  ChangeSeed,
  ChannelSeed,
  ChannelUpdate,
  DomainSeed,
  DomainUpdate,
  EmulatedChannel,
} from "./types";

export class NotFoundError extends Error {}
export class ConflictError extends Error {}

export class Store {
  readonly #sources: Sources;
  readonly #initial: {
    domains: StoredDomain[];
    channels: EmulatedChannel[];
    issuedIds: Ids["issued"];
  };
  readonly #domains = new Map<string, StoredDomain>();
  readonly #channels = new Map<string, EmulatedChannel>();

  /**
   * The destinations of all channels, also of those that were changed or removed: a request may
   * still name them.
   */
  readonly destinations = new Set<string>();
  #lastNumber = 0;

  /** @throws ConflictError where two seeds have the same id */
  constructor(seeds: readonly DomainSeed[], sources: Sources) {
    this.#sources = sources;
    for (const seed of seeds) this.addDomain(seed);
    this.#initial = {
      domains: this.domains(),
      channels: this.channels(),
      issuedIds: sources.ids.issued,
    };
  }

  domain(id: string): StoredDomain | undefined {
    return this.#domains.get(id);
  }

  domainByNumber(number: string): StoredDomain | undefined {
    return this.domains().find((domain) => String(domain.number) === number);
  }

  /** All domains, oldest first. */
  domains(): StoredDomain[] {
    return [...this.#domains.values()];
  }

  /** Numbers are assigned in order, so that a reset assigns the same ones again. */
  addDomain(seed: DomainSeed): StoredDomain {
    const domain = toDomain(seed, this.#lastNumber + 1, this.#sources);
    if (this.#domains.has(domain.id))
      throw new ConflictError(`the emulator already has a domain with the id ${domain.id}`);

    this.#domains.set(domain.id, domain);
    this.#lastNumber = domain.number;
    for (const channel of seed.channels ?? []) this.addChannel(domain.id, channel);

    return domain;
  }

  updateDomain(id: string, changes: DomainUpdate): StoredDomain {
    const updated = toUpdatedDomain(this.#existing(id), changes, this.#sources.clock.now());
    this.#domains.set(id, updated);

    return updated;
  }

  removeDomain(id: string): void {
    this.#domains.delete(this.#existing(id).id);
    for (const channel of this.channels(id)) this.#channels.delete(channel.id);
  }

  /** Adds a change in front of the others, as the newest one. */
  addChange(domainId: string, kind: ChangeKind, seed: ChangeSeed): void {
    const domain = this.#existing(domainId);
    const { clock, ids } = this.#sources;
    const changes = [toChange(seed, kind, clock.now(), ids), ...domain.changes[kind]];
    this.#domains.set(domainId, { ...domain, changes: { ...domain.changes, [kind]: changes } });
  }

  /**
   * The channels of one domain, or of all, oldest first. Copies, so that callers cannot change the
   * stored ones.
   */
  channels(domainId?: string): EmulatedChannel[] {
    return [...this.#channels.values()]
      .filter((channel) => domainId === undefined || channel.domainId === domainId)
      .map((channel) => ({ ...channel }));
  }

  addChannel(domainId: string, seed: ChannelSeed): EmulatedChannel {
    const channel = toChannel(this.#existing(domainId).id, seed, this.#sources);
    if (this.#channels.has(channel.id))
      throw new ConflictError(`the emulator already has a channel with the id ${channel.id}`);

    return this.#keep(channel);
  }

  /** The channel with that id, if the domain has one. */
  channel(domainId: string, id: string): EmulatedChannel | undefined {
    const channel = this.#channels.get(id);
    return channel?.domainId === domainId ? channel : undefined;
  }

  updateChannel(id: string, changes: ChannelUpdate): EmulatedChannel {
    return this.#keep(toUpdatedChannel(this.#existingChannel(id), changes));
  }

  removeChannel(id: string): void {
    this.#channels.delete(this.#existingChannel(id).id);
  }

  /** Back to what the constructor made, with the same ids and numbers. */
  reset(): void {
    const { domains, channels, issuedIds } = this.#initial;

    this.#domains.clear();
    for (const domain of domains) this.#domains.set(domain.id, domain);
    this.#channels.clear();
    this.destinations.clear();
    for (const channel of channels) this.#keep(channel);
    this.#lastNumber = domains.length;
    this.#sources.ids.issued = issuedIds;
  }

  #existing(id: string): StoredDomain {
    const domain = this.#domains.get(id);
    if (domain === undefined)
      throw new NotFoundError(`the emulator has no domain with the id ${id}`);

    return domain;
  }

  #existingChannel(id: string): EmulatedChannel {
    const channel = this.#channels.get(id);
    if (channel === undefined)
      throw new NotFoundError(`the emulator has no channel with the id ${id}`);

    return channel;
  }

  #keep(channel: EmulatedChannel): EmulatedChannel {
    this.#channels.set(channel.id, channel);
    for (const text of [channel.value, channel.secondaryValue])
      if (text) this.destinations.add(text);

    return channel;
  }
}

/** What a create or a seed leaves out has its default. */
const stored = z.object(channelFields);

/**
 * @throws RangeError where its id is not a UUID: the service has other addresses in the place of an
 * id
 */
function toChannel(domainId: string, seed: ChannelSeed, { clock, ids }: Sources): EmulatedChannel {
  const { type } = channelFields;
  const made = changed<ChannelSeed & { id: string }>(
    {
      id: ids.uuid("channel"),
      typeHuman: typeName(type.parse(seed.type)),
      createdAt: sqlTimestamp(clock.now()),
    },
    seed,
  );

  if (!isUuid(made.id))
    throw new RangeError(`a channel's id must be a UUID, which ${made.id} is not`);

  return { ...stored.parse(made), domainId };
}

function toUpdatedChannel(channel: EmulatedChannel, update: ChannelUpdate): EmulatedChannel {
  const { id, domainId, createdAt } = channel;
  const { type = channel.type } = update;
  const typeHuman = type === channel.type ? channel.typeHuman : typeName(type);

  return {
    ...changed({ ...channel, typeHuman }, update),
    id,
    domainId,
    createdAt,
  };
}

function typeName(type: string): string {
  return TYPE_NAMES.get(type) ?? type;
}
