/**
 * `pulumi-domain-monitoring`: what a Pulumi program imports. undici and zod load with the first
 * call to the service.
 */

// First, because it says how to install the SDK: others would only fail to find it.
import "./program/internal/sdk";

export type { DnsRecord } from "./client/change-values";
export type { DomainMonitoringClient } from "./client/client";
export {
  DomainMonitoringError,
  type DomainMonitoringFailure,
  type ErrorKind,
  type HttpFailure,
  type InputFailure,
  type NoResponseFailure,
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
export * from "./program/domain";
export * from "./program/domain-alerts";
export type { FunctionOptions, OutputFunctionOptions } from "./program/function-options";
export * from "./program/functions";
export * from "./program/notification-channel";
export * from "./program/provider";
export type { CertificateExpiry } from "./rules/certificate";
export { daysUntil } from "./rules/days";
export { type DomainExpiry, evaluateDomainExpiry } from "./rules/expiry";
export type { ExpiryOverride, ExpiryRule } from "./rules/expiry-rule";
