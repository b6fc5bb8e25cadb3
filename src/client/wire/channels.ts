/** A notification channel in the service's JSON, and the only requests with a body. */
import { z } from "zod";
import { UnexpectedShape } from "../internal/failure";
import {
  CHANNEL_TYPES,
  type CreateNotificationChannel,
  LABEL_LENGTH,
  type NotificationChannelData,
  type Page,
  type UpdateNotificationChannel,
  WEBHOOK_METHODS,
} from "../types";
import { nullableText, openEnum, paged, read, toPage, wirePage } from "./responses";

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

const wireChannelPage = wirePage(wireNotificationChannel);
const wireCreated = z.object({ data: wireNotificationChannel });

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
  return toPage(read(wireChannelPage, paged(body)), toChannel);
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
