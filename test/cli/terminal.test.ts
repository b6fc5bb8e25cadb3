/** Commands on a terminal: their progress, and texts in any script. */
import { mapLimit } from "../../src/cli/calls";
import { type Progress, showProgress } from "../../src/cli/progress";
import { cut, width } from "../../src/cli/text";
import { oneLine, toJson } from "../../src/common/text";
import { fc } from "../support/properties";

it("works on a few items at a time, keeps their order and counts", async () => {
  const waiting: (() => void)[] = [];
  let underWay = 0;
  let most = 0;
  let counted = 0;
  const work = async (item: number) => {
    underWay++;
    most = Math.max(most, underWay);
    await new Promise<void>((resolve) => waiting.push(resolve));
    underWay--;

    return item * 10;
  };

  const done = mapLimit([1, 2, 3, 4, 5, 6, 7], 3, work, () => counted++);
  // The latest call is always answered first.
  while (counted < 7) {
    waiting.pop()?.();
    await new Promise(setImmediate);
  }

  expect(await done).toEqual([10, 20, 30, 40, 50, 60, 70]);
  expect(most).toBe(3);
});

describe("the progress bar", () => {
  /** The drawn texts; each one clears its line first. */
  function drawn(
    draw: (progress: Progress) => void,
    terminal: { isTTY?: boolean; columns?: number } = { isTTY: true, columns: 80 },
    environment: NodeJS.ProcessEnv = {},
  ): string[] {
    const written: string[] = [];
    draw(showProgress({ ...terminal, write: (text: string) => written.push(text) }, environment));
    const clear = "\r\u001b[K";

    expect(written.filter((text) => !text.startsWith(clear))).toEqual([]);

    return written.map((text) => text.slice(clear.length));
  }

  const bar = (done: number, total: number) => "█".repeat(done).padEnd(total, "░");

  it("shows a wait for the rate limit until the next step", () => {
    const shown = drawn((progress) => {
      progress.begin("domains", 2);
      progress.wait(41_200);
      progress.step();
      progress.step();
      progress.end();
      progress.end();
      progress.wait(1000);
    });

    expect(shown).toEqual([
      `${bar(0, 30)} 0/2 domains`,
      `${bar(0, 30)} 0/2 domains, waiting 42 s for the rate limit`,
      `${bar(15, 30)} 1/2 domains`,
      `${bar(30, 30)} 2/2 domains`,
      "",
    ]);
  });

  it("counts what it does not know the number of, and then begins anew", () => {
    const shown = drawn((progress) => {
      progress.wait(1000);
      progress.begin("domains listed");
      progress.wait(41_200);
      progress.step();
      progress.begin("domains", 1);
    });

    expect(shown).toEqual([
      "0 domains listed",
      "0 domains listed, waiting 42 s for the rate limit",
      "1 domains listed",
      `${bar(0, 30)} 0/1 domains`,
    ]);
  });

  const work = (progress: Progress) => {
    progress.begin("domains", 3);
    progress.wait(60_000);
    progress.step();
    progress.end();
  };

  it.each([5, 12, 20, 40])("fits into %d columns or shows only the count", (columns) => {
    for (const text of drawn(work, { isTTY: true, columns }))
      expect(text.length).toBeLessThanOrEqual(Math.max(columns, "0/3 domains".length));
  });

  it.each([
    [false, {}, false],
    [true, { TERM: "dumb" }, false],
    [true, { CI: "1", TERM: "xterm" }, false],
    [true, { CI: "false", TERM: "xterm" }, true],
    [true, { CI: "" }, true],
  ])(
    "where there is a terminal (%s) and the environment has %j, it is drawn: %s",
    (isTTY, env, isDrawn) => {
      expect(drawn(work, { isTTY }, env).length > 0).toBe(isDrawn);
    },
  );
});

describe("the progress of a long work", () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  it("is a line a minute where nothing can be drawn", () => {
    const written: string[] = [];
    const progress = showProgress({ write: (text: string) => written.push(text) }, {});
    progress.begin("domains", 12);
    jest.advanceTimersByTime(59_000);
    for (let done = 0; done < 3; done++) progress.step();

    expect(written).toEqual([]);

    jest.advanceTimersByTime(1000);
    progress.wait(41_200);
    jest.advanceTimersByTime(60_000);
    progress.end();
    jest.advanceTimersByTime(600_000);

    expect(written).toEqual([
      "3/12 domains, about 3 min left\n",
      "3/12 domains, about 6 min left, waiting 42 s for the rate limit\n",
    ]);

    expect(jest.getTimerCount()).toBe(0);
  });

  it.each([
    [80, / 1\/12 domains, about 11 min left$/],
    [20, / 1\/12 domains$/],
  ])("shows what is left beside a bar of %i columns, where it fits", (columns, shown) => {
    const written: string[] = [];
    const terminal = {
      isTTY: true,
      columns,
      write: (text: string) => written.push(text),
    };

    const progress = showProgress(terminal, {});
    progress.begin("domains", 12);
    jest.advanceTimersByTime(60_000);
    progress.step();

    expect(written[1]).toMatch(shown);

    progress.end();
  });
});

describe("text on a terminal", () => {
  // An emoji of several characters, a Persian word with U+200C, and a conjunct of Devanagari with
  // U+200D.
  it.each([
    ["👨🏽\u200d💻", 2],
    ["❤\ufe0f\u200d🔥", 2],
    ["🇩🇪", 2],
    ["می\u200cخواهم", 7],
    ["क्\u200dष", 2],
  ])("keeps the joiners of %j, and counts its %d columns", (text, columns) => {
    expect(oneLine(`a\u202e ${text}\u200b`)).toBe(`a ${text}`);
    expect(toJson({ text })).toContain(text);
    expect(width(text)).toBe(columns);
    expect(cut(`${text}abc`, columns + 1)).toBe(`${text}…`);
    expect(cut(`${text}abc`, columns)).toBe(columns === 2 ? "…" : `${text.slice(0, -1)}…`);
  });

  it("is never wider than requested", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: "grapheme" }),
        fc.integer({ min: 1, max: 40 }),
        (text, columns) => {
          expect(width(cut(text, columns))).toBeLessThanOrEqual(columns);
        },
      ),
    );
  });
});
