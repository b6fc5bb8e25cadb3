/**
 * The JSON of requests and answers (interface.md, sections 2 and 4). The only module that knows the wire names.
 *
 * Answers are read leniently: unknown fields are dropped, unknown enum values are kept, and fields that are empty before
 * the first check may be null or missing. Requests are strict.
 * Loading this module loads zod, so `http.ts` and the operations require it on their first call only.
 */
import { z } from "zod";
import {
  CHANNEL_TYPES,
  type CreateNotificationChannel,
  type DnsChange,
  type Domain,
  LABEL_LENGTH,
  type MonitoredComponent,
  type NotificationChannelData,
  type OpenEnum,
  type Page,
  type UpdateNotificationChannel,
  WEBHOOK_METHODS,
  type WhoisChange,
} from "../types";
import { UnexpectedShape } from "./failure";

const openEnum = <Known extends string>(): z.ZodType<OpenEnum<Known>> => z.string();
const nullableText = z.string().nullish();
const count = z.number().int();

const monitoredComponent = {
  is_enabled: z.boolean(),
  check_interval: openEnum<"weekly">(),
  check_status: openEnum<"HEALTHY">(),
  latest_check_details: nullableText,
  last_checked_at: nullableText,
  next_check_at: nullableText,
  last_manual_check_at: nullableText,
  changes_detected_at: nullableText,
  has_changed_recently: z.boolean(),
  was_manually_checked_recently: z.boolean(),
};

/** interface.md, section 2.1. */
export const wireDomain = z.object({
  id: z.string(),
  label: z.string(),
  domain: z.string(),
  description: nullableText,
  colour: nullableText,
  provider: nullableText,
  expires_at: nullableText,
  components: z.object({
    whois: z.object(monitoredComponent),
    dns: z.object({ ...monitoredComponent, enabled_records: z.array(z.string()) }),
    ssl: z.object({
      is_enabled: z.boolean(),
      issuer: nullableText,
      organization: nullableText,
      expires_at: nullableText,
      last_checked_at: nullableText,
      last_found_invalid_at: nullableText,
      last_considered_valid_at: nullableText,
      has_changed_recently: z.boolean(),
    }),
  }),
  created_at: z.string(),
  updated_at: z.string(),
});

const change = {
  id: z.string(),
  domain_id: z.union([z.number(), z.string()], "expected a number or a string"),
  old_value: nullableText,
  new_value: nullableText,
  identifier: z.string(),
  created_at: z.string(),
  created_at_human: nullableText,
};

/** interface.md, section 2.2. */
export const wireWhoisChange = z.object({
  ...change,
  field_changed: openEnum<"registrar" | "nameservers">(),
});

/** interface.md, section 2.3. */
export const wireDnsChange = z.object({
  ...change,
  field_changed: openEnum<"a_records" | "mx_records">(),
  field_changed_human: nullableText,
  old_value_formatted: nullableText,
  new_value_formatted: nullableText,
  change_summary: nullableText,
  diff: nullableText,
});

/** interface.md, section 2.5. */
export const wirePage = <Item extends z.ZodType>(item: Item) =>
  z.object({
    data: z.array(item),
    links: z.object({ first: nullableText, last: nullableText, prev: nullableText, next: nullableText }),
    meta: z.object({
      current_page: count,
      from: count.nullish(),
      last_page: count,
      per_page: count,
      to: count.nullish(),
      total: count,
    }),
  });

/** interface.md, section 2.4. */
export const wireNotificationChannel = z.object({
  id: z.string().min(1),
  label: z.string(),
  type: openEnum<(typeof CHANNEL_TYPES)[number]>(),
  type_human: z.string(),
  whois_notifications_enabled: z.boolean(),
  dns_notifications_enabled: z.boolean(),
  ssl_notifications_enabled: z.boolean(),
  is_protected: z.boolean(),
  is_disabled: z.boolean(),
  disabled_reason: nullableText,
  last_notification_sent_at: nullableText,
  last_notification_sent_at_human: nullableText,
  created_at: z.string(),
  created_at_human: nullableText,
});

