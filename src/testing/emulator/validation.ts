/** The answer to input that breaks the rules: which field, and why. Never what was submitted. */

/** The parts of a zod issue that matter here. */
interface Issue {
  readonly code?: string | undefined;
  readonly path: readonly PropertyKey[];
  readonly message: string;
  /** Present on `unrecognized_keys`. */
  readonly keys?: readonly string[];
}

/** The body of a 422: `errors` maps the wire's field names to texts. */
export interface ValidationFailure {
  message: string;
  errors: Record<string, string[]>;
}

/**
 * Zod's own texts are passed on: they name what was expected and the type of what came, never its value. What concerns
 * the body as a whole is filed under `body`.
 */
export function validationFailure(issues: readonly Issue[]): ValidationFailure {
  // A map, because a submitted key may be called `__proto__`.
  const errors = new Map<string, string[]>();
  const add = (field: string, text: string) => errors.set(field, [...(errors.get(field) ?? []), text]);
  for (const issue of issues) {
    if (issue.code === "unrecognized_keys") {
      for (const key of issue.keys ?? []) add(key, "Is not a field of this request.");
    } else {
      add(String(issue.path[0] ?? "body"), issue.message);
    }
  }
  return { message: "The given data was invalid.", errors: Object.fromEntries(errors) };
}
