/** The lists of the service as the client iterates over them: their options, their settings and their errors. */
import { DomainMonitoringError, type OperationName } from "../errors";
import type { Http } from "../internal/http";
import { wholeNumber } from "../internal/input";
import type { CallOptions, Page } from "../types";
import { iteratePages } from "./pages";
import type { Listed } from "./places";

/** A list of the service. */
interface List<T> {
  operation: OperationName;
  /** The domain whose list it is. @default none: the account's */
  domainId?: string;
  maxPages: number | undefined;
  confirm?: boolean;
  list: (page: number, call: CallOptions) => Promise<Page<T>>;
}

/** Every record of a list of the service. @throws DomainMonitoringError of kind `validation` for an invalid `maxPages` */
export function iterateList<T extends Listed>(
  { settings }: Http,
  { operation, domainId, maxPages, confirm, list }: List<T>,
  call: CallOptions = {},
): AsyncIterable<T> {
  if (maxPages !== undefined) wholeNumber("maxPages", maxPages);
  const name = domainId === undefined ? operation : `${operation} of domain ${domainId}`;
  return iteratePages({
    list: (page, signal) => list(page, { ...call, signal }),
    maxPages,
    confirm,
    concurrency: settings.concurrency,
    signal: call.signal,
    unreadable: (problem) => new DomainMonitoringError("response", `${name}: ${problem}`, { operation }),
  });
}
