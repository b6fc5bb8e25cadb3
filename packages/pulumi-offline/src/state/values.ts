/**
 * Property values as they travel between program, engine and provider: plain JSON in which a secret
 * is an envelope and a value that is not known yet is a sentinel string.
 */

/** The properties of a resource, or an object among them. */
export type Properties = Record<string, unknown>;

/**
 * Stand for a value of this type that a preview cannot know; Node's SDK sends that of a string for
 * any type.
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

export const UNKNOWN = UNKNOWN_VALUES.string;
/** The key that makes an object a special value: a secret, an output value, an asset. */
export const SIGNATURE_KEY = "4dabf18193072939515e22adb298388d";
const SECRET_SIGNATURE = "1b47061264138c4ac30d75fd1eb44270";

/** A secret on its way: an envelope around the value. */
export interface Secret {
  value: unknown;
}

/** Marks a value as secret. */
export function secret(value: unknown): Secret {
  return isSecret(value) ? value : ({ [SIGNATURE_KEY]: SECRET_SIGNATURE, value } as Secret);
}

export function isSecret(value: unknown): value is Secret {
  return isObject(value) && value[SIGNATURE_KEY] === SECRET_SIGNATURE;
}

export function isObject(value: unknown): value is Properties {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/**
 * Whether a value that the engine would give a meaning of its own, such as an asset, is anywhere
 * inside.
 */
export function hasSpecialValue(value: unknown): boolean {
  return contains(value, (v) => isObject(v) && SIGNATURE_KEY in v && !isSecret(v));
}

export function hasUnknown(value: unknown): boolean {
  return contains(value, isUnknown);
}

export function isUnknown(value: unknown): boolean {
  return Object.values<unknown>(UNKNOWN_VALUES).includes(value);
}

/**
 * A provider's answer. @throws Error in the real engine's words if a value in it is the mark of an
 * unknown one
 */
export function knownAnswer(properties: Properties): Properties {
  for (const key of Object.keys(properties).sort()) refuseUnknown(properties[key], key);
  return properties;
}

function refuseUnknown(value: unknown, key: string): void {
  if (isUnknown(value)) throw new Error(`unexpected unknown property value for "${key}"`);
  if (Array.isArray(value)) for (const element of value) refuseUnknown(element, key);
  else if (isObject(value)) knownAnswer(value);
}

/**
 * The same value without its unknown parts: what is not known in an update either, because its
 * resource has failed, is missing in what a provider is sent.
 */
export function withoutUnknown(value: unknown): unknown {
  if (Array.isArray(value))
    return value.filter((element) => !isUnknown(element)).map(withoutUnknown);

  if (!isObject(value)) return value;

  const known = Object.entries(value).filter(([, element]) => !isUnknown(element));

  return Object.fromEntries(known.map(([key, element]) => [key, withoutUnknown(element)]));
}

export function hasSecret(value: unknown): boolean {
  return contains(value, isSecret);
}

function contains(value: unknown, test: (value: unknown) => boolean): boolean {
  if (test(value)) return true;
  if (Array.isArray(value)) return value.some((element) => contains(element, test));

  return isObject(value) && Object.values(value).some((element) => contains(element, test));
}

/**
 * The same value with every secret in clear: what a provider that does not accept secrets is sent.
 */
export function reveal(value: unknown): unknown {
  return isSecret(value) ? reveal(value.value) : mapElements(value, reveal);
}

/** The same value with every secret replaced by `"[secret]"`. */
export function redact(value: unknown): unknown {
  return isSecret(value) ? "[secret]" : mapElements(value, redact);
}

/** A list or an object with each of its elements converted; any other value as it is. */
export function mapElements(value: unknown, convert: (element: unknown) => unknown): unknown {
  if (Array.isArray(value)) return value.map((element) => convert(element));
  if (!isObject(value)) return value;

  return Object.fromEntries(Object.entries(value).map(([key, element]) => [key, convert(element)]));
}

/**
 * Copies secretness from inputs to what a provider returned, by key: objects are walked, anything
 * else becomes secret as a whole where the input holds a secret anywhere inside.
 */
export function copySecrets(from: Properties, to: Properties): Properties {
  const result = { ...to };
  for (const [key, input] of Object.entries(from)) {
    const output = result[key];
    if (output === undefined || isSecret(output)) continue;
    if (isObject(output) && isObject(input) && !isSecret(input))
      result[key] = copySecrets(input, output);
    else if (hasSecret(input)) result[key] = secret(output);
  }

  return result;
}

/** Marks outputs secret that are listed, or whose input of the same name is secret. */
export function markSecretOutputs(
  outputs: Properties,
  inputs: Properties,
  names: string[],
): Properties {
  const marked = (key: string, value: unknown) =>
    isSecret(value) || (!names.includes(key) && !isSecret(inputs[key])) ? value : secret(value);

  return Object.fromEntries(
    Object.entries(outputs).map(([key, value]) => [key, marked(key, value)]),
  );
}

/** Equality of JSON values; the order of keys does not count. */
export function equal(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (Array.isArray(a)) {
    return (
      Array.isArray(b) && a.length === b.length && a.every((element, i) => equal(element, b[i]))
    );
  }

  if (!isObject(a) || !isObject(b)) return false;
  // Assets are what is in them, wherever that lies.
  if (typeof a.hash === "string" && SIGNATURE_KEY in a && SIGNATURE_KEY in b)
    return a.hash === b.hash;

  const keys = Object.keys(a);

  return (
    keys.length === Object.keys(b).length && keys.every((key) => key in b && equal(a[key], b[key]))
  );
}

/**
 * The way the real engine prints a value in a failed check: Go's own rendering of its value types,
 * a secret's content in clear. Copied so that a test can see what a provider's check would give
 * away.
 */
export function inGoSyntax(value: unknown): string {
  if (isSecret(value)) return `{&{${inGoSyntax(value.value)}}}`;
  if (Array.isArray(value)) return `{[${value.map(inGoSyntax).join(" ")}]}`;
  if (isObject(value)) {
    const entries = Object.keys(value).sort();
    return `{map[${entries.map((key) => `${key}:${inGoSyntax(value[key])}`).join(" ")}]}`;
  }

  return `{${value ?? "<nil>"}}`;
}
