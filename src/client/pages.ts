/**
 * Walks a change list page by page, ahead of its reader, although the list may grow while it is read.
 *
 * The interface does not say how lists are ordered, so a new record may appear anywhere and push the others on. Two pages
 * with the same `total` fit together. Where the total has moved, the walk looks for the last record it gave out (the
 * anchor) in a fresh page and goes on behind it: all records before the anchor have been given out or are new, all behind
 * it have not been given out. That needs the memory of one id, however long the list is.
 *
 * What is said here of moving holds for lists that only grow. Records that go are noticed by the total where it shrinks.
 */
import type { DomainMonitoringError } from "./errors";
import type { Page } from "./types";

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

/** The last record given out, and where it was. */
interface Anchor {
  id: string;
  page: number;
  /** Position on the page. */
  index: number;
}

/** Searches for the anchor in a row that yield no record: a total that never settles would keep the walk going for ever. */
const FRUITLESS_SEARCHES = 10;

export async function* iteratePages<T extends { id: string }>(
  walk: PageWalk<T>,
): AsyncGenerator<T, void, undefined> {
  const pages = new PagesAhead(walk);
  try {
    let anchor: Anchor | undefined;
    let total = 0;
    let fruitless = 0;
    for (let number = 1; ; number++) {
      if (number > walk.maxPages)
        throw walk.unreadable(`the list has more than ${walk.maxPages} pages: raise maxPages`);
      let page = await pages.take(number);
      if (anchor && page.meta.total !== total && !holds(page, anchor)) {
        if (++fruitless > FRUITLESS_SEARCHES)
          throw walk.unreadable("the list keeps changing while it is read: read it again");
        page = await realign(walk, pages, anchor, page, total);
        number = page.meta.currentPage;
      } else if (anchor && page.meta.total === total && page.data.at(-1)?.id === anchor.id) {
        throw walk.unreadable(`page ${number} repeats the page before it: read the list again`);
      }
      total = page.meta.total;
      pages.prepare(number + 1, page.meta.lastPage);
      for (let index = positionIn(page, anchor) + 1; index < page.data.length; index++) {
        const record = page.data[index] as T;
        anchor = { id: record.id, page: number, index };
        fruitless = 0;
        yield record;
      }
      if (number >= page.meta.lastPage) return;
    }
  } finally {
    pages.stop();
  }
}

/** Where the anchor is on the page, -1 where it is not. */
function positionIn<T extends { id: string }>(page: Page<T>, anchor: Anchor | undefined): number {
  return anchor ? page.data.findIndex((record) => record.id === anchor.id) : -1;
}

function holds<T extends { id: string }>(page: Page<T>, anchor: Anchor): boolean {
  return positionIn(page, anchor) >= 0;
}

/** Whether the anchor is the last of the page and where it was when it was given out. */
function staysAt<T extends { id: string }>(page: Page<T>, anchor: Anchor): boolean {
  const isLast = anchor.index === page.data.length - 1;
  return isLast && page.meta.currentPage === anchor.page && positionIn(page, anchor) === anchor.index;
}

/** The page to go on with, after one that may not follow the anchor: the total has moved since the anchor was given out. */
async function realign<T extends { id: string }>(
  walk: PageWalk<T>,
  pages: PagesAhead<T>,
  anchor: Anchor,
  seen: Page<T>,
  total: number,
): Promise<Page<T>> {
  const found = await relocate(walk, pages, anchor, seen, total);
  // Where the anchor had not moved even after that page was read, the page follows it after all. To read it once more
  // would never end while records are being appended.
  return seen.meta.total > total && staysAt(found, anchor) ? seen : found;
}

/**
 * Finds the page that now holds the anchor. New records only push it to later pages, so a search that starts where it
 * was and goes up meets it; records that have gone pull it to earlier ones, so then the search goes down first.
 */
async function relocate<T extends { id: string }>(
  walk: PageWalk<T>,
  pages: PagesAhead<T>,
  anchor: Anchor,
  seen: Page<T>,
  total: number,
): Promise<Page<T>> {
  pages.forget();
  const start = Math.min(anchor.page, Math.max(1, seen.meta.lastPage));
  let page = await pages.take(start);
  if (holds(page, anchor)) return page;
  // A total smaller than one seen before may come from a page that was read ahead: only a fresh one tells.
  if (page.meta.total < total) {
    for (let number = start - 1; number >= 1; number--) {
      const earlier = await pages.take(number);
      if (holds(earlier, anchor)) return earlier;
    }
  }
  for (let number = start + 1; number <= Math.min(walk.maxPages, page.meta.lastPage); number++) {
    page = await pages.take(number);
    if (holds(page, anchor)) return page;
  }
  throw walk.unreadable("the list lost records while it was read: read it again");
}

/** Pages that have been asked for before they are wanted. */
class PagesAhead<T> {
  readonly #walk: PageWalk<T>;
  readonly #asked = new Map<number, Promise<Page<T>>>();
  readonly #onAbort = () => this.#stop.abort();
  #stop = new AbortController();

  constructor(walk: PageWalk<T>) {
    this.#walk = walk;
    if (walk.signal?.aborted) this.#stop.abort();
    else walk.signal?.addEventListener("abort", this.#onAbort, { once: true });
  }

  /** The page of that number. */
  async take(number: number): Promise<Page<T>> {
    // After an abort, what has been read ahead is not given out either: asking says so.
    const ahead = this.#stop.signal.aborted ? undefined : this.#asked.get(number);
    const asked = ahead ?? this.#walk.list(number, this.#stop.signal);
    this.#asked.delete(number);
    const page = await asked;
    if (page.meta.currentPage !== number) {
      throw this.#walk.unreadable(
        `asked for page ${number} and was given page ${page.meta.currentPage}: report it to the service`,
      );
    }
    return page;
  }

  /** Asks for the pages from that number on, as many as may be read at once, but for none that does not exist. */
  prepare(from: number, lastPage: number): void {
    const to = Math.min(from + this.#walk.concurrency - 1, lastPage, this.#walk.maxPages);
    for (let number = from; number <= to; number++) {
      if (this.#asked.has(number)) continue;
      const page = this.#walk.list(number, this.#stop.signal);
      // Its failure is told when its turn comes; until then it is not unhandled.
      page.catch(() => undefined);
      this.#asked.set(number, page);
    }
  }

  /** Gives up what was asked for ahead: it shows the list as it was. */
  forget(): void {
    this.#stop.abort();
    this.#asked.clear();
    this.#stop = new AbortController();
    if (this.#walk.signal?.aborted) this.#stop.abort();
  }

  /** Ends every request under way. */
  stop(): void {
    this.#walk.signal?.removeEventListener("abort", this.#onAbort);
    this.#stop.abort();
    this.#asked.clear();
  }
}
