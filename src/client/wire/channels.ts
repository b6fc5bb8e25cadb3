/** A notification channel in the service's JSON. */
import { z } from "zod";
import { UnexpectedShape } from "../internal/failure";
import type { ChannelType, NotificationChannelData, Page } from "../types";
import { nullableText, openEnum, paged, read, toPage, wirePage } from "./responses";

/** interface.md, section 2.4. */
export const wireNotificationChannel = z.object({
  id: z.string().min(1),
  label: z.string(),
  type: openEnum<ChannelType>(),
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
