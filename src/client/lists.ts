/**
 * Reads a list of the service, page by page, although it may change meanwhile.
 *
 * Each page states `total`, the number of records at that time. New records come first, so where
 * the total grows, all others move on, and pages that are read in order overlap and miss none.
 * Where it shrinks, records were removed, and some may be missed: the list is read again. Changes
 * that keep the total go unnoticed: records that change places, or one that is removed while
 * another comes.
 */
import { DomainMonitoringError, type OperationName, type UnreadableRecord } from "./errors";
import type { Http } from "./internal/http";
import type { CallOptions } from "./options";
import { type Page, unreadableProblem, wholeNumber } from "./pages";

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

/** Records that are read of a list at most: a service that reports more is taken to be broken. */
const MAX_RECORDS = 100_000;

const MAX_READINGS = 5;

/** Yields every readable record once, then throws an error that names the unreadable ones. */
export async function* iteratePages<T extends { id: string }>(
  source: PageSource<T>,
): AsyncGenerator<T, void> {
  const pages = new Pages(source);
  const records = new Records<T>();

  try {
    for (let reading = 1; reading <= MAX_READINGS; reading++) {
      const isComplete = yield* readOnce(pages, records);
      if (!isComplete) continue;

      const { unreadable } = records;
      if (unreadable.length === 0) return;

      throw source.errorOf(unreadableProblem(unreadable), unreadable);
    }
  } finally {
    pages.stop();
  }

  throw source.errorOf("the list keeps changing while it is read: read it again");
}

/**
 * Reads a list from its first page, and returns whether it was read to its end: not if it shrinks.
 */
async function* readOnce<T extends { id: string }>(
  pages: Pages<T>,
  records: Records<T>,
): AsyncGenerator<T, boolean> {
  let page = await pages.first();

  for (;;) {
    const { currentPage, lastPage, total } = page.meta;
    const isLast = currentPage >= lastPage;
    if (!isLast) pages.readAhead(currentPage + 1, lastPage);

    yield* records.unseen(page);
    if (isLast) return true;

    page = await pages.after(page);
    if (page.meta.total < total) return false;
  }
}

/** The records of all readings. */
class Records<T extends { id: string }> {
  readonly unreadable: UnreadableRecord[] = [];
  readonly #seen = new Set<unknown>();

  /** The readable records of a page that were on none before. */
  *unseen({ data, unreadable, meta }: Page<T>): Generator<T> {
    // A record without an id is identified by its distance from the end, which does not change.
    for (const record of unreadable)
      if (this.#isNew(record.id ?? record.position - meta.total)) this.unreadable.push(record);

    for (const record of data) if (this.#isNew(record.id)) yield record;
  }

  #isNew(key: unknown): boolean {
    const { size } = this.#seen;
    return this.#seen.add(key).size > size;
  }
}

/** Pages of a list, some of them requested before they are needed. */
class Pages<T extends { id: string }> {
  readonly #requested = new Map<number, Promise<Page<T>>>();
  readonly #stop = new AbortController();
  readonly #onAbort = () => this.#stop.abort();
  #maxPages: number | undefined;

  /** Number of pages to request at most, the next one included. */
  #window = 1;

  constructor(private readonly source: PageSource<T>) {
    this.#maxPages = source.maxPages;
    if (source.signal?.aborted) this.#stop.abort();
    source.signal?.addEventListener("abort", this.#onAbort, { once: true });
  }

  /** The first page, read anew. */
  first(): Promise<Page<T>> {
    this.#requested.clear();
    this.#window = this.source.concurrency;

    return this.#take(1);
  }

  /** Requests pages from that number on. */
  readAhead(number: number, lastPage: number): void {
    const end = Math.min(number + this.#window - 1, lastPage, this.#maxPages ?? lastPage);
    for (let other = number; other <= end; other++) {
      if (this.#requested.has(other)) continue;
      if (other > number && this.source.isBusy?.()) break;

      const page = this.source.list(other, this.#stop.signal);

      // A failure is thrown when the page is needed; until then it must not count as unhandled.
      page.catch(() => undefined);
      this.#requested.set(other, page);
    }
  }

  /**
   * The page after another one. If it states another total, those requested ahead may be older, and
   * so may a page with a lower total: it is asked for once more.
   */
  async after({ meta, data }: Page<T>): Promise<Page<T>> {
    const number = meta.currentPage + 1;
    const page = await this.#take(number);
    if (page.meta.total === meta.total) {
      const [first] = page.data;
      if (first !== undefined && first.id === data[0]?.id)
        throw this.source.errorOf(
          `page ${number} has the records of the one before it: report it to the service`,
        );

      this.#window = Math.min(2 * this.#window, this.source.concurrency);

      return page;
    }

    this.#window = 1;
    this.#requested.clear();

    return page.meta.total < meta.total ? this.#take(number) : page;
  }

  async #take(number: number): Promise<Page<T>> {
    if (this.#maxPages !== undefined && number > this.#maxPages) {
      throw this.source.errorOf(
        `the list has more than ${this.#maxPages} pages: read it with the client's iterate and a larger maxPages`,
      );
    }

    const { signal } = this.#stop;
    // After an abort, pages read ahead are ignored: the new request rejects.
    const early = signal.aborted ? undefined : this.#requested.get(number);

    this.#requested.delete(number);
    const page = await (early ?? this.source.list(number, signal));

    // The service may send more records than it says that a page has.
    const records = Math.max(1, page.meta.perPage, page.data.length);
    this.#maxPages ??= Math.ceil(MAX_RECORDS / records);

    if (page.meta.currentPage !== number) {
      throw this.source.errorOf(
        `requested page ${number} but received page ${page.meta.currentPage}: report it to the service`,
      );
    }

    return page;
  }

  stop(): void {
    this.source.signal?.removeEventListener("abort", this.#onAbort);
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
