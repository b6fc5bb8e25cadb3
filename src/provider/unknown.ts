/**
 * Values that are not known yet. In a preview the engine sends this text in place of a value of any type, at any depth
 * (pulumi/pulumi#6310). It is part of the protocol; the SDK has it as `runtime.unknownValue`, but this room must not load it.
 */
export const UNKNOWN = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

/** Whether a value is unknown, or holds something that is. */
export function hasUnknown(value: unknown): boolean {
  if (value === UNKNOWN) return true;
  if (typeof value !== "object" || value === null) return false;
  return Object.values(value).some(hasUnknown);
}
