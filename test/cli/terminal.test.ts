/** Commands on a terminal: their progress, and texts in any script. */
import { mapLimit } from "../../src/cli/calls";
import { type Progress, showProgress } from "../../src/cli/progress";
import { oneLine, toJson } from "../../src/common/text";

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

describe("the progress", () => {
  /** The drawn texts; each one clears its line first. */
  function drawn(
    draw: (progress: Progress) => void,
    isTTY = true,
    environment: NodeJS.ProcessEnv = {},
  ): string[] {
    const written: string[] = [];
    draw(showProgress({ isTTY, write: (text: string) => written.push(text) }, environment));
    const clear = "\r\u001b[K";

    expect(written.filter((text) => !text.startsWith(clear))).toEqual([]);

    return written.map((text) => text.slice(clear.length));
  }

  it("counts, shows a wait for the rate limit until the next step, and begins anew", () => {
    const shown = drawn((progress) => {
      progress.wait(1000);
      progress.begin("domains listed");
      progress.wait(41_200);
      progress.step();
      progress.begin("domains", 2);
      progress.step();
      progress.wait(500);
      progress.step();
      progress.end();
      progress.end();
      progress.wait(1000);
    });

    expect(shown).toEqual([
      "0 domains listed",
      "0 domains listed, waiting 42 s for the rate limit",
      "1 domains listed",
      "0 of 2 domains",
      "1 of 2 domains",
      "1 of 2 domains, waiting 1 s for the rate limit",
      "2 of 2 domains",
      "",
    ]);
  });

  const work = (progress: Progress) => {
    progress.begin("domains", 3);
    progress.wait(60_000);
    progress.step();
    progress.end();
  };

  it.each([
    [false, {}, false],
    [true, { TERM: "dumb" }, false],
    [true, { CI: "1", TERM: "xterm" }, false],
    [true, { CI: "false", TERM: "xterm" }, true],
    [true, { CI: "" }, true],
  ])("with a terminal (%s) and the environment %j it is drawn: %s", (isTTY, env, isDrawn) => {
    expect(drawn(work, isTTY, env).length > 0).toBe(isDrawn);
  });
});

// An emoji of several characters, a Persian word with U+200C, and a conjunct of Devanagari with
// U+200D.
it.each(["👨🏽\u200d💻", "❤\ufe0f\u200d🔥", "می\u200cخواهم", "क्\u200dष"])(
  "text on a terminal keeps the joiners of %j",
  (text) => {
    expect(oneLine(`a\u202e ${text}\u200b`)).toBe(`a ${text}`);
    expect(toJson({ text })).toContain(text);
  },
);
