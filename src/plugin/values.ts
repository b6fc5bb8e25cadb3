/** Values on the wire: protobuf's Struct against plain objects, and the envelope of a secret. */
import { type JavaScriptValue, Struct } from "google-protobuf/google/protobuf/struct_pb";
import { type Properties, SECRET_MARKER, UNKNOWN, wrapSecret } from "../provider/boundary";

/** Raised from the 4 MB that gRPC allows, as the engine does. */
const MESSAGE_SIZE = 400 * 1024 * 1024;

export const MESSAGE_SIZES = {
  "grpc.max_receive_message_length": MESSAGE_SIZE,
  "grpc.max_send_message_length": MESSAGE_SIZE,
};

/** The value of the secret's key for an output, which is unknown without a value. */
export const OUTPUT_MARK = "d0e6a833031e9bbcd3f4e8bde6ca49a4";

/** Inputs and outputs that are secret in every program. */
const SECRETS = ["value", "secondaryValue"] as const;

/** A value in clear: whether it is secret, and the URNs of the resources that it comes from. */
export interface Opened {
  value: unknown;
  isSecret: boolean;
  dependencies: string[];
}

/**
 * Opens the envelopes around a value, but not those in it: of secrets, and for components of
 * outputs.
 */
export function unwrap(given: unknown): Opened {
  const { [SECRET_MARKER.key]: mark, value, secret, dependencies }: Properties = Object(given);
  if (mark !== SECRET_MARKER.value && mark !== OUTPUT_MARK)
    return {
      value: given,
      isSecret: false,
      dependencies: [],
    };

  // An output without a value is unknown.
  const inner = unwrap(value === undefined ? UNKNOWN : value);

  return {
    value: inner.value,
    isSecret: inner.isSecret || secret === true || mark === SECRET_MARKER.value,
    dependencies: Array.isArray(dependencies)
      ? [...dependencies, ...inner.dependencies]
      : inner.dependencies,
  };
}

/** Opens all envelopes, including those inside a value. */
export function openDeeply(given: unknown): Opened {
  const opened: Opened = {
    value: undefined,
    isSecret: false,
    dependencies: [],
  };

  const open = (part: unknown): unknown => {
    const { value, isSecret, dependencies } = unwrap(part);

    if (isSecret) opened.isSecret = true;
    opened.dependencies.push(...dependencies);

    return mapParts(value, open);
  };

  opened.value = open(given);

  return opened;
}

/**
 * The parts of an object, each in a copy of the object's envelope (secret, dependencies); undefined
 * for any other value.
 */
export function partsOf(given: unknown): Properties | undefined {
  const { value, isSecret: secret, dependencies } = unwrap(given);
  if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;

  const envelope = {
    [SECRET_MARKER.key]: OUTPUT_MARK,
    secret,
    dependencies,
  };

  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => [name, { ...envelope, value: part }]),
  );
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
  const { secretLabel: _, ...sealed } = properties;
  for (const name of new Set([...SECRETS, ...secrets])) {
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
