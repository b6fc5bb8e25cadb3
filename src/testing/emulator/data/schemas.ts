/** Schemas of domains, changes and channels that come as JSON: from the state file or over the control endpoint. */
import { z } from "zod";
import { channelFields, monitoredFields, sslFields } from "../../../client/wire";
import type { ChangeSeed, DomainSeed, DomainUpdate, Duration } from "../types";

/** A schema for every field of a type, so that the compiler finds one that is missing or unknown. */
type Fields<Type> = { [Name in keyof Type]-?: z.ZodType<Type[Name]> };

const text = z.string().optional();
const nullableText = z.string().nullable().optional();
const flag = z.boolean().optional();

export const whoisSeed = z.strictObject(monitoredFields).partial();

export const dnsSeed = whoisSeed.extend({ enabledRecords: z.array(z.string()).optional() });

export const sslSeed = z.strictObject(sslFields).partial();

export const changeSeed = z.strictObject({
  id: text,
  fieldChanged: text,
  oldValue: z.unknown().optional(),
  newValue: z.unknown().optional(),
  createdAt: text,
} satisfies Fields<ChangeSeed>);

export const channelSeed = z
  .strictObject({ ...channelFields, value: nullableText, secondaryValue: nullableText })
  .omit({ createdAtHuman: true, lastNotificationSentAtHuman: true })
  .partial();

export const channelUpdate = channelSeed.omit({ id: true, createdAt: true });

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
