/**
 * The service's list of the channels of a domain, for decisions that no single response allows:
 * whether the service has the managed lifecycle at all, whether a 404 means that a channel is gone,
 * and which channel a lost create left behind.
 */
import { hasRecord, readAll, SharedReading } from "../../client/pages";
import type { NotificationChannelData } from "../../client/types";
import type { Properties } from "../boundary";
import { type Connection, onePerConnection } from "../connection";

type Channels = readonly NotificationChannelData[];

export class ChannelList {
  readonly #firstPage: SharedReading<Channels>;
  readonly #all: SharedReading<Awaited<ReturnType<typeof readAll<NotificationChannelData>>>>;

  constructor(domainId: string, connection: Pick<Connection, "client">) {
    const channels = () => connection.client.notificationChannels;
    this.#firstPage = new SharedReading(async () => (await channels().list(domainId)).data);
    this.#all = new SharedReading(() => readAll(channels().iterate(domainId)));
  }

  /**
   * The channels of the first page, read once in a process. @throws DomainMonitoringError if it
   * cannot be read
   */
  firstPage(): Promise<Channels> {
    return this.#firstPage.latest();
  }

  /**
   * Waits until the list is not being read, so that it is not read again and again while many
   * channels are created or deleted.
   */
  settled(): Promise<void> {
    return this.#all.settled();
  }

  /**
   * Whether the list has a channel that is recorded. An earlier reading is enough if it lacks the
   * channel, because an id does not come back.
   * @throws DomainMonitoringError if the list cannot be read
   */
  async has(id: string): Promise<boolean> {
    const known = await this.#all.latest();
    return hasRecord(known, id) && hasRecord(await this.#all.newerThan(known), id);
  }

  /**
   * Channels with this label and type, read anew, without the ones that were listed before. @throws
   * DomainMonitoringError if the list cannot be read
   */
  async added(before: Channels, wanted: { label: string; type: string }): Promise<Channels> {
    const { records, error } = await this.#all.anew();
    const known = new Set(before.map(({ id }) => id));
    const added = records.filter(
      ({ id, label, type }) => label === wanted.label && type === wanted.type && !known.has(id),
    );

    // It may be a channel that cannot be read.
    if (error && added.length === 0) throw error;

    return added;
  }
}

/** The lists of a connection, by domain: its channels share their readings. */
const listsOf = onePerConnection(() => new Map<string, ChannelList>());

export function channelListOf({ domainId }: Properties, connection: Connection): ChannelList {
  const id = String(domainId);
  const lists = listsOf(connection);
  const list = lists.get(id) ?? new ChannelList(id, connection);
  lists.set(id, list);

  return list;
}
