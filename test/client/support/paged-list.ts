/**
 * A model of a service's list that changes while it is read. Requests are served in any order,
 * their answers arrive in any order, and between any two of these steps the list may change.
 */
import { setMaxListeners } from "node:events";
import { DomainMonitoringError } from "../../../src/client";
import { iteratePages, type PageSource } from "../../../src/client/lists";
import type { Page } from "../../../src/client/pages";
import { fc } from "../../support/properties";

interface Item {
  id: string;
}

/** How a record is served: of the ones that cannot be read, a nameless one shows no id either. */
export type Form = "readable" | "named" | "nameless";

/** A change of the list. A position is taken modulo its length; a negative one is its end. */
export type Change = { type: "insert"; at: number; count: number } | { type: "remove"; at: number };

/** The next step: which request moves on, and what changes before it does. */
interface Move {
  choice: number;
  changes: Change[];
}

/** The moves of a walk, with any of these changes between them. */
export const movesWith = (changes: fc.Arbitrary<Change[]>, minLength = 0) =>
  fc.array(fc.record({ choice: fc.nat(20), changes }), { minLength, maxLength: 60 });

/** Any list, and how many of its pages are requested ahead. */
export const sizes = {
  count: fc.nat(24),
  perPage: fc.integer({ min: 1, max: 6 }),
  concurrency: fc.integer({ min: 1, max: 8 }),
};

export class PagedList {
  readonly ids: string[];
  readonly requests: { page: number; aborted: boolean }[] = [];

  /** Ids that were removed. */
  readonly removed = new Set<string>();
  readonly #pending: (() => void)[] = [];
  #added = 0;

  constructor(
    count: number,
    readonly perPage: number,
    /** Form of a record, by its id. */
    readonly formOf: (id: string) => Form = () => "readable",
  ) {
    this.ids = Array.from({ length: count }, (_, index) => `old-${index}`);
  }

  get lastPage(): number {
    return Math.max(1, Math.ceil(this.ids.length / this.perPage));
  }

  get busy(): boolean {
    return this.#pending.length > 0;
  }

  change(change: Change): void {
    const { ids } = this;
    if (change.type === "remove") {
      for (const id of ids.splice(change.at % Math.max(1, ids.length), 1)) this.removed.add(id);
      return;
    }

    for (let number = 0; number < change.count; number++) {
      const at = change.at < 0 ? ids.length : change.at % (ids.length + 1);
      ids.splice(at, 0, `new-${this.#added++}`);
    }
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
    const served = pageOf([], { page, lastPage, perPage, total: this.ids.length });
    const before = (page - 1) * perPage;
    for (const [index, id] of this.ids.slice(before, before + perPage).entries()) {
      const form = this.formOf(id);
      const shown = form === "named" ? id : null;
      const [position, problem] = [before + index + 1, "label: expected a string"];
      if (form === "readable") served.data.push({ id });
      else served.unreadable.push({ id: shown, position, problem });
    }

    return served;
  }
}

export function pageOf(
  ids: string[],
  { page = 1, lastPage = 1, perPage = 2, total = 0 },
): Page<Item> {
  const links = { first: null, last: null, prev: null, next: null };
  const meta = { currentPage: page, from: null, lastPage, perPage, to: null, total };
  return { data: ids.map((id) => ({ id })), unreadable: [], links, meta };
}

export const errorOf: PageSource<Item>["errorOf"] = (problem, unreadable) =>
  new DomainMonitoringError("response", problem, { unreadable });

type Walk = Pick<PageSource<Item>, "list"> & Partial<PageSource<Item>>;

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
  ids?: string[],
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
