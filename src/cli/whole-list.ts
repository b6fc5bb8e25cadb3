/**
 * Reads a whole list of the service. Not by the client's `iterate`: a rate limit repeats only the page that met it, where it
 * would begin a long list again and again.
 */
import { DomainMonitoringError, type OperationName } from "../client/errors";
import { iteratePages } from "../client/lists/pages";
import type { Page } from "../client/types";
import type { Account } from "./account";

/** More pages than any list has; a service that reports more is broken. */
const MAXIMUM_PAGES = 10_000;

/** A list, and how to read a page of it. */
export interface WholeList<T> {
  operation: OperationName;
  /** Whose list it is, for messages. */
  of?: string;
  page(number: number, signal: AbortSignal): Promise<Page<T>>;
}

/** Every record, in the order served. @throws DomainMonitoringError */
export function wholeList<T extends { id: string; createdAt: string }>(
  { concurrency, withRetry }: Account,
  { operation, of, page }: WholeList<T>,
): AsyncIterable<T> {
  const name = of === undefined ? operation : `${operation} of ${of}`;
  return iteratePages({
    list: (number, signal) => withRetry(() => page(number, signal)),
    maxPages: MAXIMUM_PAGES,
    confirm: true,
    concurrency,
    unreadable: (problem) => new DomainMonitoringError("response", `${name}: ${problem}`, { operation }),
  });
}
