/**
 * Checks options and fills in defaults, with rules that faults share. A message follows the name of
 * the invalid option.
 */
import { randomBytes } from "node:crypto";
import { z } from "zod";
import { LIFECYCLES, toInstant } from "./interface";
import type { DomainSeed, EmulatorOptions } from "./types";

export function oneOf<const Values extends readonly (string | number)[]>(values: Values) {
  return z.literal(values, `must be one of ${values.join(", ")}`);
}

/** A whole number; `range` names the bounds, such as "from 0 to 9", and may be empty. */
export function whole(
  range = "",
  minimum = Number.MIN_SAFE_INTEGER,
  maximum = Number.MAX_SAFE_INTEGER,
) {
  const message = `must be a whole number ${range}`.trimEnd();
  return z.int(message).min(minimum, message).max(maximum, message);
}

export const flag = z.boolean("must be true or false");

/** An object with any of these fields, and no other. */
export function onlyFields<Shape extends z.ZodRawShape>(shape: Shape) {
  const error: z.core.$ZodErrorMap = ({ code, keys }) =>
    code === "unrecognized_keys"
      ? `has no \`${keys?.[0]}\`: use ${Object.keys(shape).join(", ")}`
      : "must be an object";

  return z.strictObject(shape, { error }).partial();
}

/** Every success status whose response has a body. */
export const CREATE_STATUSES = [200, 201, 202, 203, 206, 207, 208, 226] as const;

const count = whole("from 1", 1);
const domainCount = whole("from 0 to 10000", 0, 10_000);

/** The options that are more than initial data. */
const checkedOptions = z.object({
  domains: z
    .union([z.array(z.custom<DomainSeed>()), domainCount], "must be a whole number from 0 to 10000")
    .default(3),
  port: whole("from 0 to 65535", 0, 65_535).default(0),
  token: z
    .string()
    .regex(/^[\x21-\x7e]+$/, "must be visible ASCII characters without spaces")
    .default(() => randomBytes(20).toString("hex")),
  seed: whole().optional(),
  now: z
    .union([z.date(), z.string().transform(toInstant)])
    // The interface's formats have years of four digits.
    .refine((time) => time && /^\d{4}-/.test(time.toISOString()))
    .optional(),
  createStatus: oneOf(CREATE_STATUSES).default(201),
  listOrder: oneOf(["newest-first", "oldest-first"]).default("newest-first"),
  perPage: count.default(15),
  rateLimit: z.object({ requests: count, perSeconds: count }, "must be an object").optional(),
  listDomains: flag.default(true),
  lifecycle: oneOf(LIFECYCLES).default("create-only"),
});

/** The options with their defaults. */
export type ResolvedOptions = ReturnType<typeof resolveOptions>;

/**
 * @throws TypeError for a token that cannot be sent in a header
 * @throws RangeError for any other option that is not valid
 */
export function resolveOptions(options: EmulatorOptions) {
  const checked = checkedOptions.safeParse(options);
  if (checked.success) return checked.data;

  const { path = [], message } = checked.error.issues[0] ?? {};
  const reason = path[0] === "now" ? "must be a time such as 2026-01-31T08:30:00Z" : message;
  const Kind = path[0] === "token" ? TypeError : RangeError;

  throw new Kind(`\`${path.join(".")}\` ${reason}`);
}