const flag = z.boolean().nullish();

/** interface.md, section 4.4: the body of the only write. */
export const wireCreateNotificationChannel = z.strictObject({
  label: z.string().refine((label) => {
    const length = [...label].length;
    return length >= LABEL_LENGTH.minimum && length <= LABEL_LENGTH.maximum;
  }, `must have ${LABEL_LENGTH.minimum} to ${LABEL_LENGTH.maximum} characters`),
  type: z.enum(CHANNEL_TYPES),
  value: z.string().nullable(),
  secondary_value: z.string().nullish(),
  whois_notifications_enabled: flag,
  dns_notifications_enabled: flag,
  ssl_notifications_enabled: flag,
});

const webhookMethods: readonly string[] = WEBHOOK_METHODS;

/** The rule for a webhook's method (interface.md, section 4.4), as arguments of a schema's `refine`. */
export const webhookMethodRule = [
  ({ type, secondary_value: method }: { type?: string; secondary_value?: string | null }) =>
    type !== "webhook" || method === undefined || method === null || webhookMethods.includes(method),
  { path: ["secondary_value"], error: `must be one of ${WEBHOOK_METHODS.join(", ")} for a webhook` },
] satisfies Parameters<typeof wireCreateNotificationChannel.refine>;

/**
 * The body of an update, which the interface does not show (docs/beyond-the-interface.md). A flag is not null: of a create
 * that means true, of an update nobody knows.
 */
export const wireUpdateNotificationChannel = z.strictObject({
  label: wireCreateNotificationChannel.shape.label.optional(),
  type: wireCreateNotificationChannel.shape.type.optional(),
  value: wireCreateNotificationChannel.shape.value.optional(),
  secondary_value: z.string().nullable().optional(),
  whois_notifications_enabled: z.boolean().optional(),
  dns_notifications_enabled: z.boolean().optional(),
  ssl_notifications_enabled: z.boolean().optional(),
});

const wireSubmitted = wireCreateNotificationChannel.refine(...webhookMethodRule);

const wireSubmittedUpdate = wireUpdateNotificationChannel
  .refine((body) => Object.keys(body).length > 0, "it has no field: give at least one")
  .refine(...webhookMethodRule);

const wireWhoisPage = wirePage(wireWhoisChange);
const wireDnsPage = wirePage(wireDnsChange);
const wireChannelPage = wirePage(wireNotificationChannel);
const wireCreated = z.object({ data: wireNotificationChannel });

/** Maximum number of fields named in a message. */
const MOST_FIELDS = 3;

/** Validates an answer. @throws UnexpectedShape */
function read<Fields extends z.ZodRawShape>(
  schema: z.ZodObject<Fields>,
  body: unknown,
): z.infer<z.ZodObject<Fields>> {
  const result = schema.safeParse(body);
  if (result.success) return result.data;
  const known = Object.keys(schema.shape);
  const foreign = typeof body !== "object" || body === null || !known.some((field) => field in body);
  const { issues } = result.error;
  const named = issues.slice(0, MOST_FIELDS).map((issue) => `${issue.path.join(".")}: ${expectation(issue)}`);
  if (issues.length > MOST_FIELDS) named.push(`${issues.length - MOST_FIELDS} more`);
  throw new UnexpectedShape(named.join("; "), foreign);
}

function expectation(issue: z.core.$ZodIssue): string {
  if (issue.code !== "invalid_type") return issue.message;
  return `expected ${/^[aeiou]/.test(issue.expected) ? "an" : "a"} ${issue.expected}`;
}

