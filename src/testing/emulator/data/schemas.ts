/** Schemas of domains, changes and channels that come as JSON: from the state file or over the control endpoint. */
import { z } from "zod";
import type { DnsComponent, MonitoredComponent, SslComponent } from "../../../client/types";
import type { ChangeSeed, ChannelUpdate, DomainSeed, DomainUpdate, Duration } from "../types";

const text = z.string().optional();
const nullableText = z.string().nullable().optional();
const flag = z.boolean().optional();

const monitored = {
  isEnabled: flag,
  checkInterval: text,
  checkStatus: text,
  latestCheckDetails: nullableText,
  lastCheckedAt: nullableText,
  nextCheckAt: nullableText,
  lastManualCheckAt: nullableText,
  changesDetectedAt: nullableText,
  hasChangedRecently: flag,
  wasManuallyCheckedRecently: flag,
};

export const whoisSeed: z.ZodType<Partial<MonitoredComponent>> = z.strictObject(monitored);

export const dnsSeed: z.ZodType<Partial<DnsComponent>> = z.strictObject({
  ...monitored,
  enabledRecords: z.array(z.string()).optional(),
});

export const sslSeed: z.ZodType<Partial<SslComponent>> = z.strictObject({
  isEnabled: flag,
  issuer: nullableText,
  organization: nullableText,
  expiresAt: nullableText,
  lastCheckedAt: nullableText,
  lastFoundInvalidAt: nullableText,
  lastConsideredValidAt: nullableText,
  hasChangedRecently: flag,
});

export const changeSeed: z.ZodType<ChangeSeed> = z.strictObject({
  id: text,
  fieldChanged: text,
  oldValue: z.unknown().optional(),
  newValue: z.unknown().optional(),
  createdAt: text,
});

const domainFields = {
  domain: text,
  label: text,
  description: nullableText,
  colour: nullableText,
  provider: nullableText,
  expiresAt: nullableText,
  checked: flag,
  whois: whoisSeed.optional(),
  dns: dnsSeed.optional(),
  ssl: sslSeed.optional(),
};

export const domainUpdate: z.ZodType<DomainUpdate> = z.strictObject(domainFields);

export const domainSeed: z.ZodType<DomainSeed> = z.strictObject({
  ...domainFields,
  id: text,
  whoisChanges: z.array(changeSeed).optional(),
  dnsChanges: z.array(changeSeed).optional(),
});

export const channelUpdate: z.ZodType<ChannelUpdate> = z.strictObject({
  label: text,
  typeHuman: text,
  isProtected: flag,
  isDisabled: flag,
  disabledReason: nullableText,
  lastNotificationSentAt: nullableText,
  whoisNotificationsEnabled: flag,
  dnsNotificationsEnabled: flag,
  sslNotificationsEnabled: flag,
});

export const duration: z.ZodType<Duration> = z.strictObject({
  days: z.number().optional(),
  hours: z.number().optional(),
  minutes: z.number().optional(),
  seconds: z.number().optional(),
});
