/**
 * Walking a list that changes while it is walked. A model of the service holds the list; between any two answers records
 * are inserted, removed and swapped anywhere, requests are served in any order and their answers arrive in any order.
 */
import { getEventListeners } from "node:events";
import fc from "fast-check";
import { DomainMonitoringError } from "../../src/client";
import { iteratePages } from "../../src/client/internal/pages";
import type { Page } from "../../src/client/types";

interface Item {
  id: string;
}

/** A change of the list. A position is taken modulo the list's length; a negative one is its end. */
type Change =
  | { type: "insert"; at: number; count: number }
  | { type: "remove"; at: number }
  | { type: "swap"; at: number; to: number };

/** What happens next: which request moves on, and what changes before it does. */
interface Move {
  choice: number;
  changes: Change[];
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

  change(change: Change): void {
    if (change.type === "insert") this.insert(change.at, change.count);
    if (change.type === "insert" || this.list.length === 0) return;
    const at = change.at % this.list.length;
    if (change.type === "remove") {
      this.list.splice(at, 1);
      return;
    }
    const to = change.to % this.list.length;
    const [a, b] = [this.list[at], this.list[to]] as [Item, Item];
    this.list[at] = b;
    this.list[to] = a;
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
      for (const change of move?.changes ?? []) model.change(change);
      model.step(move?.choice ?? 0);
    }
    await new Promise(setImmediate);
  }
  await walking;
  return ids;
}

const inserting = fc.record({
  type: fc.constant("insert" as const),
  // Front, end and anywhere between.
  at: fc.oneof(fc.constant(0), fc.constant(-1), fc.nat(100)),
  count: fc.integer({ min: 1, max: 5 }),
});
const removing = fc.record({ type: fc.constant("remove" as const), at: fc.nat(100) });
const swapping = fc.record({ type: fc.constant("swap" as const), at: fc.nat(100), to: fc.nat(100) });
/** A record goes and another one comes: the total stays. */
const exchanging = fc
  .tuple(
    removing,
    fc.record({ type: fc.constant("insert" as const), at: fc.nat(100), count: fc.constant(1) }),
  )
  .map((pair): Change[] => pair);

function movesOf(changes: fc.Arbitrary<Change[]>, maxLength: number): fc.Arbitrary<Move[]> {
  return fc.array(fc.record({ choice: fc.nat(20), changes }), { maxLength });
}
const sizes = {
  count: fc.nat(24),
  perPage: fc.integer({ min: 1, max: 6 }),
  concurrency: fc.integer({ min: 1, max: 8 }),
};

/** For lists of old records that were not read in their order. */
const inOrder = (a: string, b: string) => Number(a.slice("old-".length)) - Number(b.slice("old-".length));

function expectEveryOldRecordOnce(ids: string[], count: number): void {
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids.filter((id) => id.startsWith("old-"))).toEqual(
    Array.from({ length: count }, (_, index) => `old-${index}`),
  );
}

describe("a list that grows", () => {
  test("yields every initial record once, and no new one twice, in order if pages are not read ahead", async () => {
    const moves = movesOf(fc.array(inserting, { maxLength: 2 }), 20);
    await fc.assert(
      fc.asyncProperty(fc.record({ ...sizes, moves }), async ({ count, perPage, concurrency, moves }) => {
        const model = new Model(count, perPage);
        const ids = await walk(model, concurrency, moves);
        const old = ids.filter((id) => id.startsWith("old-"));
        expect(new Set(ids).size).toBe(ids.length);
        expectEveryOldRecordOnce(concurrency === 1 ? old : old.sort(inOrder), count);
        expect(model.asked.filter(({ page, lastPage }) => page > lastPage)).toEqual([]);
      }),
      { numRuns: 400 },
    );
  });

  test("at its end with every request is read to its end", async () => {
    const model = new Model(12, 6);
    const list = async (page: number) => {
      model.insert(-1);
      return model.serve(page);
    };
    expectEveryOldRecordOnce(await drain({ list }), 12);
  });

  test.each([
    ["front", () => 0],
    ["middle", (model: Model) => Math.floor(model.list.length / 2)],
  ])("at its %s with every request, endlessly, ends with an error that says so", async (_where, at) => {
    const model = new Model(12, 6);
    const list = async (page: number) => {
      model.insert(at(model));
      return model.serve(page);
    };
    await expect(drain({ list, maxPages: 1000 })).rejects.toMatchObject({
      kind: "response",
      message: "the list keeps changing while it is read: read it again",
    });
  });
});

