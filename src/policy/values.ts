/**
 * Reads resources for policies. Policies see secrets in clear, and their messages are not masked.
 * So a message contains only names of resources, stacks and domains, dates and the policy's own
 * options, never another value of a resource.
 */

/** A value that is unknown in a preview. */
export const UNKNOWN = Symbol("unknown");

/**
 * Reads a property, or one within another by a path such as `alerts.expiresAt`.
 * @returns {@link UNKNOWN} if it is unknown in a preview; undefined if it does not exist
 */
export function read(props: object, path: string): unknown {
  let value: unknown = props;
  for (const key of path.split(".")) {
    if (typeof value !== "object" || value === null) return undefined;
    try {
      // Reading an unknown property throws, which would make the whole policy advisory.
      value = Reflect.get(value, key);
    } catch (error) {
      if (error instanceof Error && "unknownTypeSentinel" in error) return UNKNOWN;
      throw error;
    }
  }

  return value;
}
