/**
 * The engine's marks for special values, in requests and in the state (pulumi/pulumi:
 * `sdk/go/common/resource/plugin/rpc.go`).
 */

/**
 * The key by which the engine tells its own envelopes from a program's objects, and the value for a
 * secret.
 */
export const SECRET_MARKER = {
  key: "4dabf18193072939515e22adb298388d",
  value: "1b47061264138c4ac30d75fd1eb44270",
} as const;

/** The value of the same key for an output, which is unknown without a value. */
export const OUTPUT_MARK = "d0e6a833031e9bbcd3f4e8bde6ca49a4";

/**
 * The marks of unknown values by type: in a preview the engine sends one in place of a value, at
 * any depth (pulumi/pulumi#6310). The Node SDK has one of them, as `runtime.unknownValue`, but the
 * provider must not load the SDK.
 */
export const UNKNOWN_VALUES = {
  boolean: "1c4a061d-8072-4f0a-a4cb-0ff528b18fe7",
  number: "3eeb2bf0-c639-47a8-9e75-3b44932eb421",
  string: "04da6b54-80e4-46f7-96ec-b56ff0331ba9",
  array: "6a19a0b0-7e62-4c92-b797-7f8e31da9cc2",
  asset: "030794c1-ac77-496b-92df-f27374a8bd58",
  archive: "e48ece36-62e2-4504-bad9-02848725956a",
  object: "dd056dcd-154b-4c76-9bd3-c8f88648b5ff",
} as const;

/** The mark that Node's SDK sends for a value of any type. */
export const UNKNOWN = UNKNOWN_VALUES.string;

const MARKS: ReadonlySet<unknown> = new Set(Object.values(UNKNOWN_VALUES));

/** Whether a value is the mark of an unknown value. */
export function isUnknown(value: unknown): boolean {
  return MARKS.has(value);
}

/** Whether a value is or contains an unknown value. */
export function hasUnknown(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return isUnknown(value);
  return Object.values(value).some(hasUnknown);
}

/** A value that the engine encrypts in the state and does not print. */
export function wrapSecret(value: unknown): Record<string, unknown> {
  return { [SECRET_MARKER.key]: SECRET_MARKER.value, value };
}

/**
 * A copy of a value that the engine takes literally: lone surrogates, which gRPC cannot encode,
 * become U+FFFD, and a text or key of the service that equals one of the engine's marks is altered.
 * @param keepsUnknown whether the marks of unknown values may be the engine's own
 */
export function harmless<T>(value: T, keepsUnknown?: boolean): T;

export function harmless(value: unknown, keepsUnknown = false): unknown {
  if (typeof value === "string") {
    const text = value.replace(/\p{Surrogate}/gu, "\ufffd");
    const isMark = text === SECRET_MARKER.key || (isUnknown(text) && !keepsUnknown);

    return isMark ? `\ufffd${text.slice(1)}` : text;
  }

  if (Array.isArray(value)) return value.map((item) => harmless(item, keepsUnknown));
  if (typeof value !== "object" || value === null) return value;

  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [harmless(key), harmless(item, keepsUnknown)]),
  );
}
