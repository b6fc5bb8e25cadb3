/** Pages of a list, requested before they are needed. */
import type { DomainMonitoringError } from "../errors";
import type { Page } from "../types";

/** Parameters of the requests of pages. */
export interface PageSource<T> {
  /** Reads one page; rejects when the signal fires. */
  list: (page: number, signal: AbortSignal) => Promise<Page<T>>;
  /** Maximum number of pages. @default as many as hold {@link MAX_RECORDS} */
  maxPages?: number;
  /** Number of pages to read in parallel. */
  concurrency: number;
  /** Ends the requests. */
  signal?: AbortSignal;
  /** Creates the error for a list that cannot be read completely. */
  unreadable: (problem: string) => DomainMonitoringError;
}

/** Records that are read of a list at most: a service that reports more is taken to be broken. */
const MAX_RECORDS = 100_000;

interface Requested<T> {
  page: Promise<Page<T>>;
  /** Number of pages that had been taken at that time. */
  taken: number;
}

export class PagesAhead<T> {
  readonly #source: PageSource<T>;
  readonly #requested = new Map<number, Requested<T>>();
  readonly #stop = new AbortController();
  readonly #onAbort = () => this.#stop.abort();
  #taken = 0;
  #maxPages: number | undefined;

  constructor(source: PageSource<T>) {
    this.#source = source;
    this.#maxPages = source.maxPages;
    if (source.signal?.aborted) this.#stop.abort();
    else source.signal?.addEventListener("abort", this.#onAbort);
  }

  /** The page with that number; `fresh` if no other page was taken since it was requested. */
  async take(number: number): Promise<{ page: Page<T>; fresh: boolean }> {
    if (this.#maxPages !== undefined && number > this.#maxPages) {
      throw this.#source.unreadable(
        `the list has more than ${this.#maxPages} pages: read it with the client's iterate and a larger maxPages`,
      );
    }
    // After an abort, pages read ahead are ignored: the new request rejects.
    const ahead = this.#stop.signal.aborted ? undefined : this.#requested.get(number);
    const { page: pending, taken } = ahead ?? this.#request(number);
    this.#requested.delete(number);
    const page = await pending;
    this.#maxPages ??= Math.ceil(MAX_RECORDS / Math.max(1, page.meta.perPage));
    if (page.meta.currentPage !== number) {
      throw this.#source.unreadable(
        `requested page ${number} but received page ${page.meta.currentPage}: report it to the service`,
      );
    }
    return { page, fresh: taken === this.#taken++ };
  }

  /** Requests the pages from that number on, up to the concurrency and to `lastPage`. */
  prepare(from: number, lastPage: number): void {
    const to = Math.min(from + this.#source.concurrency - 1, lastPage, this.#maxPages ?? lastPage);
    for (let number = from; number <= to; number++) {
      if (this.#requested.has(number)) continue;
      const requested = this.#request(number);
      // A failure is thrown when the page is needed; until then it must not count as unhandled.
      requested.page.catch(() => undefined);
      this.#requested.set(number, requested);
    }
  }

  #request(number: number): Requested<T> {
    return { page: this.#source.list(number, this.#stop.signal), taken: this.#taken };
  }

  /** Drops what was requested: it may be outdated. */
  drop(): void {
    this.#requested.clear();
  }

  /** Ends every request in progress. */
  stop(): void {
    this.#source.signal?.removeEventListener("abort", this.#onAbort);
    this.#stop.abort();
    this.drop();
  }
}
