/**
 * Walks a change list page by page, ahead of its reader, although the list may change while it is read.
 *
 * The interface does not say how lists are ordered, so records may appear, go and change places anywhere: pages read one
 * after the other need not fit together. Each record is given out when it is first seen, by its id. Then the walk proves
 * that it has seen all: at the time of some reading the service counted `total` records; where that many ids are known
 * from before that reading, and are seen again at or after it, they were all there at that time, and there was no other.
 * A list of one page proves itself. A longer one is read again but for its last page, and once more after a change.
 */
import type { DomainMonitoringError } from "../errors";
import type { Page } from "../types";

/** What a walk needs. */
export interface PageWalk<T> {
  /** Reads one page; rejects when the signal fires. */
  list: (page: number, signal: AbortSignal) => Promise<Page<T>>;
  /** The most pages to go through. */
  maxPages: number;
  /** How many pages to read at once. */
  concurrency: number;
  /** Ends the walk. */
  signal?: AbortSignal;
  /** The error for a list that cannot be walked. */
  unreadable: (problem: string) => DomainMonitoringError;
}

/** How often a list is read from its first page on before it is given up. */
const MAXIMUM_ROUNDS = 10;

/** How often in a row a round may bring nothing new, where the service counts more records than it gives. */
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

/** Which records have been seen, and whether they are all that there were at the time of the last reading of a round. */
class SeenRecords {
  lastReading = { total: 0, ids: [] as string[] };
  fruitlessRounds = 0;
  /** The round in which each id was first seen. */
  readonly #firstSeen = new Map<string, number>();
  #round = 1;
  #knownBefore = 0;
  #counted: number | undefined;
  /** Ids that were there at the reading that is to be proven complete: the last of the round before. */
  #present = new Set<string>();

  /** Notes an id; true where it has not been seen before. */
  isNew(id: string): boolean {
    const firstSeen = this.#firstSeen.get(id);
    if (firstSeen === undefined) this.#firstSeen.set(id, this.#round);
    else if (firstSeen < this.#round) this.#present.add(id);
    return firstSeen === undefined;
  }

  /** Whether every record that the service counted at that reading is known. */
  get complete(): boolean {
    return this.#counted !== undefined && this.#present.size >= this.#counted;
  }

  /** How many records the service counted at that reading. */
  get counted(): number {
    return this.#counted ?? 0;
  }

  /** How many have been seen. */
  get known(): number {
    return this.#firstSeen.size;
  }

  /** From now on, the last reading is the one to be proven. */
  endRound(): void {
    const { total, ids } = this.lastReading;
    const fruitless = this.#counted === total && this.#knownBefore === this.known;
    this.fruitlessRounds = fruitless ? this.fruitlessRounds + 1 : 0;
    this.#counted = total;
    this.#present = new Set(ids);
    this.#knownBefore = this.known;
    this.#round++;
  }
}

/** Pages that have been asked for before they are wanted. */
class PagesAhead<T> {
  readonly #walk: PageWalk<T>;
  readonly #requested = new Map<number, Promise<Page<T>>>();
  readonly #stop = new AbortController();
  readonly #onAbort = () => this.#stop.abort();
  /** Of the round before. */
  #lastPage = 1;

  constructor(walk: PageWalk<T>) {
    this.#walk = walk;
    if (walk.signal?.aborted) this.#stop.abort();
    else walk.signal?.addEventListener("abort", this.#onAbort, { once: true });
  }

  /**
   * Every page, in order. The last one is asked for after all others have been answered: at its reading, all that was seen
   * on them had been there before.
   */
  async *readAll(): AsyncGenerator<Page<T>, void, undefined> {
    // What was asked for in the round before may show the list as it was then.
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
      // The list has become shorter: what was not to be the last page was asked for too early for that.
      number--;
    }
  }

  /** The page of that number; `fresh` where it was asked for only now. */
  async #take(number: number): Promise<{ page: Page<T>; fresh: boolean }> {
    if (number > this.#walk.maxPages) {
      throw this.#walk.unreadable(
        `the list has more than ${this.#walk.maxPages} pages: read it with the client's iterate and a larger maxPages`,
      );
    }
    // After an abort, what has been read ahead is not given out either: asking says so.
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

  /** Asks for the pages from that number on, as many as may be read at once, but for none behind the last one given. */
  #prepare(from: number, lastPage: number): void {
    const to = Math.min(from + this.#walk.concurrency - 1, lastPage, this.#walk.maxPages);
    for (let number = from; number <= to; number++) {
      if (this.#requested.has(number)) continue;
      const page = this.#walk.list(number, this.#stop.signal);
      // Its failure is told when its turn comes; until then it is not unhandled.
      page.catch(() => undefined);
      this.#requested.set(number, page);
    }
  }

  /** Ends every request under way. */
  stop(): void {
    this.#walk.signal?.removeEventListener("abort", this.#onAbort);
    this.#stop.abort();
    this.#requested.clear();
  }
}
