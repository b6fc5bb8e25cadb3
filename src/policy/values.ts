/**
 * How policies look at a resource. They see secrets in clear, and nothing masks what they print. So a message names
 * resources, stacks, dates and what the policy itself was given, and never repeats another value of a resource.
 */

/** A value that a preview does not know yet. */
export const UNKNOWN = Symbol("unknown");

/**
 * Reads a property, or one within another by a path such as `alerts.expiresAt`.
 * @returns {@link UNKNOWN} where a preview does not know it; undefined where there is none
 */
export function read(props: object, path: string): unknown {
  let value: unknown = props;
  for (const key of path.split(".")) {
    if (typeof value !== "object" || value === null) return undefined;
    try {
      // Reading an unknown property throws, and would turn the whole policy into an advisory note.
      value = Reflect.get(value, key);
    } catch (error) {
      if (error instanceof Error && "unknownTypeSentinel" in error) return UNKNOWN;
      throw error;
    }
  }
  return value;
}

/** A resource's name as messages show it. */
export function quoted({ name }: { name: string }): string {
  return JSON.stringify(name);
}
