/** `pulumi-domain-monitoring`: what a Pulumi program imports. undici and zod load with the first call to the service. */
export type { DnsRecord } from "./client/change-values";
export type { DomainMonitoringClient } from "./client/client";
export { DomainMonitoringError, type ErrorKind, type OperationName, type Sent } from "./client/errors";
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
  type ChannelHistory,
  type ChannelSpec,
  DomainAlerts,
  type DomainAlertsArgs,
} from "./components/domain-alerts";
export {
  type AlteredDnsRecord,
  type DnsChangeSummary,
  type DnsChangesSummary,
  type DnsTypeSummary,
  summarizeDnsChanges,
} from "./functions/change-summary";
export {
  type ChangesResult,
  type DnsChangeResult,
  type GetChangesArgs,
  type GetChangesOutputArgs,
  type GetDnsChangesResult,
  type GetWhoisChangesResult,
  getDnsChanges,
  getDnsChangesOutput,
  getWhoisChanges,
  getWhoisChangesOutput,
  type WhoisChangeResult,
} from "./functions/changes";
export {
  type DomainResult,
  type GetDomainArgs,
  type GetDomainOutputArgs,
  getDomain,
  getDomainOutput,
} from "./functions/domain";
export {
  type DomainExpiry,
  daysUntil,
  type ExpiryOverride,
  type ExpiryRule,
  evaluateDomainExpiry,
} from "./functions/expiry";
export type { FunctionOptions, OutputFunctionOptions } from "./functions/invoke";
export {
  type RequireDomainExpiryArgs,
  type RequireDomainExpiryOutputArgs,
  requireDomainExpiry,
  requireDomainExpiryOutput,
} from "./functions/require-expiry";
export {
  type CommonChannelArgs,
  NotificationChannel,
  type NotificationChannelArgs,
  type NotificationChannelState,
  type OtherChannelArgs,
  type WebhookChannelArgs,
} from "./resources/notification-channel";
export { Provider, type ProviderArgs } from "./resources/provider";
