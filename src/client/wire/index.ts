/**
 * The JSON of answers (interface.md, sections 2 and 4).
 *
 * Answers are read leniently: unknown fields are dropped, unknown enum values are kept, and fields that are empty before
 * the first check may be null or missing.
 * Loading this module loads zod, so `http.ts` and the operations require it on their first call only.
 */
import { z } from "zod";
import type {
  DnsChange,
  DnsComponent,
  Domain,
  DomainComponents,
  MonitoredComponent,
  NotificationChannelData,
  SslComponent,
  WhoisChange,
} from "../types";
import { codec, nullableText, pagesOf, read, readOne } from "./codec";

/** Fields of the WHOIS and DNS components. */
const monitoredFields = {
  isEnabled: z.boolean(),
  checkInterval: z.string(),
  checkStatus: z.string(),
  latestCheckDetails: nullableText,
  lastCheckedAt: nullableText,
  nextCheckAt: nullableText,
  lastManualCheckAt: nullableText,
  changesDetectedAt: nullableText,
  hasChangedRecently: z.boolean(),
  wasManuallyCheckedRecently: z.boolean(),
};

const whoisComponent = codec<MonitoredComponent>(monitoredFields);

const dnsComponent = codec<DnsComponent>({ ...monitoredFields, enabledRecords: z.array(z.string()) });

const sslFields = {
  isEnabled: z.boolean(),
  issuer: nullableText,
  organization: nullableText,
  expiresAt: nullableText,
  lastCheckedAt: nullableText,
  lastFoundInvalidAt: nullableText,
  lastConsideredValidAt: nullableText,
  hasChangedRecently: z.boolean(),
};

const sslComponent = codec<SslComponent>(sslFields);

/** interface.md, section 2.1. */
const domain = codec<Domain>({
  id: z.string(),
  label: z.string(),
  domain: z.string(),
  description: nullableText,
  colour: nullableText,
  provider: nullableText,
  expiresAt: nullableText,
  components: codec<DomainComponents>({ whois: whoisComponent, dns: dnsComponent, ssl: sslComponent }),
  createdAt: z.string(),
  updatedAt: z.string(),
});

const listed = z.object({ data: z.tuple([z.unknown()]) });

/**
 * Reads the answer of 4.1, or to a create or an update, which are undocumented; also an array of one, as in the
 * service's documentation of a create.
 *
 * @throws UnexpectedShape
 */
export function readOneDomain(body: unknown, id?: string): Domain {
  return readOne(domain, listed.safeParse(body).data?.data[0] ?? body, id);
}

/** Reads a page of domains, which is undocumented. @throws UnexpectedShape */
export const readDomainPage = pagesOf(domain);

const common = {
  id: z.string(),
  domainId: z.union([z.number(), z.string()], "expected a number or a string"),
  fieldChanged: z.string(),
  oldValue: nullableText,
  newValue: nullableText,
  identifier: z.string(),
  createdAt: z.string(),
  createdAtHuman: nullableText,
};

/** interface.md, section 2.2. */
const whoisChange = codec<WhoisChange>(common);

/** interface.md, section 2.3. */
const dnsChange = codec<DnsChange>({
  ...common,
  fieldChangedHuman: nullableText,
  oldValueFormatted: nullableText,
  newValueFormatted: nullableText,
  changeSummary: nullableText,
  diff: nullableText,
});

/** Reads the answer of 4.2. @throws UnexpectedShape */
export const readWhoisPage = pagesOf(whoisChange);

/** Reads the answer of 4.3. @throws UnexpectedShape */
export const readDnsPage = pagesOf(dnsChange);

const channelFields = {
  id: z.string().min(1),
  label: z.string(),
  type: z.string(),
  typeHuman: z.string(),
  whoisNotificationsEnabled: z.boolean(),
  dnsNotificationsEnabled: z.boolean(),
  sslNotificationsEnabled: z.boolean(),
  isProtected: z.boolean(),
  isDisabled: z.boolean(),
  disabledReason: nullableText,
  lastNotificationSentAt: nullableText,
  lastNotificationSentAtHuman: nullableText,
  createdAt: z.string(),
  createdAtHuman: nullableText,
};

/** interface.md, section 2.4. */
const channel = codec<NotificationChannelData>(channelFields);

const created = codec<{ data: NotificationChannelData }>({ data: channel });

/** Reads the answer of 4.4. @throws UnexpectedShape */
export function readCreatedChannel(body: unknown): NotificationChannelData {
  return read(created, body).data;
}

/** Reads the answer of an operation on one channel. @throws UnexpectedShape */
export function readChannel(body: unknown, id: string): NotificationChannelData {
  return readOne(channel, body, id);
}

/** Reads a page of channels. @throws UnexpectedShape */
export const readChannelPage = pagesOf(channel);

const identified = z.object({ data: z.object({ id: z.string().min(1).max(200) }) });

/** The id in an otherwise unusable answer of 4.4: the channel exists, and its id must not be lost. */
export function identifyCreatedChannel(body: unknown): string | undefined {
  return identified.safeParse(body).data?.data.id;
}
