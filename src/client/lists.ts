/**
 * Walks over a list of the service, page by page, although it may change meanwhile.
 *
 * Each page states `total`, the number of records at that time. Where it grows, all records move on
 * or stay where they are, so pages that are read one after the other overlap, and miss none. Where
 * it shrinks, or records change places, some may be missed: then there are fewer than the first
 * page stated, and the list is read again.
 */
import { DomainMonitoringError, type OperationName, type UnreadableRecord } from "./errors";
import type { Http } from "./internal/http";
import { type Page, unreadableProblem, wholeNumber } from "./pages";
import type { CallOptions } from "./requests";

/** The pages of a list, and how to ask for them. */
export interface PageSource<T> {
  /** Reads one page; rejects when the signal fires. */
  list: (page: number, signal: AbortSignal) => Promise<Page<T>>;

  /** Maximum number of pages. @default as many as hold {@link MAX_RECORDS} */
  maxPages?: number;
  concurrency: number;

  /** Whether a further request would wait for others. @default never */
  isBusy?: () => boolean;
  signal?: AbortSignal;

  /** Creates the error for a list that cannot be read completely. */
  errorOf: (problem: string, unreadable?: UnreadableRecord[]) => DomainMonitoringError;
}

/** A record of a list that can be read. */
interface Listed {
  id: string;
  position?: undefined;
}

/** Records that are read of a list at most: a service that reports more is taken to be broken. */
const MAX_RECORDS = 100_000;

const MAX_READINGS = 5;

const CHANGING = "the list keeps changing while it is read: read it again";

/** Yields every readable record once, then throws an error that names the unreadable ones. */
export async function* iteratePages<T extends Listed>(
  source: PageSource<T>,
): AsyncGenerator<T, void> {
  const pages = new Pages(source);
  const seen = new Set<unknown>();
  const unreadable: UnreadableRecord[] = [];

  try {
    for (let reading = 1; reading <= MAX_READINGS && !pages.areComplete; reading++) {
      for await (const record of readOnce(pages, seen)) {
        if (record.position === undefined) yield record;
        else unreadable.push(record);
      }
    }
  } finally {
    pages.stop();
  }

  if (!pages.areComplete) {
    const [total] = pages.totals;
    throw source.errorOf(
      pages.totals.size > 1
        ? CHANGING
        : `the list reports ${total} records but returns ${seen.size}: read it again`,
    );
  }

  if (unreadable.length > 0) throw source.errorOf(unreadableProblem(unreadable), unreadable);
}

/** All records of a page in the order served. @param before number of records on earlier pages */
function recordsOf<T>({ data, unreadable }: Page<T>, before: number): (T | UnreadableRecord)[] {
  if (unreadable.length === 0) return data;

  const byPosition = new Map(unreadable.map((record) => [record.position, record]));
  const readable = data.values();
  const positions = Array.from(
    { length: data.length + unreadable.length },
    (_, index) => before + index + 1,
  );

  return positions.map((position) => byPosition.get(position) ?? (readable.next().value as T));
}

/** A record without an id is known by its position. */
function keyOf({ id, position }: Listed | UnreadableRecord): unknown {
  return id ?? position;
}

/**
 * Reads a list from its first page, and notes whether all its records are known. @param seen ids of
 * all readings
 */
async function* readOnce<T extends Listed>(
  pages: Pages<T>,
  seen: Set<unknown>,
): AsyncGenerator<T | UnreadableRecord, void> {
  const ids = new Set<unknown>();
  let page = await pages.first();
  const first = page.meta;
  let hasSkipped = false;

  for (let number = 1; ; number++) {
    const { total, lastPage, perPage } = page.meta;

    pages.prepare(number + 1, lastPage);
    const before = (number - 1) * perPage;

    for (const [index, record] of recordsOf(page, before).entries()) {
      const id = keyOf(record);
      if (ids.has(id)) continue;

      // Added before the records of the first page since that was read, so not part of this
      // reading.
      const addedSince = total - first.total;

      if (before + index < addedSince) {
        hasSkipped = true;
        continue;
      }

      const isNew = !seen.has(id);

      ids.add(id);
      seen.add(id);
      if (isNew) yield record;
    }

    if (number >= lastPage) break;

    page = await pages.next(number + 1, total);
    if (page.meta.total < total) return;
  }

  const hasEachOfFirst = ids.size === first.total;
  // Others were added in the middle: a record that was skipped may then be an old one.
  const hasMore = ids.size > first.total && !hasSkipped;
  const hasEachInAllReadings = pages.totals.size === 1 && seen.size >= first.total;

  pages.areComplete = hasEachOfFirst || hasMore || hasEachInAllReadings;
}

/** Pages of a list, some of them requested before they are needed. */
class Pages<T extends Listed> {
  /** Those of every page so far. */
  readonly totals = new Set<number>();

