/** Lists that have been read to their end, and what their unreadable records leave open. */
import { oneLine } from "../common/redact";
import { count } from "../common/text";
import { DomainMonitoringError } from "./errors";
import { MAY_HAVE_CHANGED } from "./internal/failure";
import type { UnreadableRecord } from "./pages";

/** The records of a list that can be read, and the error that names the others, if there are any. */
export interface Reading<T> {
  records: readonly T[];
  error?: DomainMonitoringError;
}

/** @throws DomainMonitoringError if some of the list remains unknown, other than records that cannot be read */
export async function readAll<T>(
  list: AsyncIterable<T>,
  onRecord: () => void = () => undefined,
): Promise<Reading<T>> {
  const records: T[] = [];
  try {
    for await (const record of list) {
      records.push(record);
      onRecord();
    }
    return { records };
  } catch (error) {
    if (DomainMonitoringError.isInstance(error) && error.unreadable) return { records, error };
    throw error;
  }
}

/**
 * Whether a list has a record with this id, readable or not.
 * @throws DomainMonitoringError if it may be one that shows no id
 */
export function hasRecord({ records, error }: Reading<{ id: string }>, id: string): boolean {
  const ids = [...records, ...(error?.unreadable ?? [])].map((record) => record.id?.toLowerCase());
  const isListed = ids.includes(id.toLowerCase());
  if (!isListed && ids.includes(undefined)) throw error;
  return isListed;
}

/** Names records that cannot be read. */
export function unreadableProblem(records: readonly UnreadableRecord[]): string {
  const named = records.map(({ id, position, problem }) => `${id ?? `number ${position}`}, ${problem}`);
  return `${count(records.length, "record")} cannot be read (${oneLine(named.join("; "))}): ${MAY_HAVE_CHANGED}`;
}
