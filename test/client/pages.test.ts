/**
 * Walking a list that grows while it is walked. A model of the service holds the list; between any two answers records
 * are inserted anywhere, requests are served in any order and their answers arrive in any order.
 */
import { getEventListeners } from "node:events";
import fc from "fast-check";
import { DomainMonitoringError } from "../../src/client";
import { iteratePages } from "../../src/client/pages";
import type { Page } from "../../src/client/types";

interface Item {
  id: string;
}

/** What happens next: which request moves on, and what is inserted before it does. */
interface Move {
  choice: number;
  inserts: { at: number; count: number }[];
}

interface Asked {
  page: number;
  /** Last page at the time of asking: more must not be asked for. */
  lastPage: number;
  aborted: boolean;
}

class Model {
  readonly list: Item[];
  readonly asked: Asked[] = [];
  readonly #pending: (() => void)[] = [];
  #added = 0;

  constructor(
    count: number,
    readonly perPage: number,
  ) {
    this.list = Array.from({ length: count }, (_, index) => ({ id: `old-${index}` }));
  }

  get lastPage(): number {
    return Math.max(1, Math.ceil(this.list.length / this.perPage));
  }

  get busy(): boolean {
    return this.#pending.length > 0;
  }

  /** Inserts records at the position, or at the end where it is negative. */
  insert(at: number, count = 1): void {
    const fresh = Array.from({ length: count }, () => ({ id: `new-${this.#added++}` }));
    this.list.splice(at < 0 ? this.list.length : at % (this.list.length + 1), 0, ...fresh);
  }

  /** Moves one request on: to being served, or to its answer's arrival. */
  step(choice: number): void {
    this.#pending.splice(choice % this.#pending.length, 1)[0]?.();
  }

  read(page: number, signal: AbortSignal): Promise<Page<Item>> {
    const asked: Asked = { page, lastPage: this.lastPage, aborted: signal.aborted };
    this.asked.push(asked);
    return new Promise((resolve, reject) => {
      const abort = () => {
        asked.aborted = true;
        reject(new DomainMonitoringError("aborted", "ended by the caller"));
      };
      if (signal.aborted) return abort();
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
  }

  serve(page: number): Page<Item> {
    const data = this.list.slice((page - 1) * this.perPage, page * this.perPage);
    return pageOf(data, { page, lastPage: this.lastPage, perPage: this.perPage, total: this.list.length });
  }
}

function pageOf(
  data: Item[],
  meta: { page: number; lastPage: number; perPage?: number; total: number },
): Page<Item> {
  const { page, lastPage, perPage = 2, total } = meta;
  return {
    data,
    links: { first: null, last: null, prev: null, next: null },
    meta: { currentPage: page, from: null, lastPage, perPage, to: null, total },
  };
}

const unreadable = (problem: string) => new DomainMonitoringError("response", problem);

/** Walks to the end while the moves are played; after the last one, requests are served in order. */
async function walk(model: Model, concurrency: number, moves: Move[]): Promise<string[]> {
  const ids: string[] = [];
  let over = false;
  const walking = (async () => {
    const list = (page: number, signal: AbortSignal) => model.read(page, signal);
    for await (const { id } of iteratePages({ list, concurrency, maxPages: 1000, unreadable })) ids.push(id);
  })().finally(() => {
    over = true;
  });
  walking.catch(() => undefined);
  let played = 0;
  while (!over) {
    if (model.busy) {
      const move = moves[played++];
      for (const { at, count } of move?.inserts ?? []) model.insert(at, count);
      model.step(move?.choice ?? 0);
    }
    await new Promise(setImmediate);
  }
  await walking;
  return ids;
}

const inserts = fc.array(
  fc.record({
    // Front, end and anywhere between.
    at: fc.oneof(fc.constant(0), fc.constant(-1), fc.nat(100)),
    count: fc.integer({ min: 1, max: 5 }),
  }),
  { maxLength: 2 },
);
const moves = fc.array(fc.record({ choice: fc.nat(20), inserts }), { maxLength: 40 });
const sizes = {
  count: fc.nat(24),
  perPage: fc.integer({ min: 1, max: 6 }),
  concurrency: fc.integer({ min: 1, max: 8 }),
};

function expectEveryOldRecordOnce(ids: string[], count: number): void {
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids.filter((id) => id.startsWith("old-"))).toEqual(
    Array.from({ length: count }, (_, index) => `old-${index}`),
  );
}

describe("a list that grows", () => {
  test("gives every record of its beginning once and in order, and no new one twice", async () => {
    await fc.assert(
      fc.asyncProperty(fc.record({ ...sizes, moves }), async ({ count, perPage, concurrency, moves }) => {
        const model = new Model(count, perPage);
        const ids = await walk(model, concurrency, moves);
        expectEveryOldRecordOnce(ids, count);
        for (const { page, lastPage } of model.asked) expect(page).toBeLessThanOrEqual(lastPage);
      }),
      { numRuns: 400 },
    );
  });

  test.each(["front", "end", "middle"])(
    "at its %s with every request is still walked to the end",
    async (where) => {
      const model = new Model(12, 2);
      const at = () =>
        ({ front: 0, end: model.list.length, middle: Math.floor(model.list.length / 2) })[where] ?? 0;
      // As many insertions as a walk needs moves: it may not go round in circles until they stop.
      const moves = Array.from({ length: 100 }, () => ({
        choice: 0,
        get inserts() {
          return [{ at: at(), count: 1 }];
        },
      }));
      const before = model.list.length;
      expectEveryOldRecordOnce(await walk(model, 1, moves), before);
      expect(model.asked.length).toBeLessThan(110);
    },
  );

  test("is not searched from its first page where one page that was read ahead came from before", async () => {
    const model = new Model(40, 2);
    const asked: number[] = [];
    let serveLate = () => {};
    const list = (page: number) => {
      asked.push(page);
      if (page === 8 && asked.filter((earlier) => earlier === 8).length === 1) {
        // Page 8 is served after an insertion, the pages after it before.
        return new Promise<Page<Item>>((resolve) => {
          serveLate = () => {
            model.insert(0);
            resolve(model.serve(8));
          };
        });
      }
      const answer = model.serve(page);
      if (page === 10) serveLate();
      return Promise.resolve(answer);
    };
    const ids: string[] = [];
    for await (const { id } of iteratePages({ list, concurrency: 3, maxPages: 100, unreadable }))
      ids.push(id);
    expectEveryOldRecordOnce(ids, 40);
    expect(asked.filter((page) => page === 1)).toHaveLength(1);
  });
});

describe("a list that stays", () => {
  test("is read with one request a page, and no empty last one", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.record({ ...sizes, choices: fc.array(fc.nat(20), { maxLength: 60 }) }),
        async ({ count, perPage, concurrency, choices }) => {
          const model = new Model(count, perPage);
          const ids = await walk(
            model,
            concurrency,
            choices.map((choice) => ({ choice, inserts: [] })),
          );
          expect(ids).toEqual(model.list.map(({ id }) => id));
          expect(model.asked.map(({ page }) => page).sort((a, b) => a - b)).toEqual(
            Array.from({ length: Math.max(1, Math.ceil(count / perPage)) }, (_, index) => index + 1),
          );
        },
      ),
      { numRuns: 200 },
    );
  });

  test("is read to its end where it has just as many pages as are allowed", async () => {
    const model = new Model(6, 2);
    expect(await drain({ list: async (page) => model.serve(page), maxPages: 3 })).toHaveLength(6);
  });

  test("is read ahead by as many pages as may be read at once", async () => {
    const model = new Model(20, 2);
    const list = (page: number, signal: AbortSignal) => model.read(page, signal);
    const iterator = iteratePages({ list, concurrency: 3, maxPages: 100, unreadable });
    const first = iterator.next();
    model.step(0);
    model.step(0);
    await first;
    expect(model.asked.map(({ page }) => page)).toEqual([1, 2, 3, 4]);
    await iterator.return(undefined);
  });
});