/** Reads the answer of 4.1. @throws UnexpectedShape */
export function readDomain(body: unknown): Domain {
  const wire = read(wireDomain, body);
  const { whois, dns, ssl } = wire.components;
  return {
    id: wire.id,
    label: wire.label,
    domain: wire.domain,
    description: wire.description ?? null,
    colour: wire.colour ?? null,
    provider: wire.provider ?? null,
    expiresAt: wire.expires_at ?? null,
    components: {
      whois: toComponent(whois),
      dns: { ...toComponent(dns), enabledRecords: dns.enabled_records },
      ssl: {
        isEnabled: ssl.is_enabled,
        issuer: ssl.issuer ?? null,
        organization: ssl.organization ?? null,
        expiresAt: ssl.expires_at ?? null,
        lastCheckedAt: ssl.last_checked_at ?? null,
        lastFoundInvalidAt: ssl.last_found_invalid_at ?? null,
        lastConsideredValidAt: ssl.last_considered_valid_at ?? null,
        hasChangedRecently: ssl.has_changed_recently,
      },
    },
    createdAt: wire.created_at,
    updatedAt: wire.updated_at,
  };
}

function toComponent(wire: z.infer<typeof wireDomain>["components"]["whois"]): MonitoredComponent {
  return {
    isEnabled: wire.is_enabled,
    checkInterval: wire.check_interval,
    checkStatus: wire.check_status,
    latestCheckDetails: wire.latest_check_details ?? null,
    lastCheckedAt: wire.last_checked_at ?? null,
    nextCheckAt: wire.next_check_at ?? null,
    lastManualCheckAt: wire.last_manual_check_at ?? null,
    changesDetectedAt: wire.changes_detected_at ?? null,
    hasChangedRecently: wire.has_changed_recently,
    wasManuallyCheckedRecently: wire.was_manually_checked_recently,
  };
}

/** Reads the answer of 4.2. @throws UnexpectedShape */
export function readWhoisPage(body: unknown): Page<WhoisChange> {
  // Not spread: that took eight times as long as the validation.
  return toPage(read(wireWhoisPage, body), (item) => ({
    id: item.id,
    domainId: item.domain_id,
    fieldChanged: item.field_changed,
    oldValue: item.old_value ?? null,
    newValue: item.new_value ?? null,
    identifier: item.identifier,
    createdAt: item.created_at,
    createdAtHuman: item.created_at_human ?? null,
  }));
}

/** Reads the answer of 4.3. @throws UnexpectedShape */
export function readDnsPage(body: unknown): Page<DnsChange> {
  return toPage(read(wireDnsPage, body), (item) => ({
    id: item.id,
    domainId: item.domain_id,
    fieldChanged: item.field_changed,
    oldValue: item.old_value ?? null,
    newValue: item.new_value ?? null,
    identifier: item.identifier,
    createdAt: item.created_at,
    createdAtHuman: item.created_at_human ?? null,
    fieldChangedHuman: item.field_changed_human ?? null,
    oldValueFormatted: item.old_value_formatted ?? null,
    newValueFormatted: item.new_value_formatted ?? null,
    changeSummary: item.change_summary ?? null,
    diff: item.diff ?? null,
  }));
}

type WirePage<Item> = Omit<z.infer<typeof wireWhoisPage>, "data"> & { data: Item[] };

function toPage<Item, T>(wire: WirePage<Item>, toItem: (item: Item) => T): Page<T> {
  const { links, meta } = wire;
  return {
    data: wire.data.map(toItem),
    links: {
      first: links.first ?? null,
      last: links.last ?? null,
      prev: links.prev ?? null,
      next: links.next ?? null,
    },
    meta: {
      currentPage: meta.current_page,
      from: meta.from ?? null,
      lastPage: meta.last_page,
      perPage: meta.per_page,
      to: meta.to ?? null,
      total: meta.total,
    },
  };
}

/** Reads the answer of 4.4. @throws UnexpectedShape */
export function readCreatedChannel(body: unknown): NotificationChannelData {
  return toChannel(read(wireCreated, body).data);
}

