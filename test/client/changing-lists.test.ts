/**
 * Walking a list that changes while it is walked: nothing lost, nothing twice, and how many
 * requests that takes.
 */
import fc from "fast-check";
import {
  type Change,
  drain,
  item,
  newestFirst,
  oldestFirst,
  PagedList,
  pageOf,
  play,
  type Times,
  threeAtATime,
  type Walk,
} from "./support/paged-list";

const inserting = (at: fc.Arbitrary<number>) =>
  fc.record({
    type: fc.constant("insert" as const),
    at,
    count: fc.integer({ min: 1, max: 4 }),
  });

const atFront = inserting(fc.constant(0));
const atEnd = inserting(fc.constant(-1));
const anywhere = inserting(fc.oneof(fc.constant(0), fc.constant(-1), fc.nat(100)));
const removing = fc.record({ type: fc.constant("remove" as const), at: fc.nat(100) });

const swapping = fc.record({
  type: fc.constant("swap" as const),
  at: fc.nat(100),
  to: fc.nat(100),
});

const moving = (change: fc.Arbitrary<Change>) =>
  fc.record({ choice: fc.nat(20), changes: fc.array(change, { maxLength: 2 }) });

const sizes = {
  count: fc.nat(24),
  perPage: fc.integer({ min: 1, max: 6 }),
  concurrency: fc.integer({ min: 1, max: 8 }),
};

/** Walks of a kind whose requests are counted. */
const WALKS = 50;

const old = (ids: string[]) => ids.filter((id) => id.startsWith("old-"));

/**
 * Expects that each record that was there all the time was read, and none twice. Of a list that has
 * lost and gained records, as many may be missed as it has lost: its total may have stayed the
 * same.
 */
function expectAll(list: PagedList, before: string[], ids: string[]): void {
  const read = new Set(ids);

  expect(read.size).toBe(ids.length);

  const missed = before.filter((id) => !list.removed.has(id) && !read.has(id));
  if (list.added > 0) expect(missed.length).toBeLessThanOrEqual(list.removed.size);
  else expect(missed).toEqual([]);
}

/** Reads page by page, changing the list before each request but the first. */
async function drainWhile(
  list: PagedList,
  change: (request: number) => void,
  walk: Partial<Walk> = {},
) {
  const requestedPages: number[] = [];
  const read = async (page: number) => {
    if (requestedPages.push(page) > 1) change(requestedPages.length);
    return list.serve(page);
  };

  const ids = await drain({
    list: read,
    maxPages: 1000,
    ...walk,
  });

  return { ids, requestedPages };
}

describe("new records at the beginning of a list", () => {
  test.each([
    ["one after the other", newestFirst],
    ["with equal times", threeAtATime],
    ["all of one time", () => 0],
  ])("hide or reorder no older record between any two requests: %s", async (_name, times) => {
    const scenario = fc.record({ ...sizes, moves: fc.array(moving(atFront), { maxLength: 60 }) });
    await fc.assert(
      fc.asyncProperty(scenario, async ({ count, perPage, ...walk }) => {
        const list = new PagedList(count, perPage, times);
        const before = list.ids;
        const ids = await play(list, walk);

        expect(old(ids)).toEqual(before);
        expect(new Set(ids).size).toBe(ids.length);
      }),
      { numRuns: 100 },
    );
  });

  test.each([
    { rate: 0.1, atMost: 1.7 },
    { rate: 0.3, atMost: 1.9 },
    { rate: 1, atMost: 2 },
    { rate: 3, atMost: 2.1 },
  ])(
    "make it at most $atMost requests a page if $rate come with each, served in any order",
    async ({ rate, atMost }) => {
      const random = randomNumbers();
      let requests = 0;
      for (let walk = 0; walk < WALKS; walk++) {
        const list = new PagedList(13 * 15, 15);
        const before = list.ids;
        const ids = await play(list, { concurrency: 8, moves: movesAt(rate / 2, random) });

        expect(old(ids)).toEqual(before);

        requests += list.requests.length;
      }

      expect(requests / (WALKS * 13)).toBeLessThan(atMost);
    },
  );

  test("are noticed on a page that was requested ahead and served before another", async () => {
    // Page 3 is served before the new record comes, page 2 after that: record 5 is on neither.
    const list = new PagedList(8, 2);
    const before = list.ids;
    const moves = [0, 0, 1, 0, 2, 0, 0].map((choice, step) => ({
      choice,
      changes: step === 3 ? [{ type: "insert" as const, at: 0, count: 1 }] : [],
    }));

    expect(await play(list, { concurrency: 2, moves })).toEqual(before);
    expect(list.requests.map(({ page }) => page)).toEqual([1, 2, 3, 3, 4, 5]);
  });
});

/** Numbers from 0 to 1, the same in every run. */
function randomNumbers(): () => number {
  let state = 1;
  return () => {
    state = (state * 48271) % 2147483647;
    return state / 2147483647;
  };
}

/**
 * Steps in any order, before each of which new first records come, as many on average as the rate.
 */
function* movesAt(rate: number, random: () => number) {
  for (;;) {
    let count = Math.floor(rate);
    if (random() < rate - count) count++;
    const changes: Change[] = count > 0 ? [{ type: "insert", at: 0, count }] : [];
    yield { choice: Math.floor(random() * 20), changes };
  }
}

