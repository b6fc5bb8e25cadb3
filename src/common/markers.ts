/** The engine's marks for special values, in requests and in the state. */

/** The key by which the engine tells its own envelopes from a program's objects, and the value for a secret. */
export const SECRET_MARKER = {
  key: "4dabf18193072939515e22adb298388d",
  value: "1b47061264138c4ac30d75fd1eb44270",
} as const;

/**
 * Marks an unknown value: in a preview the engine sends this string in place of a value of any type, at any depth
 * (pulumi/pulumi#6310). The SDK has it as `runtime.unknownValue`, but the provider must not load the SDK.
 */
export const UNKNOWN = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

/** Whether a value is or contains an unknown value. */
export function hasUnknown(value: unknown): boolean {
  if (value === UNKNOWN) return true;
  if (typeof value !== "object" || value === null) return false;
  return Object.values(value).some(hasUnknown);
}

/**
 * A copy of a value that the engine takes literally: lone surrogates, which gRPC cannot encode, become U+FFFD, and a text or key
 * of the service that equals one of the engine's marks is altered.
 * @param keepsUnknown whether the mark of an unknown value may be the engine's own
 */
export function harmless<T>(value: T, keepsUnknown?: boolean): T;
export function harmless(value: unknown, keepsUnknown = false): unknown {
  if (typeof value === "string") {
    const text = value.replace(/\p{Surrogate}/gu, "\ufffd");
    const isMark = text === SECRET_MARKER.key || (text === UNKNOWN && !keepsUnknown);
    return isMark ? `\ufffd${text.slice(1)}` : text;
  }
  if (Array.isArray(value)) return value.map((item) => harmless(item, keepsUnknown));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [harmless(key), harmless(item, keepsUnknown)]),
  );
}
