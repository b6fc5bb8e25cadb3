/**
 * The service's lists of the channels of domains, for decisions that no single answer allows: whether a service has the
 * managed lifecycle at all, whether a 404 means that a channel is gone, and which channel a lost create left behind.
 *
 * One for each process, so that many channels of a domain share a reading of its list.
 */
import { toInstant } from "../../client/timestamps";
import type { CallOptions, NotificationChannelData } from "../../client/types";
import type { Connection } from "../connection";

/** Dates of the service are in whole seconds. */
const PRECISION_MS = 1000;

type Call = Pick<CallOptions, "timeoutMs">;
type Source = Pick<Connection, "client" | "clockOffsetMs">;
/** By id, in lower case. */
type Channels = Map<string, NotificationChannelData>;

export class ChannelLists {
  readonly #connection: Source;
  readonly #readable = new Map<string, Promise<unknown>>();
  /** The last reading of each domain's list, which may be under way, or have failed. */
  readonly #last = new Map<string, Promise<Channels>>();
  /** Settles when no reading is under way. */
  readonly #readings = new Map<string, Promise<unknown>>();
  readonly #next = new Map<string, Promise<Channels>>();

  constructor(connection: Source) {
    this.#connection = connection;
  }

  /** Reads the first page of a domain's list, once in a process. @throws DomainMonitoringError if it cannot be read */
  async requireReadable(domainId: string, call?: Call): Promise<void> {
    let reading = this.#readable.get(domainId);
    if (reading === undefined) {
      reading = this.#connection.client.notificationChannels.list(domainId, {}, call);
      this.#readable.set(domainId, reading);
      reading.catch(() => this.#readable.delete(domainId));
    }
    await reading;
  }

  /**
   * Waits until no list of the domain is being read, so that a list is not read again and again while many channels are
   * created or deleted.
   */
  async settled(domainId: string): Promise<void> {
    while (this.#readings.has(domainId)) await this.#readings.get(domainId);
  }

  /**
   * Whether the domain's list lacks a channel that is recorded. An earlier reading is enough if it lacks the channel: what was
   * recorded since is noted by `outdate`, and an id does not come back.
   * @throws DomainMonitoringError if the list cannot be read
   */
  async lacks(domainId: string, id: string, call?: Call): Promise<boolean> {
    const key = id.toLowerCase();
    const last = await this.#last.get(domainId)?.catch(forget);
    if (last !== undefined && !last.has(key)) return true;
    return !(await this.#read(domainId, call)).has(key);
  }

  /**
   * Channels with this label and type that were created since, by the service's clock; without its clock those of any time.
   * @param since in milliseconds of this machine's clock
   */
  async createdSince(
    since: number,
    wanted: { domainId: string; label: string; type: string },
    call?: Call,
  ): Promise<NotificationChannelData[]> {
    const channels = [...(await this.#read(wanted.domainId, call)).values()];
    const offset = this.#connection.clockOffsetMs;
    const earliest = offset === undefined ? Number.NEGATIVE_INFINITY : since + offset - 2 * PRECISION_MS;
    return channels.filter(
      ({ label, type, createdAt }) =>
        label === wanted.label &&
        type === wanted.type &&
        (toInstant(createdAt)?.getTime() ?? Number.POSITIVE_INFINITY) >= earliest,
    );
  }

  /** Drops what was read of a domain's list, as a channel was created or taken over since. */
  outdate(domainId: string): void {
    this.#last.delete(domainId);
  }

  /** Reads a list. Callers that ask while it is being read share the next reading, as this one may be older than their question. */
  #read(domainId: string, call: Call | undefined): Promise<Channels> {
    const next = this.#next.get(domainId);
    if (next !== undefined) return next;
    const current = this.#readings.get(domainId) ?? Promise.resolve();
    const reading = current.then(async () => {
      this.#next.delete(domainId);
      const channels: Channels = new Map();
      const { notificationChannels } = this.#connection.client;
      for await (const channel of notificationChannels.iterate(domainId, {}, call))
        channels.set(channel.id.toLowerCase(), channel);
      return channels;
    });
    this.#next.set(domainId, reading);
    this.#last.set(domainId, reading);
    const ended = reading.catch(forget).then(() => {
      if (this.#readings.get(domainId) === ended) this.#readings.delete(domainId);
    });
    this.#readings.set(domainId, ended);
    return reading;
  }
}

const forget = () => undefined;
