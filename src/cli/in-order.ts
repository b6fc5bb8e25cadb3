/** Many questions, a few at a time, answered in the order in which they were asked. */
import { DomainMonitoringError } from "../client/errors";

/** Why something could not be determined. */
export interface Failure {
  /** Kind of the client's error, such as `http` or `timeout`. */
  kind: string;
  /** HTTP status of the answer; null where there was none. */
  status: number | null;
  /** One line. */
  message: string;
}

/** An answer, or why there is none. */
export type Outcome<T> = { value: T; failure?: undefined } | { value?: undefined; failure: Failure };

/**
 * Asks about every item, at most `width` at a time. The client bounds its requests as well, but a call's deadline begins
 * when it is made: with hundreds of calls at once the last ones would run out of time while they wait for their turn.
 * @param onAnswer told after each answer
 */
export async function inOrder<Item, Result>(
  items: readonly Item[],
  width: number,
  work: (item: Item) => Promise<Result>,
  onAnswer: () => void = () => undefined,
): Promise<Result[]> {
  const results = new Map<number, Result>();
  const queue = items.entries();
  const worker = async () => {
    // The workers share one iterator: each takes the next item that nobody has taken.
    for (const [index, item] of queue) {
      results.set(index, await work(item));
      onAnswer();
    }
  };
  await Promise.all(Array.from({ length: Math.min(width, items.length) }, worker));
  return [...results].sort(([a], [b]) => a - b).map(([, result]) => result);
}

/** A failed call as data. Other errors are mistakes of ours and stay errors. */
export async function outcomeOf<T>(call: Promise<T>): Promise<Outcome<T>> {
  try {
    return { value: await call };
  } catch (error) {
    if (!(error instanceof DomainMonitoringError)) throw error;
    return { failure: { kind: error.kind, status: error.status ?? null, message: error.message } };
  }
}
