/** The form of a UUID, anywhere in a text. */
export const UUID = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/i;

const ONLY_UUID = new RegExp(`^${UUID.source}$`, "i");

export function isUuid(text: unknown): text is string {
  return typeof text === "string" && ONLY_UUID.test(text);
}
