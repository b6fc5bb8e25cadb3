/**
 * Iterates over a change list, reading pages ahead, although the list may change meanwhile.
 *
 * The interface does not specify an order, so records may appear, disappear and move anywhere between two requests. Each
 * record is yielded when its id is first seen. To prove that none was missed: each page states `total`, the number of
 * records at that time. If that many ids were seen both before that page was read and at or after it, they all existed at
 * that time, and there was no other. A list of one page needs no proof. A longer one is read again except for its last
 * page, and once more after each change.
 */
import type { DomainMonitoringError } from "../errors";
import type { Page } from "../types";

/** Parameters of an iteration. */
export interface PageWalk<T> {
  /** Reads one page; rejects when the signal fires. */
  list: (page: number, signal: AbortSignal) => Promise<Page<T>>;
  /** Maximum number of pages. */
  maxPages: number;
  /** Number of pages to read in parallel. */
  concurrency: number;
  /** Ends the iteration. */
  signal?: AbortSignal;
  /** Creates the error for a list that cannot be read completely. */
  unreadable: (problem: string) => DomainMonitoringError;
}

/** How often a list is read from the start before giving up. */
const MAXIMUM_ROUNDS = 10;

/** How many rounds in a row may bring nothing new if the service reports more records than it returns. */
const MAXIMUM_FRUITLESS_ROUNDS = 2;

export async function* iteratePages<T extends { id: string }>(
  walk: PageWalk<T>,
): AsyncGenerator<T, void, undefined> {
  const pages = new PagesAhead(walk);
  const seen = new SeenRecords();
  try {
    for (let round = 1; round <= MAXIMUM_ROUNDS; round++) {
      for await (const { data, meta } of pages.readAll()) {
        for (const record of data) if (seen.isNew(record.id)) yield record;
        if (seen.complete) return;
        seen.lastReading = { total: meta.total, ids: data.map(({ id }) => id) };
      }
      seen.endRound();
      if (seen.complete) return;
      if (seen.fruitlessRounds === MAXIMUM_FRUITLESS_ROUNDS) {
        const { counted, known } = seen;
        throw walk.unreadable(`the list reports ${counted} records but returns ${known}: read it again`);
      }
    }
    throw walk.unreadable("the list keeps changing while it is read: read it again");
  } finally {
    pages.stop();
  }
}

/** Tracks which records have been seen, and whether that is proven to be all of them. */
class SeenRecords {
  lastReading = { total: 0, ids: [] as string[] };
  fruitlessRounds = 0;
  /** The round in which each id was first seen. */
  readonly #firstSeen = new Map<string, number>();
  #round = 1;
  #knownBefore = 0;
  /** How many records the service counted at that time. */
  counted = Number.POSITIVE_INFINITY;
  /** Ids that existed when the last page of the previous round was read, the time for which completeness is proven. */
  #present = new Set<string>();

  /** Records an id; true if it has not been seen before. */
  isNew(id: string): boolean {
    const firstSeen = this.#firstSeen.get(id);
    if (firstSeen === undefined) this.#firstSeen.set(id, this.#round);
    else if (firstSeen < this.#round) this.#present.add(id);
    return firstSeen === undefined;
  }

  /** Whether every record that the service counted at that time has been seen. */
  get complete(): boolean {
    return this.#present.size >= this.counted;
  }

  /** How many records have been seen. */
  get known(): number {
    return this.#firstSeen.size;
  }

  /** From now on, completeness is proven for the time of the last page read. */
  endRound(): void {
    const { total, ids } = this.lastReading;
    const fruitless = this.counted === total && this.#knownBefore === this.known;
    this.fruitlessRounds = fruitless ? this.fruitlessRounds + 1 : 0;
    this.counted = total;
    this.#present = new Set(ids);
    this.#knownBefore = this.known;
    this.#round++;
  }
}

/** Pages requested before they are needed. */
class PagesAhead<T> {
  readonly #walk: PageWalk<T>;
  readonly #requested = new Map<number, Promise<Page<T>>>();
  readonly #stop = new AbortController();
  readonly #onAbort = () => this.#stop.abort();
  /** Of the previous round. */
  #lastPage = 1;

  constructor(walk: PageWalk<T>) {
    this.#walk = walk;
    if (walk.signal?.aborted) this.#stop.abort();
    else walk.signal?.addEventListener("abort", this.#onAbort);
  }

  /**
   * Every page, in order. The last one is requested after all others have been answered, so that every record on them was
   * seen before it.
   */
  async *readAll(): AsyncGenerator<Page<T>, void, undefined> {
    // Pages requested in the previous round may be outdated.
    this.#requested.clear();
    this.#prepare(1, this.#lastPage - 1);
    for (let number = 1; ; number++) {
      const { page, fresh } = await this.#take(number);
      const { lastPage } = page.meta;
      this.#prepare(number + 1, lastPage - 1);
      yield page;
      if (number < lastPage) continue;
      this.#lastPage = lastPage;
      if (fresh) return;
      // The list has become shorter: this page became the last one and was requested too early for that.
      number--;
    }
  }

  /** The page with that number; `fresh` if it was not requested ahead. */
  async #take(number: number): Promise<{ page: Page<T>; fresh: boolean }> {
    if (number > this.#walk.maxPages) {
      throw this.#walk.unreadable(
        `the list has more than ${this.#walk.maxPages} pages: read it with the client's iterate and a larger maxPages`,
      );
    }
    // After an abort, pages read ahead are ignored: the new request rejects.
    const ahead = this.#stop.signal.aborted ? undefined : this.#requested.get(number);
    const pending = ahead ?? this.#walk.list(number, this.#stop.signal);
    this.#requested.delete(number);
    const page = await pending;
    if (page.meta.currentPage !== number) {
      throw this.#walk.unreadable(
        `requested page ${number} but received page ${page.meta.currentPage}: report it to the service`,
      );
    }
    return { page, fresh: ahead === undefined };
  }

  /** Requests the pages from that number on, up to the concurrency and to `lastPage`. */
  #prepare(from: number, lastPage: number): void {
    const to = Math.min(from + this.#walk.concurrency - 1, lastPage, this.#walk.maxPages);
    for (let number = from; number <= to; number++) {
      if (this.#requested.has(number)) continue;
      const page = this.#walk.list(number, this.#stop.signal);
      // A failure is thrown when the page is needed; until then it must not count as unhandled.
      page.catch(() => undefined);
      this.#requested.set(number, page);
    }
  }

  /** Ends every request in progress. */
  stop(): void {
    this.#walk.signal?.removeEventListener("abort", this.#onAbort);
    this.#stop.abort();
    this.#requested.clear();
  }
}
