/** The options, checked and with their defaults. */
import { randomBytes } from "node:crypto";
import { z } from "zod";
import { toInstant } from "../../client/timestamps";
import type { EmulatorOptions, Lifecycle, ListOrder, ManagedOptions } from "./types";

const LIST_ORDERS: readonly ListOrder[] = ["newest-first", "oldest-first"];
const LIFECYCLES: readonly Lifecycle[] = ["create-only", "managed"];

/** Every success status whose answer has a body. */
const CREATE_STATUSES = [200, 201, 202, 203, 206, 207, 208, 226] as const;

/** The options that are more than initial data, with defaults applied. */
export interface ResolvedOptions
  extends Required<Pick<EmulatorOptions, "token" | "listOrder">>,
    Pick<EmulatorOptions, "rateLimit"> {
  createStatus: (typeof CREATE_STATUSES)[number];
  /** The time at which the clock stands still, if it does. */
  now: Date | undefined;
  /** Undefined where channels can only be created. */
  managed: Required<ManagedOptions> | undefined;
}

/**
 * @throws TypeError for a token that cannot be sent in a header
 * @throws RangeError for any other option that is not valid
 */
export function resolveOptions(options: EmulatorOptions): ResolvedOptions {
  const { token = randomBytes(20).toString("hex"), seed, rateLimit, listOrder = "newest-first" } = options;
  if (!/^[\x21-\x7e]+$/.test(token))
    throw new TypeError("`token` must be visible ASCII characters without spaces");
  const createStatus = CREATE_STATUSES.find((status) => status === (options.createStatus ?? 201));
  if (createStatus === undefined)
    throw new RangeError(
      `\`createStatus\` must be a success status with a body: use one of ${CREATE_STATUSES.join(", ")}`,
    );
  if (!LIST_ORDERS.includes(listOrder))
    throw new RangeError(`\`listOrder\` must be one of ${LIST_ORDERS.join(", ")}`);
  if (seed !== undefined && !Number.isSafeInteger(seed))
    throw new RangeError("`seed` must be a whole number");
  if (rateLimit !== undefined && !(isCount(rateLimit.requests) && isCount(rateLimit.perSeconds)))
    throw new RangeError("`rateLimit` needs `requests` and `perSeconds`, both whole numbers from 1");
  const managed = managedOptions(options);
  return { token, createStatus, listOrder, rateLimit, now: fixedTime(options.now), managed };
}

const oneOf = <const Values extends readonly (string | number)[]>(values: Values) =>
  z.literal(values, `must be one of ${values.join(", ")}`);

const managedFields = {
  getResponse: oneOf(["bare", "wrapped"]).default("bare"),
  updateResponse: oneOf(["bare", "wrapped"]).default("wrapped"),
  deleteStatus: oneOf([200, 204]).default(204),
  acceptsNull: z.boolean("must be true or false").default(true),
  protectedStatus: oneOf([403, 409]).default(403),
  perPage: z.int("must be a whole number from 1").min(1, "must be a whole number from 1").default(15),
} satisfies { [Name in keyof ManagedOptions]-?: z.ZodType<Required<ManagedOptions>[Name]> };

const managedChoices = z.strictObject(managedFields, {
  error: ({ code, keys }) =>
    code === "unrecognized_keys"
      ? `has no \`${keys?.[0]}\`: use ${Object.keys(managedFields).join(", ")}`
      : "must be an object",
});

function managedOptions({
  lifecycle = "create-only",
  managed,
}: EmulatorOptions): Required<ManagedOptions> | undefined {
  if (!LIFECYCLES.includes(lifecycle))
    throw new RangeError(`\`lifecycle\` must be one of ${LIFECYCLES.join(", ")}`);
  if (lifecycle === "create-only") {
    if (managed === undefined) return undefined;
    throw new RangeError('`managed` has no effect without `lifecycle: "managed"`: add it');
  }
  const checked = managedChoices.safeParse(managed ?? {});
  if (checked.success) return checked.data;
  const { path = [], message } = checked.error.issues[0] ?? {};
  throw new RangeError(`\`${["managed", ...path].join(".")}\` ${message}`);
}

function fixedTime(now: Date | string | undefined): Date | undefined {
  if (now === undefined) return undefined;
  const time = typeof now === "string" ? toInstant(now) : now;
  // The interface's formats have years of four digits.
  if (!time || Number.isNaN(time.getTime()) || !/^\d{4}-/.test(time.toISOString()))
    throw new RangeError("`now` must be a time such as 2026-01-31T08:30:00Z");
  return time;
}

function isCount(value: number): boolean {
  return Number.isSafeInteger(value) && value >= 1;
}
