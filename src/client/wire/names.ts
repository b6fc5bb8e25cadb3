/** Names on the wire: those of the types, in snake_case. The bodies of requests need no more than that. */
import { CHANNEL_FIELDS } from "../channel-rules";
import type { CreateNotificationChannel } from "../types";

type Snake<Name> = Name extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${Snake<Rest>}`
  : Name;

/** A value as it is on the wire. */
export type Wire<T> = T extends readonly (infer Item)[]
  ? Wire<Item>[]
  : T extends object
    ? { [Name in keyof T as Snake<Name>]: Wire<T[Name]> }
    : T;

/** The name on the wire of a field: `typeHuman` is `type_human`. */
export function wireName(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** The body of a create or an update. Fields left out stay out. */
export function encodeChannel(channel: Partial<CreateNotificationChannel>): Record<string, unknown> {
  const given = CHANNEL_FIELDS.filter((name) => channel[name] !== undefined);
  return Object.fromEntries(given.map((name) => [wireName(name), channel[name]]));
}
