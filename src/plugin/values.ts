/** Values on the wire: protobuf's Struct against plain objects, and the envelope of a secret. */
import { type JavaScriptValue, Struct } from "google-protobuf/google/protobuf/struct_pb";
import { SECRET_MARKER, wrapSecret } from "../common/markers";
import type { Properties } from "../provider/boundary";

/** Inputs and outputs that are secret in every program. */
const SECRETS = ["value", "secondaryValue"] as const;

/** The value in an envelope, and whether it was in one. */
export function unwrapSecret(given: unknown): { value: unknown; isSecret: boolean } {
  if (typeof given !== "object" || given === null) return { value: given, isSecret: false };
  const isSecret =
    SECRET_MARKER.key in given && given[SECRET_MARKER.key] === SECRET_MARKER.value && "value" in given;
  return isSecret ? { value: given.value, isSecret } : { value: given, isSecret };
}

/**
 * Properties of a resource or arguments of a function in clear. A secret label is marked, as the npm form's program does it, so
 * that messages keep it.
 * @param secrets takes the names of those that are, or hold, a secret
 */
export function open(struct: Struct | undefined, secrets = new Set<string>()): Properties {
  const properties: Properties = {};
  for (const [name, value] of Object.entries(fromStruct(struct)))
    properties[name] = clear(value, () => secrets.add(name));
  return secrets.has("label") ? { ...properties, secretLabel: true } : properties;
}

/**
 * Properties for the engine, with envelopes around destinations and around what was secret in the request. Null gets none: it
 * says nothing, and would be encrypted.
 */
export function seal(properties: Properties, secrets: Iterable<string>): Struct {
  const { secretLabel: _, ...sealed } = properties;
  for (const name of new Set([...SECRETS, ...secrets])) {
    const { value, isSecret } = unwrapSecret(sealed[name] ?? null);
    if (value !== null && !isSecret) sealed[name] = wrapSecret(value);
  }
  return toStruct(sealed);
}

function clear(given: unknown, onSecret: () => void): unknown {
  const { value, isSecret } = unwrapSecret(given);
  if (isSecret) onSecret();
  if (Array.isArray(value)) return value.map((item) => clear(item, onSecret));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, clear(item, onSecret)]));
}

/** @param properties plain JSON: a Struct holds nothing else */
export function toStruct(properties: Properties): Struct {
  return Struct.fromJavaScript(properties as Record<string, JavaScriptValue>);
}

export function fromStruct(struct: Struct | undefined): Properties {
  return struct?.toJavaScript() ?? {};
}
