/** A progress bar on a terminal that can redraw a line; nothing is written elsewhere, or where a pipeline runs. */

/** The part of a stream that is used. */
export interface ProgressStream {
  isTTY?: boolean;
  columns?: number;
  write(text: string): unknown;
}

/** A progress bar. Nothing is shown before the first `begin`. */
export interface Progress {
  /**
   * Begins to count, from 0.
   * @param what plural noun of what is counted
   * @param total how many there are; without it, there is no bar
   */
  begin(what: string, total?: number): void;
  /** Counts one more as done. */
  step(): void;
  /** Shows that a rate limit is being waited for, until the next step. */
  wait(milliseconds: number): void;
  /** Removes the bar; a second time does nothing. */
  end(): void;
}

interface Work {
  what: string;
  total: number | undefined;
  done: number;
}

const MAX_BAR_WIDTH = 30;
const CLEAR_LINE = "\r\u001b[K";

/** Shows how much of a long work is done. */
export function showProgress(
  stream: ProgressStream = process.stderr,
  { TERM, CI }: NodeJS.ProcessEnv = process.env,
): Progress {
  const canRedraw = stream.isTTY && TERM !== "dumb" && (!CI || CI === "false");
  let work: Work | undefined;
  const draw = (note = "") => {
    if (canRedraw && work) stream.write(`${CLEAR_LINE}${lineOf(work, note, stream.columns || 80)}`);
  };
  return {
    begin: (what, total) => {
      work = { what, total, done: 0 };
      draw();
    },
    step: () => {
      if (work) work = { ...work, done: work.done + 1 };
      draw();
    },
    wait: (milliseconds) => draw(`, waiting ${Math.ceil(milliseconds / 1000)} s for the rate limit`),
    end: () => {
      if (canRedraw && work) stream.write(CLEAR_LINE);
      work = undefined;
    },
  };
}

/** A line that wraps could not be cleared, so what does not fit is left out. */
function lineOf({ what, total, done }: Work, note: string, columns: number): string {
  const alone = total === undefined ? `${done} ${what}` : `${done}/${total} ${what}`;
  const count = alone.length + note.length < columns ? alone + note : alone;
  const space = Math.min(MAX_BAR_WIDTH, columns - count.length - 2);
  if (total === undefined || space < 5) return count;
  const filled = Math.round((done / total) * space);
  return `${"█".repeat(filled)}${"░".repeat(space - filled)} ${count}`;
}