/**
 * Reads an answer with one channel, at the top level or in `data`: which of the two is not known for all operations.
 *
 * @param id of the channel that was asked for
 * @throws UnexpectedShape
 */
export function readChannel(body: unknown, id: string): NotificationChannelData {
  const isWrapped = typeof body === "object" && body !== null && "data" in body;
  const channel = toChannel(read(wireNotificationChannel, isWrapped ? body.data : body));
  if (channel.id.toLowerCase() !== id.toLowerCase())
    throw new UnexpectedShape("id: expected that of the channel that was asked for", false);
  return channel;
}

/** Reads a page of channels. @throws UnexpectedShape */
export function readChannelPage(body: unknown): Page<NotificationChannelData> {
  return toPage(read(wireChannelPage, body), toChannel);
}

function toChannel(wire: z.infer<typeof wireNotificationChannel>): NotificationChannelData {
  return {
    id: wire.id,
    label: wire.label,
    type: wire.type,
    typeHuman: wire.type_human,
    whoisNotificationsEnabled: wire.whois_notifications_enabled,
    dnsNotificationsEnabled: wire.dns_notifications_enabled,
    sslNotificationsEnabled: wire.ssl_notifications_enabled,
    isProtected: wire.is_protected,
    isDisabled: wire.is_disabled,
    disabledReason: wire.disabled_reason ?? null,
    lastNotificationSentAt: wire.last_notification_sent_at ?? null,
    lastNotificationSentAtHuman: wire.last_notification_sent_at_human ?? null,
    createdAt: wire.created_at,
    createdAtHuman: wire.created_at_human ?? null,
  };
}

const wireIdentified = z.object({ data: z.object({ id: z.string().min(1).max(200) }) });

/** The id in an otherwise unusable answer of 4.4: the channel exists, and its id must not be lost. */
export function identifyCreatedChannel(body: unknown): string | undefined {
  return wireIdentified.safeParse(body).data?.data.id;
}

/** The body of 4.4. Throws a ZodError, which holds paths and no values. Fields left out stay out. */
export function writeChannel(
  channel: CreateNotificationChannel,
): z.infer<typeof wireCreateNotificationChannel> {
  const { label, type, value, secondaryValue, ...flags } = channel;
  const body: Record<string, unknown> = { label, type, value };
  const optional = {
    secondary_value: secondaryValue,
    whois_notifications_enabled: flags.whoisNotificationsEnabled,
    dns_notifications_enabled: flags.dnsNotificationsEnabled,
    ssl_notifications_enabled: flags.sslNotificationsEnabled,
  };
  for (const [name, given] of Object.entries(optional)) {
    if (given !== undefined) body[name] = given;
  }
  return wireSubmitted.parse(body);
}

const UPDATE_NAMES: Record<
  keyof UpdateNotificationChannel,
  keyof z.infer<typeof wireUpdateNotificationChannel>
> = {
  label: "label",
  type: "type",
  value: "value",
  secondaryValue: "secondary_value",
  whoisNotificationsEnabled: "whois_notifications_enabled",
  dnsNotificationsEnabled: "dns_notifications_enabled",
  sslNotificationsEnabled: "ssl_notifications_enabled",
};

/** The body of an update. Throws a ZodError, which holds paths and no values. Fields left out stay out. */
export function writeChannelUpdate(
  changes: UpdateNotificationChannel,
): z.infer<typeof wireUpdateNotificationChannel> {
  const names = new Map<string, string>(Object.entries(UPDATE_NAMES));
  const body = new Map<string, unknown>();
  for (const [name, given] of Object.entries(changes)) {
    const wireName = names.get(name);
    if (wireName === undefined)
      throw new z.ZodRealError([
        {
          code: "custom",
          path: [],
          input: undefined,
          message: `it has an unknown field: use ${[...names.keys()].join(", ")}`,
        },
      ]);
    if (given !== undefined) body.set(wireName, given);
  }
  return wireSubmittedUpdate.parse(Object.fromEntries(body));
}
