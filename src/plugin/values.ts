/** Values on the wire: protobuf's Struct against plain objects, and the envelope of a secret. */
import { type JavaScriptValue, Struct } from "google-protobuf/google/protobuf/struct_pb";
import { SECRET_MARKER } from "../common/markers";
import type { Properties } from "../provider/boundary";

/** Inputs and outputs that are secret in every program. */
const SECRETS = ["value", "secondaryValue"] as const;

/** A value that the engine encrypts in the state and does not print. */
export function wrapSecret(value: unknown): Properties {
  return { [SECRET_MARKER.key]: SECRET_MARKER.value, value };
}

/** The value in an envelope, and whether it was in one. */
export function unwrapSecret(given: unknown): { value: unknown; isSecret: boolean } {
  if (typeof given !== "object" || given === null) return { value: given, isSecret: false };
  const isSecret =
    SECRET_MARKER.key in given && given[SECRET_MARKER.key] === SECRET_MARKER.value && "value" in given;
  return isSecret ? { value: given.value, isSecret } : { value: given, isSecret };
}

/** A channel's properties with its secrets in envelopes. Null is not wrapped: it says nothing, and would be encrypted. */
export function wrapSecrets(properties: Properties): Properties {
  const secrets = SECRETS.filter((name) => (properties[name] ?? null) !== null);
  return {
    ...properties,
    ...Object.fromEntries(secrets.map((name) => [name, wrapSecret(properties[name])])),
  };
}

/** @param properties plain JSON: a Struct holds nothing else */
export function toStruct(properties: Properties): Struct {
  return Struct.fromJavaScript(properties as Record<string, JavaScriptValue>);
}

export function fromStruct(struct: Struct | undefined): Properties {
  return struct?.toJavaScript() ?? {};
}
