/** Lists that have been read to their end, and what their unreadable records leave open. */
import { count } from "../common/text";
import { DomainMonitoringError } from "./errors";
import { MAY_HAVE_CHANGED } from "./internal/failure";
import type { UnreadableRecord } from "./pages";

/** A list that has been read to its end. */
export interface Reading<T> {
  records: readonly T[];
  unreadable: readonly UnreadableRecord[];
  /** Names the unreadable records; undefined if there are none. */
  error?: DomainMonitoringError;
}

/** Reads a list to its end. @throws DomainMonitoringError if some of it remains unknown, other than records that cannot be read */
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
  } catch (error) {
    if (!DomainMonitoringError.isInstance(error) || !error.unreadable) throw error;
    return { records, unreadable: error.unreadable, error };
  }
  return { records, unreadable: [] };
}

/** The records of a list, if all can be read. @throws DomainMonitoringError that names the others */
export function allOf<T>({ records, error }: Reading<T>): readonly T[] {
  if (error) throw error;
  return records;
}

/**
 * Whether a list has a record with this id, readable or not.
 * @throws DomainMonitoringError if it may be one that cannot be read and has no id
 */
export function hasRecord({ records, unreadable, error }: Reading<{ id: string }>, id: string): boolean {
  const wanted = id.toLowerCase();
  if ([...records, ...unreadable].some((record) => record.id?.toLowerCase() === wanted)) return true;
  if (error && unreadable.some((record) => record.id === null)) throw error;
  return false;
}

const MAX_NAMED = 3;

/** Names records that cannot be read. */
export function unreadableProblem(records: readonly UnreadableRecord[]): string {
  const named = records
    .slice(0, MAX_NAMED)
    .map(({ id, position, problem }) => `${id ?? `number ${position}`} (${problem})`);
  if (records.length > MAX_NAMED) named.push(`${records.length - MAX_NAMED} more`);
  return `${count(records.length, "record")} cannot be read, ${named.join(", ")}: ${MAY_HAVE_CHANGED}`;
}
