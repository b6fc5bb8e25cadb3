/** A progress bar on a terminal that can redraw a line; nothing is written elsewhere, or where a pipeline runs. */

/** The part of a stream that is used. */
export interface ProgressStream {
  isTTY?: boolean;
  columns?: number;
  write(text: string): unknown;
}

/** A progress bar. */
export interface Progress {
  /** Counts one more as done. */
  step(): void;
  /** Shows that a rate limit is being waited for, until the next step. */
  wait(milliseconds: number): void;
  /** Removes the bar; a second time does nothing. */
  end(): void;
}

const LONGEST_BAR = 30;
const CLEAR_LINE = "\r\u001b[K";

/**
 * Shows how many of `total` are done.
 * @param what plural noun of what is counted
 */
export function showProgress(
  total: number,
  what: string,
  stream: ProgressStream = process.stderr,
  { TERM, CI }: NodeJS.ProcessEnv = process.env,
): Progress {
  const nothing = () => undefined;
  const canRedraw = stream.isTTY && TERM !== "dumb" && (!CI || CI === "false");
  if (!canRedraw || total === 0) return { step: nothing, wait: nothing, end: nothing };
  let done = 0;
  let ended = false;
  const draw = (note = "") => {
    const columns = stream.columns || 80;
    const alone = `${done}/${total} ${what}`;
    // A line that wraps could not be cleared.
    const count = alone.length + note.length < columns ? alone + note : alone;
    const space = Math.min(LONGEST_BAR, columns - count.length - 2);
    const filled = Math.round((done / total) * space);
    const bar = space < 5 ? "" : `${"█".repeat(filled)}${"░".repeat(space - filled)} `;
    stream.write(`${CLEAR_LINE}${bar}${count}`);
  };
  draw();
  return {
    step: () => {
      done++;
      draw();
    },
    wait: (milliseconds) => {
      if (!ended) draw(`, waiting ${Math.ceil(milliseconds / 1000)} s for the rate limit`);
    },
    end: () => {
      if (!ended) stream.write(CLEAR_LINE);
      ended = true;
    },
  };
}