  /** Whether all records have been read. */
  areComplete = false;
  readonly #source: PageSource<T>;
  readonly #requested = new Map<number, Promise<Page<T>>>();
  readonly #stop = new AbortController();
  readonly #onAbort = () => this.#stop.abort();
  #maxPages: number | undefined;

  /** The last page that a reading comes to. */
  #limit = 1;

  /** Number of records that came, in all readings. */
  #records = 0;

  /** Number of pages to request at most, the next one included. */
  #window = 1;

  /** Whether the next page was requested before the one before it was known. */
  #isEarly = false;

  constructor(source: PageSource<T>) {
    this.#source = source;
    this.#maxPages = source.maxPages;
    if (source.signal?.aborted) this.#stop.abort();
    else source.signal?.addEventListener("abort", this.#onAbort);
  }

  /** The first page, read again if it was read before. */
  async first(): Promise<Page<T>> {
    this.#requested.clear();
    this.#window = this.#source.concurrency;
    const page = await this.#take(1);

    this.#limit = 3 * page.meta.lastPage + 50;

    return page;
  }

  /** Requests pages from that number on. */
  prepare(number: number, lastPage: number): void {
    this.#isEarly = this.#requested.has(number);
    const end = Math.min(number + this.#window - 1, lastPage, this.#maxPages ?? lastPage);
    for (let other = number; other <= end; other++) {
      if (this.#requested.has(other)) continue;
      if (other > number && this.#source.isBusy?.()) break;

      const page = this.#source.list(other, this.#stop.signal);

      // A failure is thrown when the page is needed; until then it must not count as unhandled.
      page.catch(() => undefined);
      this.#requested.set(other, page);
    }
  }

  /**
   * The page that follows one with that total. A lower total is asked for once more if it may be an
   * earlier one.
   */
  async next(number: number, total: number): Promise<Page<T>> {
    // Records come faster than they are read: another reading would not end either.
    if (number > this.#limit) throw this.#source.errorOf(CHANGING);

    let page = await this.#take(number);

    if (page.meta.total < total && this.#isEarly) page = await this.#take(number);
    const grew = page.meta.total > total;

    // Pages that were requested ahead may have been served before the list grew.
    if (grew) this.#requested.clear();
    this.#window = grew ? 1 : Math.min(2 * this.#window, this.#source.concurrency);

    return page;
  }

  async #take(number: number): Promise<Page<T>> {
    if (this.#maxPages !== undefined && number > this.#maxPages) {
      throw this.#source.errorOf(
        `the list has more than ${this.#maxPages} pages: read it with the client's iterate and a larger maxPages`,
      );
    }

    const { signal } = this.#stop;
    // After an abort, pages read ahead are ignored: the new request rejects.
    const early = signal.aborted ? undefined : this.#requested.get(number);

    this.#requested.delete(number);
    const page = await (early ?? this.#source.list(number, signal));

    this.#maxPages ??= Math.ceil(MAX_RECORDS / Math.max(1, page.meta.perPage));
    // The service may send more records than it says that a page has.
    this.#records += page.data.length + page.unreadable.length;
    if (this.#source.maxPages === undefined && this.#records > MAX_RECORDS * MAX_READINGS)
      throw this.#source.errorOf(
        `the list has more than ${MAX_RECORDS} records: read it with the client's iterate and maxPages`,
      );

    if (page.meta.currentPage !== number) {
      throw this.#source.errorOf(
        `requested page ${number} but received page ${page.meta.currentPage}: report it to the service`,
      );
    }

    this.totals.add(page.meta.total);

    return page;
  }

  stop(): void {
    this.#source.signal?.removeEventListener("abort", this.#onAbort);
    this.#stop.abort();
  }
}

/** A list of the service. */
interface List<T> {
  operation: OperationName;

  /** The domain whose list it is. @default none: the account's */
  domainId?: string;
  maxPages: number | undefined;
  list: (page: number, call: CallOptions) => Promise<Page<T>>;
}

/**
 * Every record of a list of the service. @throws DomainMonitoringError of kind `validation` for an
 * invalid `maxPages`
 */
export function iterateList<T extends { id: string }>(
  { settings, limiter }: Http,
  { operation, domainId, maxPages, list }: List<T>,
  call: CallOptions = {},
): AsyncIterable<T> {
  if (maxPages !== undefined) wholeNumber("maxPages", maxPages);
  const name = domainId === undefined ? operation : `${operation} of domain ${domainId}`;

  return iteratePages({
    list: (page, signal) => list(page, { ...call, signal }),
    maxPages,
    concurrency: settings.concurrency,
    isBusy: () => limiter.isBusy,
    signal: call.signal,
    errorOf: (problem, unreadable) =>
      new DomainMonitoringError("response", `${name}: ${problem}`, { operation, unreadable }),
  });
}
