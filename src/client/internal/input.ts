/** Checks what callers give before anything is sent. */
import { DomainMonitoringError } from "../errors";
import { type UpdateNotificationChannel, WEBHOOK_METHODS } from "../types";

/** @throws DomainMonitoringError of kind `validation` */
export function wholeNumber(name: string, value: number, maximum = Number.MAX_SAFE_INTEGER): string {
  if (!Number.isInteger(value) || value < 1 || value > maximum) {
    const range = maximum === Number.MAX_SAFE_INTEGER ? "1 or more" : `from 1 to ${maximum}`;
    throw new DomainMonitoringError("validation", `${name} is not a whole number ${range}: correct it`);
  }
  return String(value);
}

/** The secrets of a channel. A webhook's method is not one. */
export function destinations({
  value,
  secondaryValue,
}: Pick<UpdateNotificationChannel, "value" | "secondaryValue">): (string | null | undefined)[] {
  const isMethod = WEBHOOK_METHODS.some((method) => method === secondaryValue);
  return [value, isMethod ? null : secondaryValue];
}

/** The body that `write` returns. @throws DomainMonitoringError of kind `validation` that names fields, never values */
export function validated(what: string, write: () => unknown): unknown {
  try {
    return write();
  } catch (error) {
    const issues =
      error instanceof Error && "issues" in error && Array.isArray(error.issues) ? error.issues : [];
    const texts = issues.map(({ path, message }) =>
      path.length === 0 ? message : `${camelCase(path.join("."))}: ${message}`,
    );
    throw new DomainMonitoringError("validation", `${what} was not sent: ${texts.join("; ")}`);
  }
}

/** Converts a wire name to the caller's. */
function camelCase(name: string): string {
  return name.replace(/_(\w)/g, (_match, letter: string) => letter.toUpperCase());
}
