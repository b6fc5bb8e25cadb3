/**
 * One reading of a list, and what shows that nothing was missed.
 *
 * Each page states `total`, the number of records at that time. While all pages state the same one, a reading is complete that
 * has as many ids, none of them twice, and whose `createdAt` keeps one direction.
 *
 * If the total grows, the new records are taken to be the first ones, as in a history. All others have then moved on by as many
 * places, so a page's total says which of them it has, in any order of the pages. Where pages overlap, records in
 * other places than expected show that the list changes in another way.
 */
import type { Page } from "../types";
import { type Listed, Places } from "./places";

/** Maximum number of requests in a row that bring no record that follows, as new ones come faster than they are read. */
const MAXIMUM_MISSES = 100;

/** Count of different numbers of new records that are expected in turn; odd, so that each has its turn. */
const RECENT = 5;

export class Reading<T extends Listed> {
  readonly #first: Page<T>;
  readonly #places: Places<T>;
  /** Pages with a gap before them. */
  readonly #held: Page<T>[] = [];
  /** Number of records that have come since the first page. */
  #growth = 0;
  /** Numbers of records that came during requests that missed what they were for. */
  readonly #arrivals = new Set<number>();
  /** Number of records to expect during the next request. */
  #lead = 0;
  #misses = 0;
  #pages = 0;
  /** Whether all pages are of the size that their totals require. */
  #regular = true;
  /** Whether records were removed. */
  #shrunk = false;
  /** Whether all pages stated the same total. */
  still = true;
  /** The page to read next; undefined at the end. */
  next: number | undefined;
  /** The last page that may be requested ahead. */
  lastAhead = 0;

  constructor(first: Page<T>) {
    this.#first = first;
    this.#places = new Places(first.meta.total);
  }

  /** Whether it has every record that was there at the first page. */
  get complete(): boolean {
    const { size, certain, sound } = this.#places;
    const unchanged = this.still || (this.#regular && certain === size);
    return unchanged && sound && !this.#shrunk && size === this.#first.meta.total;
  }

  /** Whether its first page is the same as that of another reading. */
  beginsLike(other: Reading<T>): boolean {
    return beginning(this.#first) === beginning(other.#first);
  }

  /**
   * Adds the page to read next. Returns the records that follow those returned before; once the reading cannot be complete any
   * more, all records of the page.
   * @param fresh whether the page was requested after the previous one was added
   */
  add(page: Page<T>, fresh: boolean): T[] {
    const growth = page.meta.total - this.#first.meta.total;
    const arrived = growth - this.#growth;
    const { size, certain } = this.#places;
    this.still &&= growth === 0;
    this.#regular &&= isRegular(page, this.#first.meta.perPage);
    this.#shrunk ||= growth < 0 || (fresh && arrived < 0);
    this.#growth = Math.max(this.#growth, growth);
    this.#pages++;
    this.#held.push(page);
    const records = this.#following();
    if (!this.#placed) records.push(...this.#remaining());
    const missed = this.#places.size === size && this.#places.certain === certain;
    if (!missed) this.#misses = 0;
    else if (fresh) this.#miss(arrived);
    this.#plan(page, fresh);
    return records;
  }

  /** Whether the totals say which records a page has. */
  get #placed(): boolean {
    return this.#regular && !this.#shrunk && this.#places.sound;
  }

  /** The records that follow, from every page that has some. */
  #following(): T[] {
    const records: T[] = [];
    while (this.#placed) {
      const index = this.#held.findIndex((page) => this.#startOf(page) <= this.#places.size);
      const [page] = index < 0 ? [] : this.#held.splice(index, 1);
      if (page === undefined) break;
      records.push(...this.#places.place(page.data, this.#startOf(page), page.meta.total));
    }
    return records;
  }

  /** The place of a page's first record; below 0 if it has come since the first page. */
  #startOf({ meta }: Page<T>): number {
    return (meta.currentPage - 1) * meta.perPage - (meta.total - this.#first.meta.total);
  }

  /** Expects as many as came this time; every second time, in turn, as many as came in one of the latest other misses. */
  #miss(arrived: number): void {
    this.#arrivals.delete(arrived);
    this.#arrivals.add(arrived);
    const back = this.#misses % 2 === 0 ? 0 : this.#misses % RECENT;
    this.#lead = [...this.#arrivals].at(-1 - back) ?? arrived;
    this.#misses++;
  }

  /** All records of the pages held. */
  #remaining(): T[] {
    const records = this.#held.splice(0).flatMap(({ data }) => data);
    for (const record of records) this.#places.append(record);
    return records;
  }

  #plan({ meta }: Page<T>, fresh: boolean): void {
    const { total, perPage } = this.#first.meta;
    if (this.#placed) {
      const { size, certain } = this.#places;
      // At the end, a record that is certain shows whether the others are in their places.
      const place = size < total ? size : Math.floor(certain / 2);
      const next = Math.floor((place + this.#growth + this.#lead) / perPage) + 1;
      // The faster records come, the fewer pages still have what they were requested for.
      const ahead = size < total ? Math.floor((perPage * this.#pages) / (2 * this.#growth)) : 0;
      this.next = this.complete || this.#misses > MAXIMUM_MISSES ? undefined : next;
      this.lastAhead = Math.min(next + ahead - 1, Math.ceil((total + this.#growth) / perPage));
      return;
    }
    const { currentPage, lastPage } = meta;
    // The last page is read after all others: pages.ts says what that proves.
    this.lastAhead = lastPage - 1;
    if (currentPage < lastPage) this.next = currentPage + 1;
    else this.next = fresh || this.complete ? undefined : currentPage;
  }
}

function beginning({ data, meta }: Page<Listed>): string {
  return JSON.stringify([meta.total, ...data.map(({ id }) => id)]);
}

/** Whether a page is of the size that its total requires. */
function isRegular({ data, meta }: Page<unknown>, perPage: number): boolean {
  const remaining = meta.total - (meta.currentPage - 1) * perPage;
  return (
    meta.perPage === perPage &&
    meta.lastPage === Math.max(1, Math.ceil(meta.total / perPage)) &&
    data.length === Math.max(0, Math.min(remaining, perPage))
  );
}