describe("giving up", () => {
  const changing = { kind: "response", message: "the list keeps changing while it is read: read it again" };

  /** Serves two pages, of which the first states other records or another total in each round. */
  function rounds(first: (round: number) => { ids: string[]; total: number }) {
    let round = 0;
    return async (page: number) => {
      if (page === 1) round++;
      const { ids, total } = first(round);
      const data = page === 1 ? ids.map((id) => ({ id })) : [{ id: "last" }];
      return pageOf(data, { page, lastPage: 2, total });
    };
  }

  test.each([
    ["reports another number of records each time", (round: number) => ({ ids: ["a"], total: 100 + round })],
    [
      "returns another record each time, and more are reported",
      (round: number) => ({ ids: [`${round}`], total: 100 }),
    ],
  ])("comes after ten rounds over a list that %s", async (_name, first) => {
    let last = 0;
    const list = rounds((round) => {
      last = round;
      return first(round);
    });
    await expect(drain({ list })).rejects.toMatchObject(changing);
    expect(last).toBe(10);
  });

  test("comes after two rounds without anything new", async () => {
    const list = rounds(() => ({ ids: ["a"], total: 3 }));
    await expect(drain({ list })).rejects.toMatchObject({
      message: "the list reports 3 records but returns 2: read it again",
    });
  });
});

describe("a list that changes in any way", () => {
  const anyChanges = fc.oneof(
    fc.array(fc.oneof(inserting, removing, swapping), { maxLength: 2 }),
    exchanging,
    // Rows with equal times have no order of their own.
    fc.array(swapping, { minLength: 1, maxLength: 6 }),
  );

  /** Loses a record where one counts as present in the round in which it was first seen; chance seldom finds such a walk. */
  const ofCountedTooEarly = {
    count: 3,
    perPage: 2,
    concurrency: 1,
    moves: [
      { choice: 0, changes: [] },
      { choice: 0, changes: [{ type: "swap" as const, at: 0, to: 71 }] },
      { choice: 0, changes: [] },
      { choice: 0, changes: [{ type: "swap" as const, at: 1, to: 0 }] },
      { choice: 0, changes: [{ type: "insert" as const, at: 0, count: 1 }] },
      { choice: 0, changes: [{ type: "insert" as const, at: 0, count: 2 }] },
    ],
  };

  test("yields every record that existed throughout exactly once, or fails with an error that says so", async () => {
    let walks = 0;
    let failures = 0;
    const moves = movesOf(anyChanges, 40);
    await fc.assert(
      fc.asyncProperty(fc.record({ ...sizes, moves }), async ({ count, perPage, concurrency, moves }) => {
        const model = new Model(count, perPage);
        const atFirst = model.list.map(({ id }) => id);
        walks++;
        let ids: string[];
        try {
          ids = await walk(model, concurrency, moves);
        } catch (error) {
          failures++;
          expect(error).toMatchObject({ kind: "response", message: expect.stringMatching(/read it again$/) });
          return;
        }
        const atLast = new Set(model.list.map(({ id }) => id));
        const read = new Set(ids);
        expect(read.size).toBe(ids.length);
        expect(atFirst.filter((id) => atLast.has(id) && !read.has(id))).toEqual([]);
      }),
      { numRuns: 1500, examples: [[ofCountedTooEarly]] },
    );
    // A list comes to rest in most walks: a walk that always gave up would be of no use.
    expect(failures / walks).toBeLessThan(0.02);
  });

  test("by two records that swap places across a page boundary loses neither", async () => {
    const model = new Model(6, 2);
    let asked = 0;
    const list = async (page: number) => {
      if (++asked === 2) model.change({ type: "swap", at: 1, to: 2 });
      return model.serve(page);
    };
    expect((await drain({ list })).sort()).toEqual(model.list.map(({ id }) => id).sort());
  });

  test("by one removed and one added record, with the same total, loses none that remained", async () => {
    const model = new Model(6, 2);
    let asked = 0;
    const list = async (page: number) => {
      if (++asked === 2) {
        model.change({ type: "remove", at: 0 });
        model.insert(-1);
      }
      return model.serve(page);
    };
    expect(await drain({ list })).toEqual(
      expect.arrayContaining(["old-1", "old-2", "old-3", "old-4", "old-5"]),
    );
  });
});

