/** Walking a list of several pages: how it is requested, and what a faulty service leads to. */
import { getEventListeners } from "node:events";
import { DomainMonitoringError } from "../../src/client";
import { iteratePages } from "../../src/client/lists";
import { fc } from "../support/properties";
import {
  type Change,
  drain,
  errorOf,
  item,
  newestFirst,
  oldestFirst,
  PagedList,
  pageOf,
  play,
  unordered,
} from "./support/paged-list";

const range = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => from + index);

const sizes = {
  count: fc.nat(24),
  perPage: fc.integer({ min: 1, max: 6 }),
  concurrency: fc.integer({ min: 1, max: 8 }),
  /** In which order requests are served, and answers arrive. */
  moves: fc.array(fc.record({ choice: fc.nat(20), changes: fc.constant<Change[]>([]) }), {
    maxLength: 60,
  }),
};

describe("a list that does not change", () => {
  test.each([
    ["newest first", newestFirst],
    ["oldest first", oldestFirst],
    ["in no order", unordered],
  ])("%s is read in order with one request for each page", async (_order, times) => {
    await fc.assert(
      fc.asyncProperty(fc.record(sizes), async ({ count, perPage, concurrency, moves }) => {
        const list = new PagedList(count, perPage, times);
        expect(await play(list, { concurrency, moves })).toEqual(list.ids);
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
      pageOf([item("a"), item("b")], { page: first || page, lastPage: 9, total: 18 });
    const message = `${problem}: report it to the service`;
    await expect(drain({ list })).rejects.toMatchObject({ kind: "response", message });
  });

  test("that never ends its list is stopped after the maximum number of pages", async () => {
    const requestedPages: number[] = [];
    const list = async (page: number) => {
      requestedPages.push(page);
      return pageOf([item(`${page}`)], { page, lastPage: page + 1, total: 5 });
    };

    const message =
      "the list has more than 7 pages: read it with the client's iterate and a larger maxPages";
    const walking = drain({ list, maxPages: 7, concurrency: 4 });
    await expect(walking).rejects.toMatchObject({ kind: "response", message });
    expect(Math.max(...requestedPages)).toBe(7);
    expect(requestedPages).toHaveLength(7);
  });

  test("that sends more records on a page than it says is stopped as well", async () => {
    const data = Array.from({ length: 1000 }, (_, index) => item(String(index)));
    let pages = 0;
    const list = async (page: number) => {
      pages += 1;
      const records = [item(`first of ${page}`), ...data];
      return pageOf(records, { page, perPage: 1, lastPage: 400, total: 400 });
    };

    const walking = drain({ list, maxPages: undefined });
    await expect(walking).rejects.toThrow("the list has more than 100 pages");
    expect(pages).toBe(100);
  });

  test("that sends an empty page in the middle loses no record", async () => {
    const requestedPages: number[] = [];
    const list = async (page: number) => {
      requestedPages.push(page);
      return pageOf(page === 2 ? [] : [item(`${page}`)], { page, lastPage: 3, total: 2 });
    };

    expect(await drain({ list })).toEqual(["1", "3"]);
    expect(requestedPages).toEqual([1, 2, 3]);
  });

  test("that fails on one page is reported after that page's predecessors were returned", async () => {
    const failing = new DomainMonitoringError("http", "got 500");
    const list = (page: number) =>
      page === 3
        ? Promise.reject(failing)
        : Promise.resolve(pageOf([item(`${page}`)], { page, lastPage: 5, total: 5 }));

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

    const ids: string[] = [];
    const { signal } = controller;
    const walking = (async () => {
      const walk = { list, concurrency: 4, maxPages: 100, errorOf, signal };
      for await (const { id } of iteratePages(walk)) {
        ids.push(id);
        if (ids.length === 2) controller.abort();
      }
    })();

    await expect(walking).rejects.toMatchObject({ kind: "aborted" });
    expect(ids).toEqual(["old-0", "old-1"]);
    expect(signals.every(({ aborted }) => aborted)).toBe(true);
  });

  test("removes its listener from the caller's signal, which outlives many iterations", async () => {
    const model = new PagedList(6, 2);
    const { signal } = new AbortController();
    await drain({ list: async (page) => model.serve(page), signal });
    expect(getEventListeners(signal, "abort")).toEqual([]);
  });
});
