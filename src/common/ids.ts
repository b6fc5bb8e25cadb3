/** Ids of the service. */
import { isUnknown } from "./markers";

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** No slash and not only dots, as ids are segments of paths. */
const ID = /^(?!\.+$)[A-Za-z0-9._-]{1,64}$/;

export function isUuid(text: unknown): text is string {
  return typeof text === "string" && UUID.test(text);
}

/**
 * Whether a text can be recorded as an id: in the state, in paths, in commands and in messages it
 * is what it is.
 */
export function isId(text: unknown): text is string {
  return typeof text === "string" && ID.test(text) && !isUnknown(text);
}
