/** `pulumi-domain-monitoring`: what a Pulumi program imports. undici and zod load with the first call to the service. */
export type { DnsRecord } from "./client/change-values";
export type { DomainMonitoringClient } from "./client/client";
export {
  DomainMonitoringError,
  type DomainMonitoringFailure,
  type ErrorKind,
  type HttpFailure,
  type InputFailure,
  type NoAnswerFailure,
  type OperationName,
  type ResponseFailure,
  type Sent,
} from "./client/errors";
export type {
  ChannelType,
  DnsComponent,
  DomainComponents,
  MonitoredComponent,
  OpenEnum,
  SslComponent,
  WebhookMethod,
} from "./client/types";
export {
  type ChannelOptions,
  type ChannelSpec,
  DomainAlerts,
  type DomainAlertsArgs,
} from "./program/domain-alerts";
export type { FunctionOptions, OutputFunctionOptions } from "./program/function-options";
export {
  type GetChangesOutputArgs,
  getDnsChanges,
  getDnsChangesOutput,
  getWhoisChanges,
  getWhoisChangesOutput,
} from "./program/get-changes";
export {
  type GetDomainByIdOutputArgs,
  type GetDomainByNameOutputArgs,
  type GetDomainOutputArgs,
  type GetDomainsOutputArgs,
  getDomain,
  getDomainOutput,
  getDomains,
  getDomainsOutput,
} from "./program/get-domain";
export {
  type GetNotificationChannelsOutputArgs,
  getNotificationChannels,
  getNotificationChannelsOutput,
} from "./program/get-notification-channels";
export {
  type CommonChannelArgs,
  NotificationChannel,
  type NotificationChannelArgs,
  type NotificationChannelState,
  type OtherChannelArgs,
  type RuntimeTypeChannelArgs,
  type WebhookChannelArgs,
} from "./program/notification-channel";
export { Provider, type ProviderArgs } from "./program/provider";
export {
  type ExpiryRuleArgs,
  type RequireDomainExpiryOutputArgs,
  requireDomainExpiry,
  requireDomainExpiryOutput,
} from "./program/require-domain-expiry";
export type { GetChangesArgs, GetDnsChangesResult, GetWhoisChangesResult } from "./queries/changes";
export type {
  GetNotificationChannelsArgs,
  GetNotificationChannelsResult,
  NotificationChannelResult,
} from "./queries/channels";
export type { DomainResult, GetDomainArgs, GetDomainByIdArgs, GetDomainByNameArgs } from "./queries/domain";
export type { GetDomainsArgs, GetDomainsResult } from "./queries/domains";
export type { RequireDomainExpiryArgs } from "./queries/expiry";
export {
  type AlteredDnsRecord,
  type DnsChangeSummary,
  type DnsChangesSummary,
  type DnsTypeSummary,
  summarizeDnsChanges,
} from "./rules/change-summary";
export type { ChangesResult, DnsChangeResult, WhoisChangeResult } from "./rules/changes";
export { daysUntil } from "./rules/days";
export {
  type DomainExpiry,
  type ExpiryOverride,
  type ExpiryRule,
  evaluateDomainExpiry,
} from "./rules/expiry";