describe("a list that does not change", () => {
  test("is read in order: one page with one request, more pages with two requests per page except the last", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.record({ ...sizes, choices: fc.array(fc.nat(20), { maxLength: 60 }) }),
        async ({ count, perPage, concurrency, choices }) => {
          const model = new Model(count, perPage);
          const ids = await walk(
            model,
            concurrency,
            choices.map((choice) => ({ choice, changes: [] })),
          );
          expect(ids).toEqual(model.list.map(({ id }) => id));
          expect(model.asked.map(({ page }) => page).sort((a, b) => a - b)).toEqual(
            [...Array(model.lastPage - 1).keys()]
              .flatMap((index) => [index + 1, index + 1])
              .concat(model.lastPage),
          );
        },
      ),
      { numRuns: 200 },
    );
  });

  test("is read to its end if it has exactly the maximum number of pages", async () => {
    const model = new Model(6, 2);
    expect(await drain({ list: async (page) => model.serve(page), maxPages: 3 })).toHaveLength(6);
  });

  test("is read ahead by at most the allowed number of pages", async () => {
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
  test("loses no record that remained", async () => {
    const model = new Model(12, 2);
    const list = async (page: number) => {
      // Two records that have been given out go before page 4 is asked for: the rest moves up.
      if (page === 4 && model.list.length === 12) model.list.splice(0, 3);
      return model.serve(page);
    };
    expectEveryOldRecordOnce((await drain({ list })).sort(inOrder), 12);
  });

  test("until the last record returned is on the first page continues after it", async () => {
    const model = new Model(12, 3);
    const list = async (page: number) => {
      if (page === 3 && model.list.length === 12) model.list.splice(0, 5);
      return model.serve(page);
    };
    expectEveryOldRecordOnce((await drain({ list })).sort(inOrder), 12);
  });

  test("by the record that was returned last continues after it", async () => {
    const model = new Model(12, 2);
    const list = async (page: number) => {
      if (page === 4 && model.list.length === 12) model.list.splice(5, 1);
      return model.serve(page);
    };
    expect(await drain({ list })).toHaveLength(12);
  });

  test("to one page while its last one is requested ends there", async () => {
    const model = new Model(9, 3);
    const list = async (page: number) => {
      if (page === 3) model.list.splice(2);
      return model.serve(page);
    };
    expect(await drain({ list })).toEqual(expect.arrayContaining(["old-0", "old-1"]));
  });
});

