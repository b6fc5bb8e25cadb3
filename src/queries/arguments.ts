/** Checks the arguments of functions, which a program in JavaScript may get wrong. */
import { DomainMonitoringError } from "../client/errors";

/** How many records a function returns at most where nothing else is given. */
const DEFAULT_LIMIT = 1000;

export function invalid(message: string): DomainMonitoringError {
  return new DomainMonitoringError("validation", message);
}

/** @throws DomainMonitoringError of kind `validation` */
export function limitOf(limit: number = DEFAULT_LIMIT): number {
  if (Number.isInteger(limit) && limit >= 1) return limit;
  throw invalid("limit is not a whole number of 1 or more: correct it");
}

/** @throws DomainMonitoringError of kind `validation` if there is another argument */
export function refuseOthers(name: string, others: object, known: string): void {
  const [other] = Object.keys(others);
  if (other !== undefined)
    throw invalid(`${JSON.stringify(other)} is not an argument of ${name}: use ${known}`);
}
