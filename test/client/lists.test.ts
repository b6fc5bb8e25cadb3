/**
 * Walking a list of several pages: how it is requested, what a faulty service leads to, and that
 * nothing is lost or returned twice where the list changes meanwhile.
 */
import { getEventListeners } from "node:events";
import { DomainMonitoringError } from "../../src/client";
import { iteratePages } from "../../src/client/lists";
import { fc } from "../support/properties";
import {
  type Change,
  drain,
  errorOf,
  type Form,
  movesWith,
  PagedList,
  pageOf,
  play,
  sizes,
} from "./support/paged-list";

const range = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => from + index);

describe("a list that does not change", () => {
  test("is read in order with one request for each page", async () => {
    const moves = movesWith(fc.constant([]));
    await fc.assert(
      fc.asyncProperty(fc.record({ ...sizes, moves }), async ({ count, perPage, ...walk }) => {
        const list = new PagedList(count, perPage);
        expect(await play(list, walk)).toEqual(list.ids);
        expect(list.requests.map(({ page }) => page)).toEqual(range(1, list.lastPage));
      }),
      { numRuns: 50 },
    );
  });

  test("is read to its end if it has exactly the maximum number of pages", async () => {
    const list = new PagedList(6, 2);
    expect(await drain({ list: async (page) => list.serve(page), maxPages: 3 })).toHaveLength(6);
  });

  test("is read ahead by at most the allowed number of pages", async () => {
    const list = new PagedList(20, 2);
    const iterator = iteratePages({ list: list.read, concurrency: 3, maxPages: 100, errorOf });
    const first = iterator.next();
    list.step(0);
    list.step(0);
    await first;

    expect(list.requests.map(({ page }) => page)).toEqual([1, 2, 3, 4]);

    await iterator.next();
    const third = iterator.next();
    list.step(0);
    list.step(2);
    await third;

    expect(list.requests.map(({ page }) => page)).toEqual([1, 2, 3, 4, 5]);

    await iterator.return(undefined);
  });
});

describe("a faulty service", () => {
  test.each([
    ["sends the same page again", 0, "page 2 has the records of the one before it"],
    ["sends a page other than the requested one", 1, "requested page 2 but received page 1"],
  ])("that %s is detected", async (_what, first, problem) => {
    const list = async (page: number) =>
      pageOf(["a", "b"], { page: first || page, lastPage: 9, total: 18 });
    const message = `${problem}: report it to the service`;
    await expect(drain({ list })).rejects.toMatchObject({ kind: "response", message });
  });

  test("that never ends its list is stopped after the maximum number of pages", async () => {
    const list = jest.fn(async (page: number) =>
      pageOf([`${page}`], { page, lastPage: page + 1, total: 5 }),
    );
    const message =
      "the list has more than 7 pages: read it with the client's iterate and a larger maxPages";
    const walking = drain({ list, maxPages: 7, concurrency: 4 });
    await expect(walking).rejects.toMatchObject({ kind: "response", message });
    expect(list.mock.calls.map(([page]) => page)).toEqual(range(1, 7));
  });

  test("that sends more records on a page than it says is stopped as well", async () => {
    const ids = Array.from({ length: 1000 }, (_, index) => String(index));
    const list = jest.fn(async (page: number) =>
      pageOf([`first of ${page}`, ...ids], { page, perPage: 1, lastPage: 400, total: 400 }),
    );
    const walking = drain({ list, maxPages: undefined });
    await expect(walking).rejects.toThrow("the list has more than 100 pages");
    expect(list).toHaveBeenCalledTimes(100);
  });

  test("that sends an empty page in the middle loses no record", async () => {
    const list = jest.fn(async (page: number) =>
      pageOf(page === 2 ? [] : [`${page}`], { page, lastPage: 3, total: 2 }),
    );
    expect(await drain({ list })).toEqual(["1", "3"]);
    expect(list.mock.calls.map(([page]) => page)).toEqual([1, 2, 3]);
  });

  test("that fails on one page is reported after that page's predecessors were returned", async () => {
    const failing = new DomainMonitoringError("http", "got 500");
    const list = async (page: number) => {
      if (page === 3) throw failing;
      return pageOf([`${page}`], { page, lastPage: 5, total: 5 });
    };
    const ids: string[] = [];
    const walking = drain({ list, concurrency: 5, maxPages: 9 }, ids);
    await expect(walking).rejects.toBe(failing);
    expect(ids).toEqual(["1", "2"]);
  });
});

