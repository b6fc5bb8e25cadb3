/**
 * What the service lists of a domain's channels, for decisions that no single answer allows: whether a service has the
 * managed lifecycle at all, whether a 404 means that a channel is gone, and which channel a lost create left behind.
 *
 * One for each process, so that many channels of a domain share a reading of its list.
 */
import type { DomainMonitoringClient } from "../client/client";
import { toInstant } from "../client/timestamps";
import type { CallOptions, NotificationChannelData } from "../client/types";

/** Dates of the service are in whole seconds. */
const PRECISION_MS = 1000;

type Call = Pick<CallOptions, "timeoutMs">;
/** By id, in lower case. */
type Channels = Map<string, NotificationChannelData>;

export class ChannelLists {
  readonly #client: () => DomainMonitoringClient;
  readonly #readable = new Map<string, Promise<unknown>>();
  readonly #readings = new Map<string, Promise<unknown>>();
  readonly #next = new Map<string, Promise<Channels>>();
  /** The service's clock against this machine's, as of its last answer. */
  #clockOffsetMs: number | undefined;

  constructor(client: () => DomainMonitoringClient) {
    this.#client = client;
  }

  /** Notes the `Date` of an answer. */
  noteDate(date: string | undefined): void {
    const instant = date === undefined ? Number.NaN : Date.parse(date);
    if (!Number.isNaN(instant)) this.#clockOffsetMs = instant - Date.now();
  }

  /** Reads the first page of a domain's list, once in a process. @throws DomainMonitoringError if it cannot be read */
  async requireReadable(domainId: string, call?: Call): Promise<void> {
    let reading = this.#readable.get(domainId);
    if (reading === undefined) {
      reading = this.#client().notificationChannels.list(domainId, {}, call);
      this.#readable.set(domainId, reading);
      reading.catch(() => this.#readable.delete(domainId));
    }
    await reading;
  }

  /** Whether the domain's list lacks a channel. @throws DomainMonitoringError if the list cannot be read */
  async lacks(domainId: string, id: string, call?: Call): Promise<boolean> {
    return !(await this.#read(domainId, call)).has(id.toLowerCase());
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
    const offset = this.#clockOffsetMs;
    const earliest = offset === undefined ? Number.NEGATIVE_INFINITY : since + offset - 2 * PRECISION_MS;
    return channels.filter(
      ({ label, type, createdAt }) =>
        label === wanted.label &&
        type === wanted.type &&
        (toInstant(createdAt)?.getTime() ?? Number.POSITIVE_INFINITY) >= earliest,
    );
  }

  /** Reads a list. What asks while it is being read shares the next reading, as this one may be older than the question. */
  #read(domainId: string, call: Call | undefined): Promise<Channels> {
    const next = this.#next.get(domainId);
    if (next !== undefined) return next;
    const current = this.#readings.get(domainId) ?? Promise.resolve();
    const reading = current.then(async () => {
      this.#next.delete(domainId);
      const channels: Channels = new Map();
      const { notificationChannels } = this.#client();
      for await (const channel of notificationChannels.iterate(domainId, {}, call))
        channels.set(channel.id.toLowerCase(), channel);
      return channels;
    });
    this.#next.set(domainId, reading);
    this.#readings.set(domainId, reading.then(forget, forget));
    return reading;
  }
}

const forget = () => undefined;
