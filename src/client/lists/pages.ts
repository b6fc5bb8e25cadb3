/**
 * Iterates over a list, reading pages ahead, although the list may change meanwhile. Each record is returned when its id is
 * first seen.
 *
 * A list that keeps still, or to which new first records are added, is read once: reading.ts. One that changes in another way,
 * or has no order by time, is read again, until one reading is complete or all of them together are: if as many ids as a page
 * states in its `total` were seen both before that page was read and at or after it, they all existed at that time, and there
 * was no other. When records with equal times change places with every request, all are known if as many were seen as each page
 * states since that number last changed, and a reading brought no other.
 */
import type { Page } from "../types";
import { type PageSource, PagesAhead } from "./pages-ahead";
import type { Listed } from "./places";
import { Reading } from "./reading";

/** Parameters of an iteration. */
export interface PageWalk<T> extends PageSource<T> {
  /** Reads the first page of a longer list once more, as records may have been removed from it. @default false */
  confirm?: boolean;
}

/** Maximum number of readings from the start before giving up. */
const MAXIMUM_ROUNDS = 10;

/** Maximum number of rounds in a row that bring nothing new, if the service reports more records than it returns. */
const MAXIMUM_FRUITLESS_ROUNDS = 2;

export async function* iteratePages<T extends Listed>(walk: PageWalk<T>): AsyncGenerator<T, void, undefined> {
  const pages = new PagesAhead(walk);
  const known = new KnownRecords();
  let unconfirmed: Reading<T> | undefined;
  try {
    for (let round = 1; round <= MAXIMUM_ROUNDS; round++) {
      const reading: Reading<T> | undefined = yield* readOnce(pages, known, unconfirmed);
      if (!reading || known.complete || (reading.still && known.repeated)) return;
      unconfirmed = reading.complete ? reading : undefined;
      if (unconfirmed && !walk.confirm) return;
      if (known.fruitlessRounds === MAXIMUM_FRUITLESS_ROUNDS) {
        const { counted, size } = known;
        throw walk.unreadable(`the list reports ${counted} records but returns ${size}: read it again`);
      }
    }
    throw walk.unreadable("the list keeps changing while it is read: read it again");
  } finally {
    pages.stop();
  }
}

/**
 * Reads the list from its first page. Returns undefined as soon as all records are known.
 * @param unconfirmed a complete reading, which the same first page confirms
 */
async function* readOnce<T extends Listed>(
  pages: PagesAhead<T>,
  known: KnownRecords,
  unconfirmed: Reading<T> | undefined,
): AsyncGenerator<T, Reading<T> | undefined, undefined> {
  // Pages requested in the previous round may be outdated.
  pages.drop();
  let { page, fresh } = await pages.take(1);
  const reading = new Reading(page);
  if (unconfirmed && reading.beginsLike(unconfirmed)) return undefined;
  for (;;) {
    known.add(page);
    const records = reading.add(page, fresh);
    if (reading.next !== undefined) pages.prepare(reading.next, reading.lastAhead);
    for (const record of records) if (known.isNew(record.id)) yield record;
    if (known.complete) return undefined;
    if (reading.next === undefined) break;
    ({ page, fresh } = await pages.take(reading.next));
  }
  known.endRound(page, fresh);
  return reading;
}

/** Tracks which records have been seen, and whether all readings together prove that these are all of them. */
class KnownRecords {
  /** The round in which each id was first seen. */
  readonly #firstSeen = new Map<string, number>();
  #round = 1;
  #sizeBefore = 0;
  fruitlessRounds = 0;
  /** Number of records that the service counted on the last page of the previous round. */
  counted = Number.POSITIVE_INFINITY;
  /** Ids that existed when it did; undefined if other pages may have been read later. */
  #present: Set<string> | undefined;
  /** The total of the latest page, and the ids seen since all pages have stated it, from the second round on. */
  #total: number | undefined;
  readonly #sinceChange = new Set<string>();

  /** Records the ids of a page that was read. */
  add({ data, meta: { total } }: Page<Listed>): void {
    if (this.#round === 1) return;
    if (total !== this.#total) this.#sinceChange.clear();
    this.#total = total;
    for (const { id } of data) this.#sinceChange.add(id);
  }

  /** Records an id; true if it has not been seen before. */
  isNew(id: string): boolean {
    const firstSeen = this.#firstSeen.get(id);
    if (firstSeen === undefined) this.#firstSeen.set(id, this.#round);
    else if (firstSeen < this.#round) this.#present?.add(id);
    return firstSeen === undefined;
  }

  /** Whether every record that the service counted has been seen. */
  get complete(): boolean {
    return (this.#present?.size ?? 0) >= this.counted;
  }

  /** Whether the last round brought no new record, and as many were seen as the service has counted since. */
  get repeated(): boolean {
    return this.fruitlessRounds > 0 && this.#sinceChange.size === this.counted;
  }

  /** Number of records that have been seen. */
  get size(): number {
    return this.#firstSeen.size;
  }

  /**
   * From now on, completeness is proven for the time of the last page.
   * @param fresh whether it was requested after all others had been read
   */
  endRound({ data, meta: { total } }: Page<Listed>, fresh: boolean): void {
    const fruitless = this.counted === total && this.#sizeBefore === this.size;
    this.fruitlessRounds = fruitless ? this.fruitlessRounds + 1 : 0;
    this.#sizeBefore = this.size;
    this.counted = total;
    this.#present = fresh ? new Set(data.map(({ id }) => id)) : undefined;
    this.#round++;
  }
}
