/**
 * `pulumi-domain-monitoring/client`: the typed HTTP client, its errors and its types. Never loads
 * Pulumi.
 */

export { type DnsRecord, decodeDnsValue, decodeWhoisValue } from "./change-values";
export { DomainMonitoringClient } from "./client";
export type { Changes, Domains } from "./domains";
export {
  DomainMonitoringError,
  type DomainMonitoringFailure,
  type ErrorFacts,
  type ErrorKind,
  type HttpFailure,
  type InputFailure,
  type NoResponseFailure,
  type OperationName,
  type ResponseFailure,
  type Sent,
  type UnreadableRecord,
} from "./errors";
export type {
  CreateDomain,
  CreateNotificationChannel,
  UpdateDomain,
  UpdateNotificationChannel,
} from "./fields";
export type { NotificationChannels } from "./notification-channels";
export type { CallOptions, ClientEvent, ClientOptions } from "./options";
export {
  type IterateChannelsRequest,
  type IterateDomainsRequest,
  type IterateRequest,
  type ListChannelsRequest,
  type ListDomainsRequest,
  type Page,
  type PageRequest,
  PER_PAGE,
} from "./pages";
export { toInstant } from "./timestamps";
export * from "./types";
