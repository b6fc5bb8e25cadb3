/** Schemas of domains, changes and channels that come as JSON: from the state file or over the control endpoint. */
import { z } from "zod";
import type { DnsComponent, MonitoredComponent, SslComponent } from "../../../client/types";
import type { ChangeSeed, ChannelSeed, ChannelUpdate, DomainSeed, DomainUpdate, Duration } from "../types";

/** A schema for every field of a type, so that the compiler finds one that is missing or unknown. */
type Fields<Type> = { [Name in keyof Type]-?: z.ZodType<Type[Name]> };

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
} satisfies Fields<Partial<MonitoredComponent>>;

export const whoisSeed = z.strictObject(monitored);

export const dnsSeed = z.strictObject({
  ...monitored,
  enabledRecords: z.array(z.string()).optional(),
} satisfies Fields<Partial<DnsComponent>>);

export const sslSeed = z.strictObject({
  isEnabled: flag,
  issuer: nullableText,
  organization: nullableText,
  expiresAt: nullableText,
  lastCheckedAt: nullableText,
  lastFoundInvalidAt: nullableText,
  lastConsideredValidAt: nullableText,
  hasChangedRecently: flag,
} satisfies Fields<Partial<SslComponent>>);

export const changeSeed = z.strictObject({
  id: text,
  fieldChanged: text,
  oldValue: z.unknown().optional(),
  newValue: z.unknown().optional(),
  createdAt: text,
} satisfies Fields<ChangeSeed>);

const channelFields = {
  label: text,
  type: text,
  typeHuman: text,
  value: nullableText,
  secondaryValue: nullableText,
  isProtected: flag,
  isDisabled: flag,
  disabledReason: nullableText,
  lastNotificationSentAt: nullableText,
  whoisNotificationsEnabled: flag,
  dnsNotificationsEnabled: flag,
  sslNotificationsEnabled: flag,
} satisfies Fields<ChannelUpdate>;

export const channelUpdate = z.strictObject(channelFields);

export const channelSeed = z.strictObject({
  ...channelFields,
  id: text,
  createdAt: text,
} satisfies Fields<ChannelSeed>);

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
} satisfies Fields<DomainUpdate>;

export const domainUpdate = z.strictObject(domainFields);

export const domainSeed = z.strictObject({
  ...domainFields,
  id: text,
  whoisChanges: z.array(changeSeed).optional(),
  dnsChanges: z.array(changeSeed).optional(),
  channels: z.array(channelSeed).optional(),
} satisfies Fields<DomainSeed>);

export const duration = z.strictObject({
  days: z.number().optional(),
  hours: z.number().optional(),
  minutes: z.number().optional(),
  seconds: z.number().optional(),
} satisfies Fields<Duration>);