describe("stopping the iteration", () => {
  test("leaving the loop ends the running requests and makes no others", async () => {
    const model = new PagedList(40, 2);
    const list = (page: number, signal: AbortSignal) =>
      page === 1 ? Promise.resolve(model.serve(1)) : model.read(page, signal);

    for await (const _ of iteratePages({ list, concurrency: 8, maxPages: 100, errorOf })) break;
    expect(model.requests).toHaveLength(8);
    expect(model.requests.every(({ aborted }) => aborted)).toBe(true);

    await new Promise(setImmediate);
    expect(model.requests).toHaveLength(8);
  });

  test("a signal ends the running requests and yields nothing that was read ahead", async () => {
    const model = new PagedList(40, 2);
    const controller = new AbortController();
    const signals: AbortSignal[] = [];
    const list = async (page: number, signal: AbortSignal) => {
      signals.push(signal);
      if (signal.aborted) throw new DomainMonitoringError("aborted", "ended by the caller");
      return model.serve(page);
    };

    const { signal } = controller;
    const walk = iteratePages({ list, concurrency: 4, maxPages: 100, errorOf, signal });
    for (const id of ["old-0", "old-1"]) expect(await walk.next()).toMatchObject({ value: { id } });
    controller.abort();
    await expect(walk.next()).rejects.toMatchObject({ kind: "aborted" });
    expect(signals.every(({ aborted }) => aborted)).toBe(true);
  });

  test("removes its listener from the caller's signal, which outlives many iterations", async () => {
    const model = new PagedList(6, 2);
    const { signal } = new AbortController();
    await drain({ list: async (page) => model.serve(page), signal });
    expect(getEventListeners(signal, "abort")).toEqual([]);
  });
});

const inserting = (at: fc.Arbitrary<number>) =>
  fc.record({ type: fc.constant("insert" as const), at, count: fc.integer({ min: 1, max: 4 }) });

const atFront = inserting(fc.constant(0));
const anywhere = inserting(fc.oneof(fc.constant(0), fc.constant(-1), fc.nat(100)));
const removing = fc.record({ type: fc.constant("remove" as const), at: fc.nat(100) });

const moving = (change: fc.Arbitrary<Change>) => movesWith(fc.array(change, { maxLength: 2 }));

/** So many new records at the beginning. */
const first = (count: number): Change => ({ type: "insert", at: 0, count });

/** Walks of a kind whose requests are counted. */
const WALKS = 20;
const old = (ids: string[]) => ids.filter((id) => id.startsWith("old-"));

describe("new records at the beginning of a list", () => {
  test("hide or reorder no older record between any two requests", async () => {
    const scenario = fc.record({ ...sizes, moves: moving(atFront) });
    await fc.assert(
      fc.asyncProperty(scenario, async ({ count, perPage, ...walk }) => {
        const list = new PagedList(count, perPage);
        const before = [...list.ids];
        const ids = await play(list, walk);
        expect(old(ids)).toEqual(before);
        expect(new Set(ids).size).toBe(ids.length);
      }),
      { numRuns: 100 },
    );
  });

  // Before each move, of which a request takes two.
  const seldom = fc.oneof(
    { weight: 19, arbitrary: fc.constant<Change[]>([]) },
    { weight: 1, arbitrary: fc.constant<Change[]>([first(1)]) },
  );
  const often = fc.oneof(fc.constant<Change[]>([first(1)]), fc.constant<Change[]>([first(2)]));

  test.each([
    { rate: 0.1, arrivals: seldom, atMost: 1.7 },
    { rate: 3, arrivals: often, atMost: 2.1 },
  ])(
    "make it at most $atMost requests a page if $rate come with each, in any order",
    async ({ arrivals, atMost }) => {
      const walks = fc.sample(movesWith(arrivals, 60), { numRuns: WALKS, seed: 1 });
      let requests = 0;
      for (const moves of walks) {
        const list = new PagedList(13 * 15, 15);
        const before = [...list.ids];

        expect(old(await play(list, { concurrency: 8, moves }))).toEqual(before);
        requests += list.requests.length;
      }

      expect(requests / (WALKS * 13)).toBeLessThan(atMost);
    },
  );

  test("are noticed on a page that was requested ahead and served before another", async () => {
    // Page 3 is served before the new record comes, page 2 after that: record 5 is on neither.
    const list = new PagedList(8, 2);
    const before = [...list.ids];
    const moves = [0, 0, 1, 0, 2, 0, 0].map((choice, step) => ({
      choice,
      changes: step === 3 ? [first(1)] : [],
    }));

    expect(await play(list, { concurrency: 2, moves })).toEqual(before);
    expect(list.requests.map(({ page }) => page)).toEqual([1, 2, 3, 3, 4, 5]);
  });
});

