/** Paths of requests. */
import { isUuid } from "../../common/uuid";
import { DomainMonitoringError } from "../errors";

/** Path of the channels of a domain. @throws DomainMonitoringError of kind `validation` */
export function channelsPath(domainId: string): string {
  return `/api/domains/${pathSegment("domainId", domainId)}/notification-channels`;
}

/** Encodes an id for use as one segment of a path. @throws DomainMonitoringError of kind `validation` */
export function pathSegment(name: string, id: string): string {
  // Half of a surrogate pair cannot be encoded.
  const isText = typeof id === "string" && !/\p{Surrogate}/u.test(id);
  if (!isText || id === "" || id === "." || id === "..") {
    throw new DomainMonitoringError("validation", `${name} is not a valid id: use the domain's id`);
  }
  return encodeURIComponent(id);
}

/**
 * A channel's id as one segment of a path. Only a UUID: the service has other addresses in the place of an id, such as
 * `history`. @throws DomainMonitoringError of kind `validation`
 */
export function channelSegment(name: string, id: string): string {
  if (isUuid(id)) return id;
  throw new DomainMonitoringError("validation", `${name} is not a valid channel id: use the channel's UUID`);
}
