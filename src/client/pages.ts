/**
 * Walks a change list page by page, ahead of its reader, although the list may grow while it is read.
 *
 * The interface does not say how lists are ordered, so a new record may appear anywhere and push the others on. Two pages
 * with the same `total` fit together. Where the total has moved, the walk looks for the last record it gave out (the
 * anchor) in a fresh page and goes on behind it: all records before the anchor have been given out or are new, all behind
 * it have not been given out. That needs the memory of one id, however long the list is.
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

/** The last record given out, and the page on which it was. */
interface Anchor {
  id: string;
  page: number;
}

export async function* iteratePages<T extends { id: string }>(
  walk: PageWalk<T>,
): AsyncGenerator<T, void, undefined> {
  const pages = new PagesAhead(walk);
  try {
    let anchor: Anchor | undefined;
    let total: number | undefined;
    for (let number = 1; ; number++) {
      if (number > walk.maxPages)
        throw walk.unreadable(`the list has more than ${walk.maxPages} pages: raise maxPages`);
      let page = await pages.take(number);
      if (anchor && page.meta.total !== total && !holds(page, anchor)) {
        page = await relocate(walk, pages, anchor, page.meta.total < (total ?? 0));
        number = page.meta.currentPage;
      } else if (anchor && page.meta.total === total && page.data.at(-1)?.id === anchor.id) {
        throw walk.unreadable(`page ${number} repeats the page before it`);
      }
      total = page.meta.total;
      pages.prepare(number + 1, page.meta.lastPage);
      for (const record of behind(page, anchor)) {
        yield record;
        anchor = { id: record.id, page: number };
      }
      if (number >= page.meta.lastPage) return;
    }
  } finally {
    pages.stop();
  }
}

function holds<T extends { id: string }>(page: Page<T>, anchor: Anchor): boolean {
  return page.data.some((record) => record.id === anchor.id);
}

/** The records of a page that come after the anchor; all of them where the anchor is on a page before. */
function behind<T extends { id: string }>(page: Page<T>, anchor: Anchor | undefined): T[] {
  const index = anchor ? page.data.findIndex((record) => record.id === anchor.id) : -1;
  return page.data.slice(index + 1);
}

/**
 * Finds the page that now holds the anchor. New records only push it to later pages, so a search that starts where it
 * was and goes up meets it; after records have gone it may be anywhere.
 */
async function relocate<T extends { id: string }>(
  walk: PageWalk<T>,
  pages: PagesAhead<T>,
  anchor: Anchor,
  shrunk: boolean,
): Promise<Page<T>> {
  pages.forget();
  let lastPage = walk.maxPages;
  for (let number = shrunk ? 1 : anchor.page; number <= lastPage; number++) {
    const page = await pages.take(number);
    if (holds(page, anchor)) return page;
    lastPage = Math.min(walk.maxPages, page.meta.lastPage);
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
    const asked = this.#asked.get(number) ?? this.#walk.list(number, this.#stop.signal);
    this.#asked.delete(number);
    const page = await asked;
    if (page.meta.currentPage !== number) {
      throw this.#walk.unreadable(`asked for page ${number} and was given page ${page.meta.currentPage}`);
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
