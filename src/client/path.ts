/** Paths with caller's values in them: encoded, so that a value can never become another path. */
import { DomainMonitoringError } from "./errors";

/** Encodes an identifier for use as one segment of a path. @throws DomainMonitoringError of kind `validation` */
export function segment(name: string, value: string): string {
  // Half of a surrogate pair cannot be encoded.
  const isText = typeof value === "string" && !/\p{Surrogate}/u.test(value);
  if (!isText || value === "" || value === "." || value === "..") {
    throw new DomainMonitoringError("validation", `${name} is no identifier: give the domain's id`);
  }
  return encodeURIComponent(value);
}
