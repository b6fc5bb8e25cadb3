/** Schemas of options and faults. Their messages continue the name of what is not valid: "`times` must be at least 1". */
import { z } from "zod";

/** One of these values. */
export function oneOf<const Values extends readonly (string | number)[]>(values: Values) {
  return z.literal(values, `must be one of ${values.join(", ")}`);
}

/** A whole number; `range` names the bounds, such as "from 0 to 9", and may be empty. */
export function whole(range = "", minimum = Number.MIN_SAFE_INTEGER, maximum = Number.MAX_SAFE_INTEGER) {
  const message = `must be a whole number ${range}`.trimEnd();
  return z.int(message).min(minimum, message).max(maximum, message);
}

/** True or false. */
export const flag = z.boolean("must be true or false");

/** An object with no other fields than these. */
export function onlyFields<Shape extends z.ZodRawShape>(shape: Shape) {
  return z.strictObject(shape, {
    error: ({ code, keys }) =>
      code === "unrecognized_keys"
        ? `has no \`${keys?.[0]}\`: use ${Object.keys(shape).join(", ")}`
        : "must be an object",
  });
}
