/** Lists: their pages, what is asked for, what a list that has been read to its end proves, and who shares it. */
import { count, oneLine } from "../common/text";
import { DomainMonitoringError, MAY_HAVE_CHANGED, type UnreadableRecord } from "./errors";

/**
 * Bounds of `perPage` for change lists; without it the service returns 15 (interface.md, section
 * 8).
 */
export const PER_PAGE = { minimum: 1, maximum: 100 } as const;

/**
 * One page of a list (interface.md, section 2.5). A list that a service sends without pages, as
 * `{"data": […]}`, is one page: its links are null, and its counts are the number of its records.
 */
export interface Page<T> {
  /** The records that can be read, in the order in which they were served. */
  data: T[];

  /**
   * The records that cannot be read, in the order in which they were served: they count in `total`,
   * and are not in `data`.
   */
  unreadable: UnreadableRecord[];

  /**
   * Addresses of other pages; null when there is no such page. The client requests pages by number
   * and follows none of them.
   */
  links: Record<"first" | "last" | "prev" | "next", string | null>;

  /** Position of this page in the list. */
  meta: {
    currentPage: number;

    /** Position of the first record; null on an empty page. */
    from: number | null;
    lastPage: number;
    perPage: number;

    /** Position of the last record; null on an empty page. */
    to: number | null;

    /** Number of records on all pages. */
    total: number;
  };
}

/** Page of a change list to read (interface.md, section 4.2). */
export interface PageRequest {
  /** Page number, from 1. @default the service's: the first page */
  page?: number;

  /** Records on a page, 1 to 100. @default the service's: 15 */
  perPage?: number;
}

/** Options for iterating over a whole change list. */
export interface IterateRequest {
  /** Records on a page, 1 to 100. @default 100 */
  perPage?: number;

  /** Maximum number of pages to read before failing. @default enough for 100,000 records */
  maxPages?: number;
}

/**
 * Page of the list of domains to read. The service chooses the number of domains on a page.
 * @experimental the service does not document it: see "Managed channels" at the package's homepage
 */
export type ListDomainsRequest = Pick<PageRequest, "page">;

/**
 * As {@link ListDomainsRequest}, of a domain's channels.
 * @experimental the service does not document it: see "Managed channels" at the package's homepage
 */
export type ListChannelsRequest = ListDomainsRequest;

/**
 * Options for iterating over all domains of an account.
 * @experimental the service does not document it: see "Managed channels" at the package's homepage
 */
export type IterateDomainsRequest = Pick<IterateRequest, "maxPages">;

/**
 * As {@link IterateDomainsRequest}, of a domain's channels.
 * @experimental the service does not document it: see "Managed channels" at the package's homepage
 */
export type IterateChannelsRequest = IterateDomainsRequest;

/** @throws DomainMonitoringError of kind `validation` */
export function wholeNumber(
  name: string,
  value: number,
  maximum = Number.MAX_SAFE_INTEGER,
): string {
  if (!Number.isInteger(value) || value < 1 || value > maximum) {
    const range = maximum === Number.MAX_SAFE_INTEGER ? "1 or more" : `from 1 to ${maximum}`;

    throw new DomainMonitoringError(
      "validation",
      `${name} is not a whole number ${range}: correct it`,
    );
  }

  return String(value);
}

/**
 * The query for a page of a list; empty without one. @throws DomainMonitoringError of kind
 * `validation`
 */
export function pageQuery({ page, perPage }: PageRequest): string {
  const query = new URLSearchParams();

  if (perPage !== undefined)
    query.set("per_page", wholeNumber("perPage", perPage, PER_PAGE.maximum));

  if (page !== undefined) query.set("page", wholeNumber("page", page));

  return query.size > 0 ? `?${query}` : "";
}

/**
 * The records of a list that can be read, and the error that names the others, if there are any.
 */
export interface Reading<T> {
  records: readonly T[];
  error?: DomainMonitoringError;
}

/**
 * @throws DomainMonitoringError if some of the list remains unknown, other than records that cannot
 * be read
 */
export async function readAll<T>(
  list: AsyncIterable<T>,
  onRecord: () => void = () => undefined,
): Promise<Reading<T>> {
  const records: T[] = [];
  try {
    for await (const record of list) {
      records.push(record);
      onRecord();
    }

    return { records };
  } catch (error) {
    if (DomainMonitoringError.isInstance(error) && error.unreadable) return { records, error };
    throw error;
  }
}

/**
 * Whether a list has a record with this id, readable or not.
 * @throws DomainMonitoringError if it may be a record without an id
 */
export function hasRecord({ records, error }: Reading<{ id: string }>, id: string): boolean {
  const ids = [...records, ...(error?.unreadable ?? [])].map((record) => record.id);
  const isListed = ids.includes(id);
  if (!isListed && ids.includes(null)) throw error;

  return isListed;
}

/** Names records that cannot be read. */
export function unreadableProblem(records: readonly UnreadableRecord[]): string {
  const named = records.map(
    ({ id, position, problem }) => `${id ?? `number ${position}`}, ${problem}`,
  );

  return `${count(records.length, "record")} cannot be read (${oneLine(named.join("; "))}): ${MAY_HAVE_CHANGED}`;
}

/**
 * Something of the service that is read once and shared, such as a list, until somebody needs a
 * newer reading. A reading that fails is not kept.
 */
export class SharedReading<T> {
  #last: { value?: T; promise: Promise<T> } | undefined;

  /** @param read asks the service */
  constructor(private readonly read: () => Promise<T>) {}

  /** Whether there is a reading, which may be under way. */
  get hasBegun(): boolean {
    return this.#last !== undefined;
  }

  /** The last reading, which the first call begins. */
  latest(): Promise<T> {
    return this.#last?.promise ?? this.#begin();
  }

  /**
   * A reading that was begun after another one had ended. Callers with the same one share the next.
   */
  newerThan(known: T | undefined): Promise<T> {
    const isNewer = this.#last !== undefined && this.#last.value !== known;
    return isNewer ? this.latest() : this.#begin();
  }

  /** A reading that begins after this call, once the current one has ended. */
  async anew(): Promise<T> {
    const known = await this.#last?.promise.catch(() => undefined);
    return this.newerThan(known);
  }

  /**
   * Waits until nothing is read, so that a list is not read again and again while its records are
   * created or deleted.
   */
  async settled(): Promise<void> {
    let last = this.#last;
    do {
      last = this.#last;
      await last?.promise.catch(() => undefined);
    } while (last !== this.#last);
  }

  #begin(): Promise<T> {
    const reading: { value?: T; promise: Promise<T> } = { promise: this.read() };
    this.#last = reading;
    reading.promise.then(
      (value) => {
        reading.value = value;
      },
      () => {
        if (this.#last === reading) this.#last = undefined;
      },
    );

    return reading.promise;
  }
}
