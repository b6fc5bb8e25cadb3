/** What one reading of a list asks for next and makes of each page, page by page. A letter is a record. */
import { Reading } from "../../src/client/lists/reading";
import { type Item, item, pageOf } from "./support/paged-list";

const PER_PAGE = 2;

/** A page of the list of these letters. */
function pageIn(list: string, page: number) {
  const data = [...list].slice((page - 1) * PER_PAGE, page * PER_PAGE).map(item);
  const lastPage = Math.max(1, Math.ceil(list.length / PER_PAGE));
  return pageOf(data, { page, lastPage, perPage: PER_PAGE, total: list.length });
}

/** A reading of the list `abcdef`, of which the first page was added. */
function begun(list = "abcdef") {
  const reading = new Reading<Item>(pageIn(list, 1));
  const add = (now: string, page: number, { ahead = false } = {}) => {
    const records = reading.add(pageIn(now, page), !ahead);
    const { next, lastAhead, complete } = reading;
    return { records: records.map(({ id }) => id).join(""), next, lastAhead, complete };
  };
  expect(add(list, 1)).toMatchObject({
    records: "ab",
    next: 2,
    lastAhead: Math.ceil(list.length / PER_PAGE),
  });
  return add;
}

test("a list that keeps still is complete with its last page", () => {
  const add = begun();
  expect(add("abcdef", 2)).toEqual({ records: "cd", next: 3, lastAhead: 3, complete: false });
  expect(add("abcdef", 3, { ahead: true })).toMatchObject({ records: "ef", next: undefined, complete: true });
});

test("after a new first record, the record that comes twice is skipped, and there is one page more", () => {
  const add = begun();
  expect(add("Nabcdef", 2)).toEqual({ records: "c", next: 3, lastAhead: 4, complete: false });
  expect(add("Nabcdef", 3)).toMatchObject({ records: "de", next: 4 });
  expect(add("Nabcdef", 4)).toMatchObject({ records: "f", next: undefined, complete: true });
});

test("fewer pages are requested ahead the faster new records come", () => {
  const long = "abcdefghijklmnopqrst";
  expect(begun(long)(`N${long}`, 2).lastAhead).toBe(4);
  expect(begun(long)(`NO${long}`, 2).lastAhead).toBe(4);
  const add = begun(long);
  add(`N${long}`, 2);
  expect(add(`N${long}`, 3).lastAhead).toBe(6);
});

test("a page that was served before the one before it is read again, and its other records are kept", () => {
  const add = begun();
  expect(add("Nabcdef", 2)).toMatchObject({ records: "c", next: 3 });
  expect(add("abcdef", 3, { ahead: true })).toMatchObject({ records: "", next: 3 });
  expect(add("Nabcdef", 3)).toMatchObject({ records: "def", next: undefined, complete: true });
});

describe("if a page of new records comes with every request", () => {
  /** Reads all pages, none of which overlaps the one before it. */
  function readWithoutOverlap() {
    const add = begun();
    // Only what is known: as many are expected during the next request.
    expect(add("NOabcdef", 2)).toMatchObject({ records: "", next: 4 });
    expect(add("PQNOabcdef", 4)).toMatchObject({ records: "cd", next: 6 });
    // All are read. That the new ones are the first is shown by a record that is certain, on its page.
    expect(add("RSPQNOabcdef", 6)).toEqual({ records: "ef", next: 5, lastAhead: 4, complete: false });
    return add;
  }

  test("the pages are in their places if a record of the first ones has moved on by as many", () => {
    const add = readWithoutOverlap();
    expect(add("RSPQNOabcdef", 4)).toMatchObject({ records: "", next: undefined, complete: true });
  });

  test("an earlier page does not show that", () => {
    const add = readWithoutOverlap();
    expect(add("NOabcdef", 2, { ahead: true })).toMatchObject({ records: "", complete: false });
    expect(add("TURSPQNOabcdef", 5)).toMatchObject({ records: "", next: undefined, complete: true });
  });

  test("a page that shows another record there ends the reading, and returns it", () => {
    const add = readWithoutOverlap();
    expect(add("RSPQabNOcdef", 4)).toMatchObject({ records: "NO", next: 5, complete: false });
  });
});

