/** Names on the wire, and the bodies of requests. */
import { CHANNEL_FIELDS } from "../channel-rules";
import type { CreateNotificationChannel } from "../types";

/** The name on the wire of a field: `typeHuman` is `type_human`. */
export function wireName(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** The body of a create or an update. Fields left out stay out. */
export function encodeChannel(channel: Partial<CreateNotificationChannel>): Record<string, unknown> {
  const given = CHANNEL_FIELDS.filter((name) => channel[name] !== undefined);
  return Object.fromEntries(given.map((name) => [wireName(name), channel[name]]));
}
