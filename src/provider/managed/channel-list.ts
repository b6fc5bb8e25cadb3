/**
 * The service's list of the channels of a domain, for decisions that no single response allows:
 * whether the service has the managed lifecycle at all, whether a channel was there before, whether
 * a 404 means that one is gone, and which channel a lost create left behind.
 */
import { hasRecord, type Reading, readAll, SharedReading } from "../../client/pages";
import type { NotificationChannelData } from "../../client/types";
import type { Properties } from "../boundary";
import { type Connection, onePerConnection } from "../connection";

type Channels = Reading<NotificationChannelData>;
type Wanted = Pick<NotificationChannelData, "label" | "type">;

export class ChannelReading extends SharedReading<Channels> {
  constructor(domainId: string, connection: Pick<Connection, "client">) {
    super(() => readAll(connection.client.notificationChannels.iterate(domainId)));
  }

  /**
   * Whether the list has a channel that is recorded. An earlier reading is enough if it lacks the
   * channel, because an id does not come back.
   * @throws DomainMonitoringError if the list cannot be read
   */
  async has(id: string): Promise<boolean> {
    const known = await this.latest();
    return hasRecord(known, id) && hasRecord(await this.newerThan(known), id);
  }

  /**
   * Channels with this label and type, read anew. @throws DomainMonitoringError if the list cannot
   * be read
   */
  async alike(wanted: Wanted): Promise<readonly NotificationChannelData[]> {
    const { records, error } = await this.anew();
    const found = alike(records, wanted);

    // It may be a channel that cannot be read.
    if (error && found.length === 0) throw error;

    return found;
  }
}

/** The channels with this label and type. */
export function alike(
  channels: readonly NotificationChannelData[],
  { label, type }: Wanted,
): readonly NotificationChannelData[] {
  return channels.filter((channel) => channel.label === label && channel.type === type);
}

/** Whether a list has a channel, or a record without a readable id, which may be this channel. */
export function mayHave(list: Channels, id: string): boolean {
  try {
    return hasRecord(list, id);
  } catch {
    return true;
  }
}

interface Lists {
  byDomain: Map<string, ChannelReading>;

  /** Whether a list could not be read for a warning, so that no other one is asked for one. */
  hasFailed: boolean;
}

/** The lists of a connection: the channels of a domain share their readings. */
const listsOf = onePerConnection((): Lists => ({ byDomain: new Map(), hasFailed: false }));

export function channelListOf({ domainId }: Properties, connection: Connection): ChannelReading {
  const id = String(domainId);
  const { byDomain } = listsOf(connection);
  const list = byDomain.get(id) ?? new ChannelReading(id, connection);
  byDomain.set(id, list);

  return list;
}

/** The channels that are there before a create, for a warning; none if they cannot be read. */
export async function listedBefore(
  declared: Properties,
  connection: Connection,
): Promise<readonly NotificationChannelData[]> {
  const lists = listsOf(connection);
  if (lists.hasFailed) return [];

  try {
    const { records } = await channelListOf(declared, connection).latest();
    return records;
  } catch {
    lists.hasFailed = true;
    return [];
  }
}
