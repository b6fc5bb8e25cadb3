/** The places of records in a list that grows at its beginning, and whether anything else happened to it. */

import { compare } from "../../common/order";

/** The fields of a record that reading a list of them needs. */
export interface Listed {
  id: string;
  createdAt: string;
}

/** Places are counted from 0, as they were when the first page was read; new records are before them. */
export class Places<T extends Listed> {
  readonly #places = new Map<string, number>();
  /** Number of records that are certain to be in their places. */
  #certain = 0;
  /** The total that was stated when this was last seen. */
  #certainTotal: number;
  /** The highest total since. */
  #assumedTotal = 0;
  #direction = 0;
  #lastCreatedAt: string | undefined;
  #sound = true;

  /** @param total as stated by the first page */
  constructor(total: number) {
    this.#certainTotal = total;
  }

  /** Number of records that have been placed. */
  get size(): number {
    return this.#places.size;
  }

  /**
   * Number of records that are certain to be in their places. Others follow them without an overlap, by another total: they are
   * in their places if all new records are the first ones, which a record that is certain shows by moving on by as many places.
   */
  get certain(): number {
    return this.#certain;
  }

  /** Whether no record came twice or in another place, and `createdAt` kept one direction. */
  get sound(): boolean {
    return this.#sound;
  }

  /**
   * Places the records of a page, of which the first has that place. Returns those that follow the records placed before, and
   * those that are not expected there.
   * @param total as stated by the page
   */
  place(records: readonly T[], start: number, total: number): T[] {
    const size = this.size;
    const following = records.filter((record, offset) => !this.#expects(record, start + offset));
    const overlaps = start < this.#certain && start + records.length > 0 && total >= this.#assumedTotal;
    const continues = size === this.#certain && total === this.#certainTotal;
    if (overlaps || continues) {
      this.#certain = this.size;
      this.#certainTotal = total;
      this.#assumedTotal = 0;
    } else {
      this.#assumedTotal = Math.max(this.#assumedTotal, total);
    }
    return following;
  }

  /** Places a record after all others. */
  append({ id, createdAt }: T): void {
    // The dates of a list have one format, whose order as text is that in time.
    const direction = compare(createdAt, this.#lastCreatedAt ?? createdAt);
    if (this.#places.has(id) || direction * this.#direction < 0) this.#sound = false;
    this.#direction ||= direction;
    this.#lastCreatedAt = createdAt;
    this.#places.set(id, this.size);
  }

  /** Whether the record at that place was placed there before, or has come since the first page. */
  #expects(record: T, place: number): boolean {
    if (place >= this.size) {
      this.append(record);
      return false;
    }
    const expected = this.#places.get(record.id) === (place < 0 ? undefined : place);
    this.#sound &&= expected;
    return expected;
  }
}
