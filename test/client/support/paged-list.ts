/**
 * A model of a service's list that changes while it is read. Requests are served in any order,
 * their answers arrive in any order, and between any two of these steps the list may change.
 */
import { setMaxListeners } from "node:events";
import { DomainMonitoringError } from "../../../src/client";
import { iteratePages, type PageSource } from "../../../src/client/lists";
import type { Page } from "../../../src/client/pages";

export interface Item {
  id: string;

  /** In seconds. */
  time: number;
}

/** How a record is served: of the ones that cannot be read, a nameless one shows no id either. */
export type Form = "readable" | "named" | "nameless";

const readable = (): Form => "readable";

/** A change of the list. A position is taken modulo its length; a negative one is its end. */
export type Change = { type: "insert"; at: number; count: number } | { type: "remove"; at: number };

/** The next step: which request moves on, and what changes before it does. */
export interface Move {
  choice: number;
  changes: Change[];
}

/** Time of the record with that index in the list, in seconds. */
export type Times = (index: number) => number;

export const newestFirst: Times = (index) => 1000 - index;
export const oldestFirst: Times = (index) => index;

/** Three records each have the same time. */
export const threeAtATime: Times = (index) => 1000 - Math.floor(index / 3);
export const unordered: Times = (index) => (index % 2) * 100 - index;

export class PagedList {
  readonly items: Item[];
  readonly requests: { page: number; aborted: boolean }[] = [];

  /** Ids that were removed. */
  readonly removed = new Set<string>();
  readonly #pending: (() => void)[] = [];
  #added = 0;

  constructor(
    count: number,
    readonly perPage: number,
    times = newestFirst,
    /** Form of a record, by its id. */
    readonly formOf: (id: string) => Form = readable,
  ) {
    this.items = Array.from({ length: count }, (_, index) => ({
      id: `old-${index}`,
      time: times(index),
    }));
  }

  get ids(): string[] {
    return this.items.map(({ id }) => id);
  }

  get lastPage(): number {
    return Math.max(1, Math.ceil(this.items.length / this.perPage));
  }

  get busy(): boolean {
    return this.#pending.length > 0;
  }

  /** Inserts new records at the position, or at the end where it is negative. */
  insert(at: number, count = 1): void {
    for (let number = 0; number < count; number++) {
      const item = { id: `new-${this.#added}`, time: 5000 + this.#added++ };
      this.items.splice(at < 0 ? this.items.length : at % (this.items.length + 1), 0, item);
    }
  }

  remove(at: number): void {
    for (const { id } of this.items.splice(at % Math.max(1, this.items.length), 1))
      this.removed.add(id);
  }

  change(change: Change): void {
    if (change.type === "insert") this.insert(change.at, change.count);
    else this.remove(change.at);
  }

  /** Moves one request on: to being served, or to its answer's arrival. */
  step(choice: number): void {
    this.#pending.splice(choice % this.#pending.length, 1)[0]?.();
  }

  readonly read = (page: number, signal: AbortSignal): Promise<Page<Item>> => {
    const request = { page, aborted: signal.aborted };
    this.requests.push(request);

    return new Promise((resolve, reject) => {
      const abort = () => {
        request.aborted = true;
        reject(new DomainMonitoringError("aborted", "ended by the caller"));
      };

      if (signal.aborted) return abort();

      setMaxListeners(0, signal);
      signal.addEventListener("abort", abort, { once: true });
      // Served first, delivered later: other requests may overtake in both.
      this.#pending.push(() => {
        const answer = this.serve(page);
        this.#pending.push(() => {
          signal.removeEventListener("abort", abort);
          resolve(answer);
        });
      });
    });
  };

  serve(page: number): Page<Item> {
    const { lastPage, perPage } = this;
    const served = pageOf([], { page, lastPage, perPage, total: this.items.length });
    const before = (page - 1) * perPage;
    for (const [index, item] of this.items.slice(before, before + perPage).entries()) {
      const form = this.formOf(item.id);
      const id = form === "named" ? item.id : null;
      const [position, problem] = [before + index + 1, "time: expected a number"];
      if (form === "readable") served.data.push(item);
      else served.unreadable.push({ id, position, problem });
    }

    return served;
  }
}

interface Numbers {
  page: number;
  lastPage: number;
  perPage?: number;
  total: number;
}

export function pageOf(data: Item[], { page, lastPage, perPage = 2, total }: Numbers): Page<Item> {
  const links = { first: null, last: null, prev: null, next: null };
  const meta = { currentPage: page, from: null, lastPage, perPage, to: null, total };
  return { data, unreadable: [], links, meta };
}

/** A record where only its id matters. */
export const item = (id: string): Item => ({ id, time: 0 });

export const errorOf: PageSource<Item>["errorOf"] = (problem, unreadable) =>
  new DomainMonitoringError("response", problem, { unreadable });

export type Walk = Pick<PageSource<Item>, "list"> & Partial<PageSource<Item>>;

/** The ids that a walk over the list returns, with which `ids` is filled, also if it fails. */
export async function drain(walk: Walk, ids: string[] = []): Promise<string[]> {
  for await (const { id } of iteratePages({ concurrency: 1, maxPages: 50, errorOf, ...walk }))
    ids.push(id);

  return ids;
}

/** Walks to the end while the moves are played, and then with requests served in order. */
export async function play(
  list: PagedList,
  { moves, ...walk }: { moves: Iterable<Move> } & Partial<PageSource<Item>>,
  ids: string[] = [],
): Promise<string[]> {
  let over = false;
  const walking = drain({ list: list.read, maxPages: 100_000, ...walk }, ids).finally(() => {
    over = true;
  });

  walking.catch(() => undefined);
  const coming = moves[Symbol.iterator]();
  while (!over) {
    if (list.busy) {
      const { value: move }: IteratorResult<Move, undefined> = coming.next();
      for (const change of move?.changes ?? []) list.change(change);
      list.step(move?.choice ?? 0);
    }

    await new Promise(setImmediate);
  }

  return walking;
}
