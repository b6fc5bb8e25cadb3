/**
 * Walks over a list of the service, page by page, although it may change meanwhile.
 *
 * Each page states `total`, the number of records at that time. Where it grows, all records move on or stay where they are, so
 * pages that are read one after the other overlap, and miss none. Where it shrinks, or records change places, some may be
 * missed: then there are fewer than the first page stated, and the list is read again.
 */
import { DomainMonitoringError, type OperationName } from "./errors";
import type { Http } from "./internal/http";
import { wholeNumber } from "./internal/operation";
import type { Page, UnreadableRecord } from "./pages";
import { unreadableProblem } from "./readings";
import type { CallOptions } from "./types";

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

const CHANGING = "the list keeps changing while it is read: read it again";

/** Every readable record of a list, once. Then the others are an error. */
export async function* iteratePages<T extends { id: string }>(
  source: PageSource<T>,
): AsyncGenerator<T, void> {
  const pages = new Pages(source);
  const seen = new Set<Key>();
  let isComplete = false;
  try {
    for (let reading = 1; reading <= MAX_READINGS && !isComplete; reading++)
      isComplete = yield* readOnce(pages, seen, reading === 1 ? seen : new Set());
  } finally {
    pages.stop();
  }
  if (!isComplete)
    throw source.errorOf(
      pages.totals.size > 1
        ? CHANGING
        : `the list reports ${[...pages.totals]} records but returns ${seen.size}: read it again`,
    );
  const unreadable = [...pages.unreadable.values()];
  if (unreadable.length > 0) throw source.errorOf(unreadableProblem(unreadable), unreadable);
}

/** By which a record is known: its id, or its position if it has none. */
type Key = string | number;

type Row<T> = { key: Key; record: T; unreadable?: undefined } | { key: Key; unreadable: UnreadableRecord };

/** All records of a page, in the order in which they were served. */
function rowsOf<T extends { id: string }>({ data, unreadable, meta }: Page<T>): Row<T>[] {
  const rows: Row<T>[] = data.map((record) => ({ key: record.id, record }));
  const before = (meta.currentPage - 1) * meta.perPage;
  for (const row of unreadable)
    rows.splice(row.position - before - 1, 0, { key: row.id ?? row.position, unreadable: row });
  return rows;
}

/** Reads a list from its first page, and returns whether all its records are known. @param keys those of this reading */
async function* readOnce<T extends { id: string }>(
  pages: Pages<T>,
  seen: Set<Key>,
  keys: Set<Key>,
): AsyncGenerator<T, boolean> {
  let page = await pages.first();
  const first = page.meta;
  let skipped = false;
  for (let number = 1; ; number++) {
    const { total, lastPage, perPage } = page.meta;
    pages.prepare(number + 1, lastPage);
    for (const [index, row] of rowsOf(page).entries()) {
      const { key } = row;
      if (keys.has(key)) continue;
      // Before the beginning of the first page: it has come since.
      if ((number - 1) * perPage + index < total - first.total) {
        skipped = true;
        continue;
      }
      const isNew = !seen.has(key);
      keys.add(key);
      seen.add(key);
      if (row.unreadable) {
        if (isNew) pages.unreadable.set(key, row.unreadable);
      } else if (isNew || pages.unreadable.has(key)) {
        pages.unreadable.delete(key);
        yield row.record;
      }
    }
    if (number >= lastPage) break;

    page = await pages.next(number + 1, total);
    if (page.meta.total < total) return false;
  }
  // More than that are new ones that did not come first: what was skipped may then have been there before.
  if (keys.size === first.total || (keys.size > first.total && !skipped)) return true;
  return pages.totals.size === 1 && seen.size >= first.total;
}

/** Pages of a list, some of them requested before they are needed. */
class Pages<T> {
  /** Of every page so far. */
  readonly totals = new Set<number>();
  /** Records that could not be read in any reading so far. */
  readonly unreadable = new Map<Key, UnreadableRecord>();
  readonly #source: PageSource<T>;
  readonly #requested = new Map<number, Promise<Page<T>>>();
  readonly #stop = new AbortController();
  readonly #onAbort = () => this.#stop.abort();
  #maxPages: number | undefined;
  /** The last page that a reading comes to. */
  #limit = 1;
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

  /** The page that follows one with that total. A lower total is asked for once more if it may be an earlier one. */
  async next(number: number, total: number): Promise<Page<T>> {
    // Records come faster than they are read: another reading would not end either.
    if (number > this.#limit) throw this.#source.errorOf(CHANGING);
    let page = await this.#take(number);
    if (page.meta.total < total && this.#isEarly) page = await this.#take(number);
    const grew = page.meta.total > total;
    // What was requested ahead may have been served before the list grew.
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

/** Every record of a list of the service. @throws DomainMonitoringError of kind `validation` for an invalid `maxPages` */
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
