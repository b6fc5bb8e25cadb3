/** The options, checked and with their defaults. */
import { randomBytes } from "node:crypto";
import { toInstant } from "../../client/timestamps";
import type { EmulatorOptions, ListOrder } from "./types";

const LIST_ORDERS: readonly ListOrder[] = ["newest-first", "oldest-first"];

/** Every success status whose answer has a body. */
const CREATE_STATUSES = [200, 201, 202, 203, 206, 207, 208, 226] as const;

/** The options that are more than initial data, with defaults applied. */
export interface ResolvedOptions
  extends Required<Pick<EmulatorOptions, "token" | "listOrder">>,
    Pick<EmulatorOptions, "rateLimit"> {
  createStatus: (typeof CREATE_STATUSES)[number];
  /** The time at which the clock stands still, if it does. */
  now: Date | undefined;
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
  return { token, createStatus, listOrder, rateLimit, now: fixedTime(options.now) };
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
