/** Checks of the arguments of calls, and their form in a path or query. */
import { domainIdProblem } from "../domain-rules";
import { DomainMonitoringError } from "../errors";
import { type PageRequest, PER_PAGE } from "../pages";

/**
 * Encodes an id for use as one segment of a path. @throws DomainMonitoringError of kind
 * `validation`
 */
export function pathSegment(name: string, id: string): string {
  const problem = domainIdProblem(id);
  if (problem !== undefined) throw new DomainMonitoringError("validation", `${name} ${problem}`);

  return encodeURIComponent(id);
}

/** @throws DomainMonitoringError of kind `validation` */
export function wholeNumber(
  name: string,
  value: number,
  maximum = Number.MAX_SAFE_INTEGER,
): string {
  if (!Number.isInteger(value) || value < 1 || value > maximum) {
    const range = maximum === Number.MAX_SAFE_INTEGER ? "1 or more" : `from 1 to ${maximum}`;

    throw new DomainMonitoringError(
      "validation",
      `${name} is not a whole number ${range}: correct it`,
    );
  }

  return String(value);
}

/**
 * The query for a page of a list; empty without one. @throws DomainMonitoringError of kind
 * `validation`
 */
export function pageQuery({ page, perPage }: PageRequest): string {
  const query = new URLSearchParams();

  if (perPage !== undefined)
    query.set("per_page", wholeNumber("perPage", perPage, PER_PAGE.maximum));

  if (page !== undefined) query.set("page", wholeNumber("page", page));

  return query.size > 0 ? `?${query}` : "";
}

/**
 * @throws DomainMonitoringError of kind `validation` if there are problems; they name fields, never
 * values
 */
export function refuse(what: string, problems: readonly string[]): void {
  if (problems.length > 0)
    throw new DomainMonitoringError("validation", `${what} was not sent: ${problems.join("; ")}`);
}
