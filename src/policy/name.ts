/**
 * The default name of a policy. A pack's enforcement levels are kept by name, so that of two policies with one name both get the
 * level of the last. So the name says what the policy was given, the level included.
 */
import { createHash } from "node:crypto";
import { listOf, type PolicyOptions } from "./options";

/** The longest name. */
const MAX_LENGTH = 100;

/**
 * The base, then what the policy was given in readable words. A name that would be too long, or that cannot show all of it, such as a
 * pattern, ends with a digest of it.
 * @param base name of the policy without options
 * @param own values of the policy's own options, in a fixed order
 */
export function nameOf(base: string, options: PolicyOptions, own: readonly unknown[] = []): string {
  if (options.name !== undefined) return options.name;
  const stacks = listOf(options.stacks);
  const level = options.enforcementLevel ? [options.enforcementLevel] : [];
  const given = [...own, ...level, ...(stacks.length > 0 ? ["in", ...stacks] : [])];
  const name = [base, ...given.map(word).filter((text) => text !== "")].join("-");
  if (name.length <= MAX_LENGTH && given.every((value) => word(value) === String(value))) return name;
  const digest = createHash("sha256").update(given.map(String).join("\n")).digest("hex").slice(0, 8);
  return `${name.slice(0, MAX_LENGTH - digest.length - 1)}-${digest}`;
}

/** A value in the letters of a name. */
function word(value: unknown): string {
  return String(value)
    .replace(/[^A-Za-z0-9_]+/g, "-")
    .replace(/^-+|-+$/g, "");
}
