/** Makes many calls, a few at a time, and returns the results in order. */
import { DomainMonitoringError } from "../client/errors";
import { readAll } from "../client/pages";

/** The reason for which something could not be determined. */
export interface Failure {
  /** Kind of the client's error, such as `http` or `timeout`. */
  kind: string;

  /** HTTP status of the response; null if there was none. */
  status: number | null;

  /** One line. */
  message: string;
}

/** Kind of a failure that is a finding: a domain that the account lacks. */
export const MISSING = "missing";

/** The value of a call, or why there is none. Of a list the value may be a part. */
export type Outcome<T> =
  | { value: T; failure?: Failure | undefined }
  | { value?: undefined; failure: Failure };

/**
 * Runs `work` for every item, at most `width` at a time. The client limits its requests too, but a
 * call's deadline starts when it is made: of hundreds of simultaneous calls the last ones would
 * time out while queued.
 * @param onResult called after each item
 */
export async function mapLimit<Item, Result>(
  items: readonly Item[],
  width: number,
  work: (item: Item) => Promise<Result>,
  onResult: () => void = () => undefined,
): Promise<Result[]> {
  const results: Result[] = [];
  const queue = items.entries();
  const worker = async () => {
    // The workers share one iterator, so each takes the next free item.
    for (const [index, item] of queue) {
      results[index] = await work(item);
      onResult();
    }
  };

  await Promise.all(Array.from({ length: Math.min(width, items.length) }, worker));

  return results;
}

/** Turns a client error into data. Other errors are bugs and are thrown. */
export async function outcomeOf<T>(call: Promise<T>): Promise<Outcome<T>> {
  try {
    return { value: await call };
  } catch (error) {
    if (!(error instanceof DomainMonitoringError)) throw error;
    return { failure: failureOf(error) };
  }
}

/** A client's error as data. */
function failureOf({ kind, status, message }: DomainMonitoringError): Failure {
  return {
    kind,
    status: status ?? null,
    message,
  };
}

/** As {@link outcomeOf}, of a list: the records that can be read, and why others cannot. */
export async function listOf<T>(list: AsyncIterable<T>): Promise<Outcome<readonly T[]>> {
  const { value, failure } = await outcomeOf(readAll(list));
  if (!value) return { failure };

  const { records, error } = value;

  return { value: records, failure: error && failureOf(error) };
}
