/** A notification channel in the service's JSON. */
import { z } from "zod";
import type { NotificationChannelData } from "../types";
import { codec } from "./codec";
import { nullableText, pagesOf, read, readOne } from "./responses";

export const channelFields = {
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
export const channel = codec<NotificationChannelData>(channelFields);

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
