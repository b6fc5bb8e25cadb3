/**
 * The service's list of the channels of a domain, for decisions that no single answer allows:
 * whether the service has the managed lifecycle at all, whether a 404 means that a channel is gone,
 * and which channel a lost create left behind.
 */
import { hasRecord, type Reading, readAll } from "../../client/pages";
import type { NotificationChannelData } from "../../client/types";
import type { Connection } from "../connection";
import type { OperationContext } from "../lifecycle";
import { ageAt, isCreatedSince } from "../ownership";

type Channels = Reading<NotificationChannelData>;

/** A walk over the list, which may wait for the one before it. */
interface Walk {
  hasBegun: boolean;

  /** Whether a channel was created or taken over since. */
  isOutdated: boolean;
  channels: Promise<Channels>;
}

export class ChannelList {
  #firstPage: Promise<readonly NotificationChannelData[]> | undefined;
  #last: Walk | undefined;

  constructor(
    private readonly domainId: string,
    private readonly connection: Pick<Connection, "client" | "clockOffsetMs">,
  ) {}

  /**
   * The channels of the first page, read once in a process. @throws DomainMonitoringError if it
   * cannot be read
   */
  async firstPage(call?: OperationContext["call"]): Promise<readonly NotificationChannelData[]> {
    this.#firstPage ??= this.connection.client.notificationChannels
      .list(this.domainId, {}, call)
      .then(
        ({ data }) => data,
        (error) => {
          this.#firstPage = undefined;
          throw error;
        },
      );

    return this.#firstPage;
  }

  /**
   * Waits until the list is not being read, so that it is not read again and again while many
   * channels are created or deleted.
   */
  async settled(): Promise<void> {
    let last: Walk | undefined;
    do {
      last = this.#last;
      await last?.channels.catch(() => undefined);
    } while (last !== this.#last);
  }

  /**
   * Whether the list lacks a channel that is recorded. An earlier walk is enough if it lacks the
   * channel: what was recorded since is noted by `outdate`, and an id does not come back.
   * @throws DomainMonitoringError if the list cannot be read
   */
  async lacks(id: string, call?: OperationContext["call"]): Promise<boolean> {
    const last = this.#last;
    const known = await last?.channels.catch(() => undefined);
    if (known !== undefined && !last?.isOutdated && !hasRecord(known, id)) return true;

    return !hasRecord(await this.#read(call), id);
  }

  /**
   * Channels with this label and type that were created since, by the service's clock; without its
   * clock those of any time.
   * @param since in milliseconds of this machine's clock
   */
  async createdSince(
    since: number,
    wanted: { label: string; type: string },
    call?: OperationContext["call"],
  ): Promise<NotificationChannelData[]> {
    const { records, error } = await this.#read(call);
    const found = records.filter(({ label, type, createdAt }) => {
      const isAlike = label === wanted.label && type === wanted.type;
      const age = ageAt(since, createdAt, this.connection);

      return isAlike && (age === undefined || isCreatedSince(age));
    });

    // It may be one that cannot be read.
    if (error && found.length === 0) throw error;

    return found;
  }

  /** Notes that a channel was created or taken over since the list was read. */
  outdate(): void {
    if (this.#last) this.#last.isOutdated = true;
  }

  /**
   * Reads the list. Callers that ask during a walk share the next one, as that walk may be older
   * than their question.
   */
  #read(call: OperationContext["call"]): Promise<Channels> {
    const before = this.#last;
    if (before?.hasBegun === false) return before.channels;

    const walk = { hasBegun: false, isOutdated: false };
    const begin = async () => {
      await before?.channels.catch(() => undefined);
      walk.hasBegun = true;
      walk.isOutdated = false;
      const { notificationChannels } = this.connection.client;

      return readAll(notificationChannels.iterate(this.domainId, {}, call));
    };

    this.#last = Object.assign(walk, { channels: begin() });

    return this.#last.channels;
  }
}