const readable: Form[] = ["readable"];
// Records without an id cannot be recognised in another place.
const odd: Form[] = ["readable", "readable", "named", "nameless"];

test.each<[string, fc.Arbitrary<Change>, Form[]]>([
  ["to which records are added anywhere", anywhere, readable],
  ["from which records are removed", removing, readable],
  ["with unreadable records, to which first ones are added", atFront, odd],
  ["with unreadable records, from which some are removed", removing, odd],
])(
  "a list that changes in another way and then settles is read completely or ends with an error: %s",
  async (_name, change, forms) => {
    const scenario = fc.record({
      ...sizes,
      moves: moving(change),
      formAt: fc.array(fc.constantFrom(...forms), { minLength: 1, maxLength: 12 }),
    });

    let walks = 0;
    let failures = 0;
    await fc.assert(
      fc.asyncProperty(scenario, async ({ count, perPage, formAt, ...walk }) => {
        const formOf = (id: string) =>
          formAt[Number(id.replace(/\D+/g, "")) % formAt.length] ?? "readable";
        const list = new PagedList(count, perPage, formOf);
        const before = [...list.ids];
        const ids: string[] = [];
        const error: DomainMonitoringError | undefined = await play(list, walk, ids).then(
          () => undefined,
          (thrown) => thrown,
        );

        walks++;
        expect(new Set(ids).size).toBe(ids.length);
        expect(ids.filter((id) => formOf(id) !== "readable")).toEqual([]);

        if (error && !error.unreadable) {
          failures++;
          expect(error.kind).toBe("response");
          expect(error.message).toMatch(/read it again$/);
          return;
        }

        const unreadable = error?.unreadable ?? [];
        const known = new Set([...ids, ...unreadable.map(({ id }) => id)]);
        const kept = before.filter((id) => !list.removed.has(id));
        const nameless = kept.filter((id) => formOf(id) === "nameless");
        const named = unreadable.filter(({ id }) => id !== null);

        expect(kept.filter((id) => !known.has(id) && !nameless.includes(id))).toEqual([]);
        expect(unreadable.length - named.length).toBeGreaterThanOrEqual(nameless.length);
      }),
      { numRuns: 100 },
    );

    // A walk that always gave up would be of no use.
    expect(failures / walks).toBeLessThan(0.05);
  },
);

test.each<[string, Change, string]>([
  ["grows at its beginning by a page", first(6), "has more than 80 pages: re"],
  ["loses a record", { type: "remove", at: 20 }, "keeps changing while it is"],
])(
  "a list that never keeps still and %s with every request ends with an error",
  async (_name, change, message) => {
    const list = new PagedList(60, 6);
    let requests = 0;
    const read = async (page: number) => {
      if (requests++ > 0) list.change(change);
      return list.serve(page);
    };

    await expect(drain({ list: read, maxPages: 80 })).rejects.toMatchObject({
      kind: "response",
      message: expect.stringContaining(`the list ${message}`),
    });
    expect(requests).toBeLessThanOrEqual(81);
  },
);
