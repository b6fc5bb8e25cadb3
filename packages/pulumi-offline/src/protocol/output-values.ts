/**
 * Output values: how the engine shows a property to a transform, which then sees an Output with its
 * dependencies where a value is secret, unknown or made from other resources.
 */
import {
  isObject,
  isSecret,
  isUnknown,
  mapElements,
  SIGNATURE_KEY,
  secret,
  UNKNOWN,
} from "../state/values";

const OUTPUT_SIGNATURE = "d0e6a833031e9bbcd3f4e8bde6ca49a4";

/** An output value on its way: without `value` it is not known. */
interface OutputValue {
  value?: unknown;
  secret?: boolean;
  dependencies?: string[];
}

function isOutputValue(value: unknown): value is OutputValue {
  return isObject(value) && value[SIGNATURE_KEY] === OUTPUT_SIGNATURE;
}

/** The value as a transform is sent it. */
export function toOutputValue(value: unknown, dependencies: readonly string[] = []): unknown {
  const inner = isSecret(value) ? value.value : value;
  if (!isSecret(value) && !isUnknown(inner) && dependencies.length === 0)
    return mapElements(inner, toOutputValue);

  return {
    [SIGNATURE_KEY]: OUTPUT_SIGNATURE,
    ...(isUnknown(inner) ? {} : { value: mapElements(inner, toOutputValue) }),
    secret: isSecret(value),
    dependencies: [...dependencies],
  };
}

/** The value that a transform sent back, in the engine's own form, and what it depends on. */
export function fromOutputValue(value: unknown): { value: unknown; dependencies: string[] } {
  const dependencies = new Set<string>();
  const convert = (part: unknown): unknown => {
    if (isSecret(part)) return secret(convert(part.value));
    if (!isOutputValue(part)) return mapElements(part, convert);

    for (const urn of part.dependencies ?? []) dependencies.add(urn);
    const inner = part.value === undefined ? UNKNOWN : convert(part.value);

    return part.secret ? secret(inner) : inner;
  };

  return { value: convert(value), dependencies: [...dependencies] };
}
