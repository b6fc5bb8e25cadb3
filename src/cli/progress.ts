/**
 * Progress on standard error: one line, which is redrawn on a terminal. Elsewhere, as in a
 * pipeline's log, nothing.
 */

/** The part of a stream that is used. */
export interface ProgressStream {
  isTTY?: boolean;
  write(text: string): unknown;
}

const CLEAR_LINE = "\r\u001b[K";

export type Progress = ReturnType<typeof showProgress>;

/** Shows how much of a long work is done, such as `123 of 306 domains`. */
export function showProgress(
  stream: ProgressStream = process.stderr,
  { TERM, CI }: NodeJS.ProcessEnv = process.env,
) {
  const canRedraw = stream.isTTY && TERM !== "dumb" && (!CI || CI === "false");
  let what = "";
  let total: number | undefined;
  let done = 0;
  const draw = (note = "") => {
    if (!canRedraw || what === "") return;

    const counted = total === undefined ? `${done} ${what}` : `${done} of ${total} ${what}`;
    stream.write(CLEAR_LINE + counted + note);
  };

  return {
    /** Counts from 0. @param noun plural noun of what is counted @param count undefined: unknown */
    begin: (noun: string, count?: number) => {
      what = noun;
      total = count;
      done = 0;
      draw();
    },
    step: () => {
      done++;
      draw();
    },
    /** Shows that a rate limit is being waited for, until the next step. */
    wait: (milliseconds: number) =>
      draw(`, waiting ${Math.ceil(milliseconds / 1000)} s for the rate limit`),
    /** Removes the line; a second time does nothing. */
    end: () => {
      if (canRedraw && what !== "") stream.write(CLEAR_LINE);
      what = "";
    },
  };
}