test("a page that was requested ahead and then is the last one is requested again", async () => {
  // Of the second round: the list has shrunk to two pages, and the second was served before the first.
  const served: Record<number, { ids: string[]; lastPage: number; total: number }[]> = {
    1: [
      { ids: ["v", "w"], lastPage: 3, total: 5 },
      { ids: ["d", "a"], lastPage: 2, total: 4 },
    ],
    2: [
      { ids: ["x", "y"], lastPage: 3, total: 5 },
      { ids: ["c"], lastPage: 2, total: 3 },
      // A record that moved on to it, and would be missed.
      { ids: ["b", "c"], lastPage: 2, total: 4 },
    ],
    3: [{ ids: ["z"], lastPage: 3, total: 5 }],
  };
  const list = async (page: number) => {
    const pages = served[page] ?? [];
    // At the end the list rests.
    const { ids, ...meta } = (pages.length > 1 ? pages.shift() : pages[0]) ?? {
      ids: [],
      lastPage: 2,
      total: 0,
    };
    return pageOf(
      ids.map((id) => ({ id })),
      { page, ...meta },
    );
  };
  expect(await drain({ list, concurrency: 2 })).toContain("b");
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

describe("a faulty service", () => {
  test("that sends the same page again is detected", async () => {
    let asked = 0;
    const list = async (page: number) => {
      asked++;
      return pageOf([{ id: "a" }, { id: "b" }], { page, lastPage: 9, total: 18 });
    };
    await expect(drain({ list })).rejects.toMatchObject({
      kind: "response",
      message: "the list reports 18 records but returns 2: read it again",
    });
    expect(asked).toBe(27);
  });

  test("that sends a page other than the requested one is detected", async () => {
    const list = async () => pageOf([{ id: "a" }], { page: 1, lastPage: 9, total: 9 });
    await expect(drain({ list })).rejects.toMatchObject({
      kind: "response",
      message: "requested page 2 but received page 1: report it to the service",
    });
  });

  test("that never ends its list is stopped after the maximum number of pages, without a further request", async () => {
    const asked: number[] = [];
    const list = async (page: number) => {
      asked.push(page);
      return pageOf([{ id: `${page}` }], { page, lastPage: page + 1, total: 5 });
    };
    await expect(drain({ list, maxPages: 7, concurrency: 4 })).rejects.toMatchObject({
      kind: "response",
      message: "the list has more than 7 pages: read it with the client's iterate and a larger maxPages",
    });
    expect(Math.max(...asked)).toBe(7);
    expect(asked).toHaveLength(7);
  });

  test("that counts a record it never sends is not queried forever", async () => {
    let asked = 0;
    const list = async (page: number) => {
      asked++;
      return pageOf([{ id: `${page}` }], { page, lastPage: 5, total: 6 });
    };
    await expect(drain({ list })).rejects.toMatchObject({
      kind: "response",
      message: "the list reports 6 records but returns 5: read it again",
    });
    expect(asked).toBe(15);
  });

  test("that sends another total on one page does not fail the call", async () => {
    const list = async (page: number) =>
      pageOf([{ id: `${page}` }], { page, lastPage: 5, total: page === 2 ? 4 : 5 });
    expect(await drain({ list })).toHaveLength(5);
  });

  test("that sends an empty page in the middle loses no record", async () => {
    const list = async (page: number) =>
      pageOf(page === 2 ? [] : [{ id: `${page}` }], { page, lastPage: 3, total: 2 });
    expect(await drain({ list })).toEqual(["1", "3"]);
  });

  test("that fails on one page is reported after that page's predecessors were returned", async () => {
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

describe("stopping the iteration", () => {
  test("by leaving the loop ends the running requests and makes no others", async () => {
    const model = new Model(40, 2);
    const list = (page: number, signal: AbortSignal) =>
      page === 1 ? Promise.resolve(model.serve(1)) : model.read(page, signal);
    for await (const _ of iteratePages({ list, concurrency: 8, maxPages: 100, unreadable })) break;
    expect(model.asked).toHaveLength(8);
    expect(model.asked.every(({ aborted }) => aborted)).toBe(true);
    await new Promise(setImmediate);
    expect(model.asked).toHaveLength(8);
  });

  test("by signal ends the running requests and yields nothing that was read ahead", async () => {
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

  test("removes its listener from the caller's signal, which outlives many iterations", async () => {
    const model = new Model(6, 2);
    const { signal } = new AbortController();
    await drain({ list: async (page) => model.serve(page), signal });
    expect(getEventListeners(signal, "abort")).toEqual([]);
  });

  test("before the first page makes no request that is not aborted", async () => {
    const model = new Model(4, 2);
    const list = (page: number, signal: AbortSignal) => model.read(page, signal);
    await expect(drain({ list, signal: AbortSignal.abort() })).rejects.toMatchObject({ kind: "aborted" });
    expect(model.asked.every(({ aborted }) => aborted)).toBe(true);
  });
});
