/** The options, checked and with their defaults. */
import { randomBytes } from "node:crypto";
import { z } from "zod";
import { toInstant } from "../../client/timestamps";
import { flag, oneOf, onlyFields, whole } from "./checks";
import type { EmulatorOptions, ManagedOptions } from "./types";

/** Every success status whose answer has a body. */
const CREATE_STATUSES = [200, 201, 202, 203, 206, 207, 208, 226] as const;

const count = whole("from 1", 1);

const managedOptions = onlyFields({
  getResponse: oneOf(["bare", "wrapped"]).default("bare"),
  updateResponse: oneOf(["bare", "wrapped"]).default("wrapped"),
  deleteStatus: oneOf([200, 204]).default(204),
  acceptsNull: flag.default(true),
  protectedStatus: oneOf([403, 409]).default(403),
  perPage: count.default(15),
} satisfies { [Name in keyof ManagedOptions]-?: z.ZodType<Required<ManagedOptions>[Name]> });

/** The options that are more than initial data. */
const checkedOptions = z.object({
  port: whole("from 0 to 65535", 0, 65_535).default(0),
  token: z
    .string()
    .regex(/^[\x21-\x7e]+$/, "must be visible ASCII characters without spaces")
    .default(() => randomBytes(20).toString("hex")),
  seed: whole().optional(),
  createStatus: oneOf(CREATE_STATUSES).default(201),
  listOrder: oneOf(["newest-first", "oldest-first"]).default("newest-first"),
  rateLimit: z.object({ requests: count, perSeconds: count }, "must be an object").optional(),
  lifecycle: oneOf(["create-only", "managed"]).default("create-only"),
  managed: managedOptions.prefault({}),
});

/** The options with their defaults; `managed` is undefined where channels can only be created. */
export type ResolvedOptions = ReturnType<typeof resolveOptions>;

/**
 * @throws TypeError for a token that cannot be sent in a header
 * @throws RangeError for any other option that is not valid
 */
export function resolveOptions(options: EmulatorOptions) {
  const checked = checkedOptions.safeParse(options);
  if (!checked.success) {
    const { path = [], message } = checked.error.issues[0] ?? {};
    const reason = `\`${path.join(".")}\` ${message}`;
    throw path[0] === "token" ? new TypeError(reason) : new RangeError(reason);
  }
  const { lifecycle, managed, ...rest } = checked.data;
  if (lifecycle === "create-only" && options.managed !== undefined)
    throw new RangeError('`managed` has no effect without `lifecycle: "managed"`: add it');
  return {
    ...rest,
    lifecycle,
    managed: lifecycle === "managed" ? managed : undefined,
    now: fixedTime(options.now),
  };
}

/** The time at which the clock stands still, if it does. */
function fixedTime(now: Date | string | undefined): Date | undefined {
  if (now === undefined) return undefined;
  const time = typeof now === "string" ? toInstant(now) : now;
  // The interface's formats have years of four digits.
  if (!time || Number.isNaN(time.getTime()) || !/^\d{4}-/.test(time.toISOString()))
    throw new RangeError("`now` must be a time such as 2026-01-31T08:30:00Z");
  return time;
}
