/** Values on the wire: protobuf's Struct against plain objects, and the envelope of a secret. */
import { type JavaScriptValue, Struct } from "google-protobuf/google/protobuf/struct_pb";
import type { Properties } from "../provider/boundary";

/** The key by which the engine tells its own envelopes from a program's objects, and the value for a secret. */
const SIGNATURE = "4dabf18193072939515e22adb298388d";
const SECRET = "1b47061264138c4ac30d75fd1eb44270";

/** Inputs and outputs that are secret, whatever the program did. */
const SECRETS = ["value", "secondaryValue"] as const;

/** A value that the engine encrypts in the state and does not print. */
export function secret(value: unknown): Properties {
  return { [SIGNATURE]: SECRET, value };
}

/** The value in an envelope, and whether it was in one. */
export function open(given: unknown): { value: unknown; isSecret: boolean } {
  if (typeof given !== "object" || given === null) return { value: given, isSecret: false };
  const isSecret = SIGNATURE in given && given[SIGNATURE] === SECRET && "value" in given;
  return isSecret ? { value: given.value, isSecret } : { value: given, isSecret };
}

/** A channel's properties with its secrets in envelopes. Null is not wrapped: it says nothing, and would be encrypted. */
export function sealed(properties: Properties): Properties {
  const secrets = SECRETS.filter((name) => (properties[name] ?? null) !== null);
  return { ...properties, ...Object.fromEntries(secrets.map((name) => [name, secret(properties[name])])) };
}

/** @param properties plain JSON: a Struct holds nothing else */
export function toStruct(properties: Properties): Struct {
  return Struct.fromJavaScript(properties as Record<string, JavaScriptValue>);
}

export function fromStruct(struct: Struct | undefined): Properties {
  return struct?.toJavaScript() ?? {};
}