describe("a list that shrinks", () => {
  test("loses no record that stayed", async () => {
    const model = new Model(12, 2);
    const list = async (page: number) => {
      // Two records that have been given out go before page 4 is asked for: the rest moves up.
      if (page === 4 && model.list.length === 12) model.list.splice(0, 3);
      return model.serve(page);
    };
    const ids: string[] = [];
    for await (const { id } of iteratePages({ list, concurrency: 1, maxPages: 100, unreadable }))
      ids.push(id);
    expectEveryOldRecordOnce(ids, 12);
  });

  test("so far that the last record given out is on the first page goes on behind it", async () => {
    const model = new Model(12, 3);
    const list = async (page: number) => {
      if (page === 3 && model.list.length === 12) model.list.splice(0, 5);
      return model.serve(page);
    };
    expectEveryOldRecordOnce(await drain({ list }), 12);
  });

  test("is searched for the record given out last on no page that does not exist", async () => {
    const model = new Model(12, 2);
    const asked: number[] = [];
    const list = async (page: number) => {
      asked.push(page);
      if (page === 4 && model.list.length === 12) model.list.splice(4, 3);
      return model.serve(page);
    };
    await expect(drain({ list })).rejects.toMatchObject({ kind: "response" });
    expect(Math.min(...asked)).toBe(1);
    expect(Math.max(...asked)).toBe(5);
  });

  test("by the record that was given out last is refused rather than guessed", async () => {
    const model = new Model(12, 2);
    const list = async (page: number) => {
      if (page === 4) model.list.splice(5, 1);
      return model.serve(page);
    };
    await expect(drain({ list })).rejects.toMatchObject({
      kind: "response",
      message: "the list lost records while it was read: read it again",
    });
  });
});

interface Given {
  list: (page: number, signal: AbortSignal) => Promise<Page<Item>>;
  concurrency?: number;
  maxPages?: number;
  signal?: AbortSignal;
}

async function drain({ list, concurrency = 1, maxPages = 50, signal }: Given): Promise<string[]> {
  const ids: string[] = [];
  for await (const { id } of iteratePages({ list, concurrency, maxPages, signal, unreadable })) ids.push(id);
  return ids;
}

