/**
 * Progress on standard error: a bar on a terminal that can redraw a line, and a line a minute
 * elsewhere, as in a pipeline's log.
 */

/** The part of a stream that is used. */
export interface ProgressStream {
  isTTY?: boolean;
  columns?: number;
  write(text: string): unknown;
}

interface Work {
  what: string;
  total: number | undefined;
  done: number;

  /** Time at which it began, in milliseconds. */
  begun: number;

  /** The thing being waited for, with a comma before it; empty for nothing. */
  note: string;
}

const MINUTE_MS = 60_000;
const MAX_BAR_WIDTH = 30;
const CLEAR_LINE = "\r\u001b[K";

export type Progress = ReturnType<typeof showProgress>;

/** Shows how much of a long work is done. Nothing is shown before the first `begin`. */
export function showProgress(
  stream: ProgressStream = process.stderr,
  { TERM, CI }: NodeJS.ProcessEnv = process.env,
) {
  const canRedraw = stream.isTTY && TERM !== "dumb" && (!CI || CI === "false");
  let work: Work | undefined;
  let ticker: NodeJS.Timeout | undefined;
  const update = (changed: Partial<Work>) => {
    if (!work) return;
    work = { ...work, ...changed };
    if (canRedraw) stream.write(CLEAR_LINE + lineOf(work, stream.columns || 80));
  };

  return {
    /**
     * Counts from 0. @param what plural noun of what is counted @param total without it, there is
     * no bar
     */
    begin: (what: string, total?: number) => {
      work = {
        what,
        total,
        done: 0,
        begun: Date.now(),
        note: "",
      };

      update({});
      if (!canRedraw)
        ticker ??= setInterval(() => work && stream.write(`${words(work)}\n`), MINUTE_MS).unref();
    },
    step: () => update({ done: (work?.done ?? 0) + 1, note: "" }),
    /** Shows that a rate limit is being waited for, until the next step. */
    wait: (milliseconds: number) =>
      update({ note: `, waiting ${Math.ceil(milliseconds / 1000)} s for the rate limit` }),
    /** Removes the bar; a second time does nothing. */
    end: () => {
      if (canRedraw && work) stream.write(CLEAR_LINE);
      clearInterval(ticker);
      work = undefined;
    },
  };
}

/** Such as `120/306 domains, about 3 min left`. */
function words({ what, total, done, begun, note }: Work): string {
  const counted = total === undefined ? `${done} ${what}` : `${done}/${total} ${what}`;
  const minutes =
    total && done ? Math.round((((Date.now() - begun) / done) * (total - done)) / MINUTE_MS) : 0;

  return counted + (minutes > 0 ? `, about ${minutes} min left` : "") + note;
}

/** A line that wraps could not be cleared, so what does not fit is left out. */
function lineOf(work: Work, columns: number): string {
  const all = words(work);
  const text = all.length < columns ? all : all.replace(/,.*/, "");
  const { total, done } = work;
  const space = Math.min(MAX_BAR_WIDTH, columns - text.length - 2);
  if (total === undefined || space < 5) return text;

  const filled = Math.round((done / total) * space);

  return `${"█".repeat(filled)}${"░".repeat(space - filled)} ${text}`;
}