describe("what is expected during the next request", () => {
  test("is what came during the one that missed its page, and every second time what came earlier", () => {
    const add = begun();
    const next = (list: string, page: number) => add(list, page).next;
    expect(next("1234abcdef", 2)).toBe(6);
    // Two: four are expected again. None: none. Four: there was no other number before the last three. One: one.
    expect(next("123456abcdef", 6)).toBe(7);
    expect(next("123456abcdef", 7)).toBe(5);
    expect(next("1234567890abcdef", 5)).toBe(9);
    expect(next("12345678901abcdef", 9)).toBe(8);
    expect(next("12345678901abcdef", 8)).toBe(7);
    expect(add("12345678901abcdef", 7)).toMatchObject({ records: "cdef", complete: true });
  });

  test("is given up after a hundred of them, and the reading ends", () => {
    const reading = new Reading<Item>(pageIn("abcdef", 1));
    reading.add(pageIn("abcdef", 1), true);
    let list = "abcdef";
    let requests = 0;
    while (reading.next !== undefined) {
      // Always three pages more than before.
      list = "N".repeat(6 * ++requests) + list;
      const page = pageIn(list, reading.next);
      const data = page.data.map(({ id }, index) => item(id === "N" ? `N${requests}-${index}` : id));
      reading.add({ ...page, data }, true);
    }
    expect(reading.complete).toBe(false);
    expect(requests).toBe(101);
  });
});

describe("a list from which records were removed", () => {
  test("is read to its end page by page, the last one after all others", () => {
    const add = begun();
    expect(add("acdef", 2)).toEqual({ records: "de", next: 3, lastAhead: 2, complete: false });
    expect(add("acdef", 3)).toMatchObject({ records: "f", next: undefined, complete: false });
  });

  test("is noticed by a page that states less than the one before it", () => {
    const add = begun();
    expect(add("NOPabcdef", 2)).toMatchObject({ records: "", complete: false });
    expect(add("NOabcdef", 3)).toMatchObject({ records: "cd", next: 4, lastAhead: 3, complete: false });
  });

  test("is not noticed by a page that was requested before that one", () => {
    const add = begun();
    add("Nabcdef", 2);
    expect(add("abcdef", 3, { ahead: true })).toMatchObject({ records: "", next: 3 });
  });
});

test("a last page that was requested ahead is read again, if not all is known then", () => {
  const add = begun();
  expect(add("acbdef", 2)).toMatchObject({ records: "bd", next: 3, lastAhead: 2 });
  expect(add("acbdef", 3, { ahead: true })).toMatchObject({ records: "ef", next: 3 });
  expect(add("acbdef", 3)).toMatchObject({ records: "ef", next: undefined, complete: false });
});

describe("a page of another size than its total requires", () => {
  const usual = pageIn("abcdef", 2);

  test.each([
    ["another number of records on a page", { perPage: 3 }],
    ["another last page", { lastPage: 4 }],
  ])("states %s: the next one follows by number", (_name, meta: { perPage?: number; lastPage?: number }) => {
    const reading = new Reading<Item>(pageIn("abcdef", 1));
    reading.add(pageIn("abcdef", 1), true);
    const records = reading.add({ ...usual, meta: { ...usual.meta, ...meta } }, true);
    expect(records.map(({ id }) => id)).toEqual(["c", "d"]);
    expect(reading).toMatchObject({ next: 3, lastAhead: (meta.lastPage ?? 3) - 1 });
  });

  test("has a record less: the next one follows by number", () => {
    const reading = new Reading<Item>(pageIn("abcdef", 1));
    reading.add(pageIn("abcdef", 1), true);
    reading.add({ ...usual, data: usual.data.slice(1) }, true);
    expect(reading).toMatchObject({ next: 3, lastAhead: 2, complete: false });
  });
});