describe("a service that errs", () => {
  test("by giving the same page again is found out", async () => {
    const list = async (page: number) => pageOf([{ id: "a" }, { id: "b" }], { page, lastPage: 9, total: 18 });
    await expect(drain({ list })).rejects.toMatchObject({
      kind: "response",
      message: "page 2 repeats the page before it: read the list again",
    });
  });

  test("by giving the same long page again is found out", async () => {
    const list = async (page: number) =>
      pageOf([{ id: "a" }, { id: "b" }, { id: "c" }], { page, lastPage: 9, total: 27 });
    await expect(drain({ list })).rejects.toMatchObject({ kind: "response" });
  });

  test("by giving another page than was asked for is found out", async () => {
    const list = async () => pageOf([{ id: "a" }], { page: 1, lastPage: 9, total: 9 });
    await expect(drain({ list })).rejects.toMatchObject({
      kind: "response",
      message: "asked for page 2 and was given page 1: report it to the service",
    });
  });

  test("by never coming to an end is left after the most pages allowed, and not one more request", async () => {
    const asked: number[] = [];
    const list = async (page: number) => {
      asked.push(page);
      return pageOf([{ id: `${page}` }], { page, lastPage: page + 1, total: 5 });
    };
    await expect(drain({ list, maxPages: 7, concurrency: 4 })).rejects.toMatchObject({
      kind: "response",
      message: "the list has more than 7 pages: raise maxPages",
    });
    expect(Math.max(...asked)).toBe(7);
    expect(asked).toHaveLength(7);
  });

  test("by a total that never settles is left, and not asked for ever", async () => {
    let asked = 0;
    const list = async (page: number) => {
      asked++;
      return pageOf([{ id: `${page}` }], { page, lastPage: 5, total: page === 2 ? 4 : 5 });
    };
    await expect(drain({ list })).rejects.toMatchObject({
      kind: "response",
      message: "the list keeps changing while it is read: read it again",
    });
    expect(asked).toBeLessThan(50);
  });

  test("by an empty page in the middle loses nothing", async () => {
    const list = async (page: number) =>
      pageOf(page === 2 ? [] : [{ id: `${page}` }], { page, lastPage: 3, total: 2 });
    expect(await drain({ list })).toEqual(["1", "3"]);
  });

  test("with one page is told when its records have been given out", async () => {
    const failing = new DomainMonitoringError("http", "answered 500");
    const list = (page: number) =>
      page === 3
        ? Promise.reject(failing)
        : Promise.resolve(pageOf([{ id: `${page}` }], { page, lastPage: 5, total: 5 }));
    const ids: string[] = [];
    const walking = (async () => {
      for await (const { id } of iteratePages({ list, concurrency: 5, maxPages: 9, unreadable }))
        ids.push(id);
    })();
    await expect(walking).rejects.toBe(failing);
    expect(ids).toEqual(["1", "2"]);
  });
});

describe("leaving", () => {
  test("the loop ends the requests under way and makes no other", async () => {
    const model = new Model(40, 2);
    const list = (page: number, signal: AbortSignal) =>
      page === 1 ? Promise.resolve(model.serve(1)) : model.read(page, signal);
    for await (const _ of iteratePages({ list, concurrency: 8, maxPages: 100, unreadable })) break;
    expect(model.asked).toHaveLength(8);
    expect(model.asked.every(({ aborted }) => aborted)).toBe(true);
    await new Promise(setImmediate);
    expect(model.asked).toHaveLength(8);
  });

  test("by signal ends the requests under way, and what was read ahead is not given out", async () => {
    const model = new Model(40, 2);
    const controller = new AbortController();
    const signals: AbortSignal[] = [];
    const list = async (page: number, signal: AbortSignal) => {
      signals.push(signal);
      if (signal.aborted) throw new DomainMonitoringError("aborted", "ended by the caller");
      return model.serve(page);
    };
    const ids: string[] = [];
    const walking = (async () => {
      const { signal } = controller;
      for await (const { id } of iteratePages({ list, concurrency: 4, maxPages: 100, unreadable, signal })) {
        ids.push(id);
        if (ids.length === 2) controller.abort();
      }
    })();
    await expect(walking).rejects.toMatchObject({ kind: "aborted" });
    expect(ids).toEqual(["old-0", "old-1"]);
    expect(signals.every(({ aborted }) => aborted)).toBe(true);
  });

  test("takes its listener from the caller's signal, which outlives many walks", async () => {
    const model = new Model(6, 2);
    const { signal } = new AbortController();
    await drain({ list: async (page) => model.serve(page), signal });
    expect(getEventListeners(signal, "abort")).toEqual([]);
  });

  test("before the first page asks for nothing that is not ended", async () => {
    const model = new Model(4, 2);
    const list = (page: number, signal: AbortSignal) => model.read(page, signal);
    await expect(drain({ list, signal: AbortSignal.abort() })).rejects.toMatchObject({ kind: "aborted" });
    expect(model.asked.every(({ aborted }) => aborted)).toBe(true);
  });
});
