/**
 * Walking a list that changes while it is walked: nothing lost, nothing twice, and how many
 * requests that takes.
 */
import type { DomainMonitoringError } from "../../src/client";
import { fc } from "../support/properties";
import {
  type Change,
  drain,
  type Form,
  newestFirst,
  oldestFirst,
  PagedList,
  play,
  type Times,
  threeAtATime,
  type Walk,
} from "./support/paged-list";

const inserting = (at: fc.Arbitrary<number>) =>
  fc.record({ type: fc.constant("insert" as const), at, count: fc.integer({ min: 1, max: 4 }) });

const atFront = inserting(fc.constant(0));
const atEnd = inserting(fc.constant(-1));
const anywhere = inserting(fc.oneof(fc.constant(0), fc.constant(-1), fc.nat(100)));
const removing = fc.record({ type: fc.constant("remove" as const), at: fc.nat(100) });

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

  const ids = await drain({ list: read, maxPages: 1000, ...walk });

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
    "make it at most $atMost requests a page if $rate come with each, in any order",
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

const readable: Form[] = ["readable"];
// Records without an id cannot be recognised in another place.
const odd: Form[] = ["readable", "readable", "named", "nameless"];

const kinds: [string, Times, fc.Arbitrary<Change>, Form[]][] = [
  ["to which records are added anywhere", newestFirst, anywhere, readable],
  ["to which records are added at its end", oldestFirst, atEnd, readable],
  ["from which records are removed, newest first", newestFirst, removing, readable],
  ["from which records are removed, oldest first", oldestFirst, removing, readable],
  ["with unreadable records, to which first ones are added", newestFirst, atFront, odd],
  ["with unreadable records, from which some are removed", newestFirst, removing, odd],
];

test.each(kinds)(
  "a list that changes in another way and then settles is read completely or ends with an error: %s",
  async (_name, times, change, forms) => {
    const scenario = fc.record({
      ...sizes,
      moves: fc.array(moving(change), { maxLength: 40 }),
      formAt: fc.array(fc.constantFrom(...forms), { minLength: 1, maxLength: 12 }),
    });

    let walks = 0;
    let failures = 0;
    await fc.assert(
      fc.asyncProperty(scenario, async ({ count, perPage, formAt, ...walk }) => {
        const formOf = (id: string) =>
          formAt[Number(id.replace(/\D+/g, "")) % formAt.length] ?? "readable";
        const list = new PagedList(count, perPage, times, formOf);
        const before = list.ids;
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
      { numRuns: 150 },
    );

    // A walk that always gave up would be of no use.
    expect(failures / walks).toBeLessThan(forms === odd ? 0.15 : 0.05);
  },
);

test.each<[string, (list: PagedList) => void, string]>([
  ["grows at its beginning by a page", (list) => list.insert(0, 6), "has more than 80 pages: re"],
  ["loses a record", (list) => list.remove(-1 + list.items.length), "keeps changing while it is"],
])(
  "a list that never keeps still and %s with every request ends with an error",
  async (_name, change, message) => {
    const list = new PagedList(60, 6);
    let requests = 0;
    const changing = (request: number) => {
      requests = request;
      change(list);
    };

    await expect(drainWhile(list, changing, { maxPages: 80 })).rejects.toMatchObject({
      kind: "response",
      message: expect.stringContaining(`the list ${message}`),
    });
    expect(requests).toBeLessThanOrEqual(81);
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
