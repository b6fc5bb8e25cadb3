/** `pulumi-domain-monitoring/client`: the typed HTTP client, its errors and its types. Never loads Pulumi. */

export { type DnsRecord, decodeDnsValue, decodeWhoisValue } from "./change-values";
export type { Changes } from "./changes";
export { DomainMonitoringClient } from "./client";
export type { Domains } from "./domains";
export {
  DomainMonitoringError,
  type ErrorFacts,
  type ErrorKind,
  type OperationName,
  type Sent,
} from "./errors";
export type { ClientEvent } from "./events";
export type { NotificationChannels } from "./notification-channels";
export type { ClientOptions } from "./options";
export { toInstant } from "./timestamps";
export * from "./types";
