/** Values on the wire: protobuf's Struct against plain objects, and the envelope of a secret. */
import { type JavaScriptValue, Struct } from "google-protobuf/google/protobuf/struct_pb";
import { DESTINATION } from "../client/fields";
import { type Properties, SECRET_MARKER, wrapSecret } from "../provider/boundary";

/** Raised from the 4 MB that gRPC allows, as the engine does. */
const MESSAGE_SIZE = 400 * 1024 * 1024;

export const MESSAGE_SIZES = {
  "grpc.max_receive_message_length": MESSAGE_SIZE,
  "grpc.max_send_message_length": MESSAGE_SIZE,
};

/** A value in clear, and whether it is secret. */
export interface Opened {
  value: unknown;
  isSecret: boolean;
}

/** Opens the envelopes of a secret around a value, but not those in it. */
export function unwrap(given: unknown): Opened {
  const { [SECRET_MARKER.key]: mark, value }: Properties = Object(given);

  return mark === SECRET_MARKER.value
    ? { value: unwrap(value).value, isSecret: true }
    : { value: given, isSecret: false };
}

/** Opens all envelopes, including those inside a value. */
function openDeeply(given: unknown): Opened {
  let isSecret = false;

  const open = (part: unknown): unknown => {
    const opened = unwrap(part);
    if (opened.isSecret) isSecret = true;

    return mapParts(opened.value, open);
  };

  return { value: open(given), isSecret };
}

/**
 * Properties of a resource or arguments of a function in clear. A secret label is marked, like in
 * the program of the npm form, so that messages don't show it.
 * @param secrets takes the names of properties that are, or hold, a secret
 */
export function open(struct: Struct | undefined, secrets = new Set<string>()): Properties {
  const properties: Properties = {};
  for (const [name, given] of Object.entries(fromStruct(struct))) {
    const { value, isSecret } = openDeeply(given);
    properties[name] = value;
    if (isSecret) secrets.add(name);
  }

  return secrets.has("label") ? { ...properties, secretLabel: true } : properties;
}

/**
 * Properties for the engine, with envelopes around destinations and around what was secret in the
 * request. Null is not wrapped: it carries no secret.
 */
export function seal(properties: Properties, secrets: Iterable<string>): Struct {
  const { secretLabel, ...sealed } = properties;
  const label = secretLabel === true ? ["label"] : [];
  for (const name of new Set([...DESTINATION, ...label, ...secrets])) {
    const { value, isSecret } = unwrap(sealed[name] ?? null);
    if (value !== null && !isSecret) sealed[name] = wrapSecret(value);
  }

  return toStruct(sealed);
}

/** A value with other parts, if it has any. */
function mapParts(value: unknown, map: (part: unknown) => unknown): unknown {
  if (Array.isArray(value)) return value.map(map);
  if (typeof value !== "object" || value === null) return value;

  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, map(part)]));
}

/** @param properties plain JSON: a Struct holds nothing else */
export function toStruct(properties: Properties): Struct {
  return Struct.fromJavaScript(properties as Record<string, JavaScriptValue>);
}

export function fromStruct(struct: Struct | undefined): Properties {
  return struct?.toJavaScript() ?? {};
}