describe("a list that changes in another way and then settles", () => {
  const kinds: [string, Times, fc.Arbitrary<Change>][] = [
    ["to which records are added anywhere", newestFirst, anywhere],
    ["of records of one time, to which others are added anywhere", () => 0, anywhere],
    ["to which records are added at its end", oldestFirst, atEnd],
    ["from which records are removed, newest first", newestFirst, removing],
    ["from which records are removed, oldest first", oldestFirst, removing],
    [
      "to which first records are added, and others removed",
      newestFirst,
      fc.oneof(atFront, removing),
    ],
    ["of which records of one time change places", threeAtATime, swapping],
    ["that does all of this", threeAtATime, fc.oneof(atFront, removing, swapping)],
  ];

  test.each(kinds)("is read completely or ends with an error: %s", async (_name, times, change) => {
    let walks = 0;
    let failures = 0;
    let incomplete = 0;
    const scenario = fc.record({
      ...sizes,
      moves: fc.array(moving(change), { maxLength: 40 }),
    });

    await fc.assert(
      fc.asyncProperty(scenario, async ({ count, perPage, ...walk }) => {
        const list = new PagedList(count, perPage, times);
        const before = list.ids;
        walks++;
        const result = await play(list, walk).catch((error: unknown) => error);
        if (Array.isArray(result)) {
          expectAll(list, before, result);
          if (before.some((id) => !list.removed.has(id) && !result.includes(id))) incomplete++;

          return;
        }

        failures++;

        expect(result).toMatchObject({
          kind: "response",
          message: expect.stringMatching(/read it again$/),
        });
      }),
      { numRuns: 1000 },
    );

    // A walk that always gave up would be of no use, and neither would one that often misses
    // records.
    expect(failures / walks).toBeLessThan(0.02);
    expect(incomplete / walks).toBeLessThan(0.01);
  });
});

describe("a list that never keeps still", () => {
  test.each<[string, (list: PagedList) => void]>([
    ["grows at its beginning by a page", (list) => list.insert(0, 6)],
    ["loses a record", (list) => list.remove(list.items.length - 1)],
  ])("and %s with every request ends with an error that says so", async (_name, change) => {
    const list = new PagedList(60, 6);
    let requests = 0;
    const walking = drainWhile(list, (request) => {
      requests = request;
      change(list);
    });

    await expect(walking).rejects.toMatchObject({
      kind: "response",
      message: "the list keeps changing while it is read: read it again",
    });

    expect(requests).toBeLessThanOrEqual(81);
  });
});

test("records that come in another order with every request are all read once a reading brings no other", async () => {
  const random = randomNumbers();
  const list = new PagedList(60, 15, () => 0);
  const { ids } = await drainWhile(list, () => {
    for (let index = 0; index < 60; index++) list.swap(index, Math.floor(random() * 60));
  });

  expect(ids.sort()).toEqual(list.ids.sort());
});

test("a record read twice in one pass does not count as one that was there before", async () => {
  // The pages of each reading. They state another size, so that only all readings together can
  // prove anything.
  const readings = [
    { pages: ["ab", "b"], totals: [3, 3] },
    { pages: ["no", "oa", "xb"], totals: [5, 6, 6] },
    { pages: ["kn", "oa", "xb"], totals: [6, 6, 6] },
  ];

  let reading = -1;
  const list = async (page: number) => {
    if (page === 1) reading++;
    const { pages, totals } = readings[reading] ?? { pages: [], totals: [] };
    const data = [...(pages[page - 1] ?? "")].map(item);

    return pageOf(data, {
      page,
      lastPage: pages.length,
      perPage: 9,
      total: totals[page - 1] ?? 0,
    });
  };

  expect(await drain({ list })).toContain("x");
});

test.each([
  ["in the first reading", 0],
  ["in the second one", 2],
])(
  "a record that was read %s and removed does not make up for one that was never read",
  async (_name, earlier) => {
    const list = new PagedList(3, 2, () => 0);
    list.insert(0);
    const { ids } = await drainWhile(list, (request) => {
      // An earlier reading has old-0 twice, and not old-2.
      if (request <= earlier + 1) list.swap(1, 3);
      if (request === earlier + 2) list.insert(0);
      if (request === earlier + 3) {
        list.remove(0);
        list.remove(0);
      }

      // This reading has read old-0 and old-1, and reads old-1 again.
      if (request === earlier + 5) {
        list.remove(0);
        list.swap(0, 1);
        list.insert(0);
      }
    });

    expect(ids).toEqual(expect.arrayContaining(["old-1", "old-2"]));
  },
);

test("one reading cannot notice that a record already read is removed and another added behind it", async () => {
  const list = new PagedList(6, 2, oldestFirst);
  const { ids, requestedPages } = await drainWhile(list, (request) => {
    if (request !== 2) return;
    list.remove(0);
    list.insert(-1);
  });

  expect(ids).toEqual(["old-0", "old-1", "old-3", "old-4", "old-5", "new-0"]);
  expect(requestedPages).toEqual([1, 2, 3]);
});
