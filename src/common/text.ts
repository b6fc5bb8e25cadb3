/** Texts of messages. */

/** Parts of a message as one; the service's own words often end with a full stop. */
export function sentences(parts: readonly string[]): string {
  return parts.map((part, index) => (index < parts.length - 1 ? part.replace(/\.$/, "") : part)).join(". ");
}

/** The form in which a service may keep a value: it trims texts, and keeps an empty one as null. */
export function tidied(value: unknown): unknown {
  return typeof value === "string" ? value.trim() || null : value;
}

/** Such as `1 channel` or `2 channels`. */
export function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}

/** Such as `one, two or three`. */
export function either(options: readonly string[]): string {
  return [options.slice(0, -1).join(", "), ...options.slice(-1)].filter((text) => text !== "").join(" or ");
}
